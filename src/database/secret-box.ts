import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { EncryptionKey } from '../config/environment-values.js';

/** What a ciphertext is bound to: decrypting it for another account, row or column fails. */
export interface SecretPlace {
  readonly accountId: string;
  readonly rowId: string;
  /** `table.column`. */
  readonly column: string;
}

const VERSION = 'v1';
const TAG_BYTES = 16;

/**
 * Encrypts column values with AES-256-GCM (D39). The stored form is `v1.<key id>.<nonce>.<ciphertext and tag>`; the
 * place it belongs to is authenticated with it.
 */
export class SecretBox {
  private readonly keys: ReadonlyMap<string, Buffer>;
  private readonly first: EncryptionKey;

  /** @param keys the first encrypts, all decrypt */
  constructor(keys: readonly EncryptionKey[]) {
    const [first] = keys;
    if (first === undefined) throw new Error('at least one encryption key is needed');
    this.first = first;
    this.keys = new Map(keys.map(({ id, key }) => [id, key]));
  }

  seal(secret: string, place: SecretPlace): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.first.key, nonce).setAAD(placeBytes(place));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return [VERSION, this.first.id, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
  }

  /** @throws Error when the value was sealed for another place, or under a key that is no longer configured */
  open(stored: string, place: SecretPlace): string {
    const [version, keyId = '', nonce = '', sealed = ''] = stored.split('.');
    const key = this.keys.get(keyId);
    if (version !== VERSION || key === undefined) {
      throw new Error(`${place.column} of ${place.rowId} is encrypted under key "${keyId}", which is not configured`);
    }
    const bytes = Buffer.from(sealed, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'))
      .setAAD(placeBytes(place))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  }
}

const placeBytes = ({ accountId, rowId, column }: SecretPlace): Buffer =>
  Buffer.from(`${column}/${accountId}/${rowId}`);
