import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { EncryptionKey } from '../../config/environment-values.js';
import { DomainError } from '../../errors/domain-error.js';
import { MINUTE, SECOND } from '../../values/clock.js';
import { OncePer } from '../../values/once-per.js';

/** The place that a ciphertext is bound to: decrypting it for another account, row or column fails. */
export interface SecretPlace {
  readonly accountId: string;
  readonly rowId: string;
  /** `table.column`. */
  readonly column: string;
}

/** Seconds; by then an operator may have restored the key. */
const RETRY_AFTER_S = MINUTE / SECOND;

/**
 * A stored secret that cannot be decrypted: 503 for a request that needs it. The message names its place and the
 * encryption key, never the value.
 */
export class UnreadableSecret extends DomainError {
  /** For the log and operators, who see all accounts. */
  readonly report: string;

  /**
   * @param fault continues a sentence about the secret, and names the key
   * @param keyId the encryption key that the value names; null when it names none
   */
  constructor(
    { accountId, rowId, column }: SecretPlace,
    fault: string,
    readonly keyId: string | null,
  ) {
    const advice =
      keyId === null ? 'Store it again' : 'Start the service with the key that encrypted it in ENCRYPTION_KEY';
    super('unavailable', `${column} of ${rowId} ${fault}. ${advice}`, {
      headers: { 'retry-after': String(RETRY_AFTER_S) },
    });
    this.name = 'UnreadableSecret';
    this.report = `${column} of ${rowId} (account ${accountId}) ${fault}`;
  }
}

const VERSION = 'v1';
const TAG_BYTES = 16;

/**
 * Encrypts column values with AES-256-GCM. The stored form is `v1.<key id>.<nonce>.<ciphertext and tag>`, with the
 * place as additional authenticated data. Failures to decrypt are counted, and logged once per account and minute.
 */
export class SecretBox {
  private readonly logger = new Logger(SecretBox.name);
  private readonly warnings = new OncePer(MINUTE);
  private readonly unopened = new Map<string, number>();
  private readonly keys: ReadonlyMap<string, Buffer>;
  private readonly first: EncryptionKey;

  /** @param keys the first encrypts, all decrypt */
  constructor(keys: readonly EncryptionKey[]) {
    const [first] = keys;
    if (first === undefined) throw new Error('at least one encryption key is required');
    this.first = first;
    this.keys = new Map(keys.map(({ id, key }) => [id, key]));
  }

  /** The id of the key that new values are encrypted with. */
  get keyId(): string {
    return this.first.id;
  }

  /** The prefix of every value encrypted with the first key. */
  get prefix(): string {
    return `${VERSION}.${this.first.id}.`;
  }

  /** How often a value could not be decrypted, by column. */
  get failures(): ReadonlyMap<string, number> {
    return this.unopened;
  }

  seal(secret: string, place: SecretPlace): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.first.key, nonce).setAAD(placeBytes(place));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return [VERSION, this.first.id, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
  }

  /** @throws UnreadableSecret when the value belongs to another place, or its key is not configured */
  open(stored: string, place: SecretPlace): string {
    try {
      return this.decipher(stored, place);
    } catch (error) {
      if (error instanceof UnreadableSecret) {
        this.unopened.set(place.column, (this.unopened.get(place.column) ?? 0) + 1);
        if (this.warnings.allows(place.accountId)) {
          this.logger.error(`${error.report}. Add the key it was encrypted with to ENCRYPTION_KEY and restart`);
        }
      }
      throw error;
    }
  }

  /**
   * Re-encrypts a stored secret with the first key.
   *
   * @throws UnreadableSecret as {@link open}, but neither counts nor logs
   */
  reseal(stored: string, place: SecretPlace): string {
    return this.seal(this.decipher(stored, place), place);
  }

  private decipher(stored: string, place: SecretPlace): string {
    const [version, keyId = '', nonce = '', sealed = ''] = stored.split('.');
    if (version !== VERSION) throw new UnreadableSecret(place, 'is not an encrypted value', null);
    const key = this.keys.get(keyId);
    if (key === undefined) {
      throw new UnreadableSecret(place, `is encrypted with key "${keyId}", which is not configured`, keyId);
    }
    const bytes = Buffer.from(sealed, 'base64url');
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'))
        .setAAD(placeBytes(place))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      throw new UnreadableSecret(place, `cannot be decrypted with the configured key "${keyId}"`, keyId);
    }
  }
}

const placeBytes = ({ accountId, rowId, column }: SecretPlace): Buffer =>
  Buffer.from(`${column}/${accountId}/${rowId}`);
