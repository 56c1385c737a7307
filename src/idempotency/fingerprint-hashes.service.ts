import { createHmac } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { findKeyOrigin, type KeyOrigin } from '../database/secrets/hash-key.queries.js';
import { loadHashKey } from '../database/secrets/hash-keys.js';
import { SecretBox, UnreadableSecret } from '../database/secrets/secret-box.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { HOUR, now } from '../values/clock.js';

/**
 * Milliseconds for which fingerprints are stored in the old form after an upgrade. Processes of the previous release
 * know only plain SHA-256; until they are all replaced, they would refuse a repeated request whose fingerprint is keyed
 * (422). The old form, here and in {@link FingerprintHashes.accepted}, can be removed in the release after this one:
 * keys live for 24 hours.
 */
const ROLLOUT_MS = HOUR;

/** The stored forms of one fingerprint. */
export interface FingerprintHashes {
  /** The form in which it is stored now. */
  readonly fingerprint: Buffer;
  /** Every form in which it may have been stored in the last 24 hours. */
  readonly accepted: readonly Buffer[];
}

interface LoadedKey {
  readonly key: Buffer;
  /** From when on keyed hashes are stored. */
  readonly keyedFrom: Date;
}

/**
 * Hashes fingerprints of request bodies under a key (HMAC-SHA-256), so that a copy of the database does not allow
 * guessing a short code that a body contains.
 */
@Injectable()
export class FingerprintHashesService implements OnModuleInit {
  private loaded: LoadedKey | UnreadableSecret | null = null;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly secrets: SecretBox,
  ) {}

  async onModuleInit(): Promise<void> {
    const { control } = this.unitOfWork;
    try {
      const key = await loadHashKey('fingerprints', this.secrets, control);
      this.loaded = { key, keyedFrom: keyedFrom(await findKeyOrigin('fingerprints', control)) };
    } catch (error) {
      if (!(error instanceof UnreadableSecret)) throw error;
      this.loaded = error;
    }
  }

  /** Whether processes of the previous release may still be running. */
  get isRollingOut(): boolean {
    return now() < this.usableKey().keyedFrom;
  }

  /**
   * @param fingerprint plain, as `fingerprintOf` computes it
   * @throws UnreadableSecret (503): nobody can tell whether the request is a repeated one, and running it again might do
   * harm
   */
  of(fingerprint: Buffer): FingerprintHashes {
    const { key } = this.usableKey();
    const keyed = createHmac('sha256', key).update(fingerprint).digest();
    return { fingerprint: this.isRollingOut ? fingerprint : keyed, accepted: [keyed, fingerprint] };
  }

  private usableKey(): LoadedKey {
    if (this.loaded === null) throw new Error('the key of the fingerprints has not been loaded');
    if (this.loaded instanceof UnreadableSecret) throw this.loaded;
    return this.loaded;
  }
}

const keyedFrom = (origin: KeyOrigin | null): Date =>
  new Date((origin?.createdAt?.getTime() ?? 0) + (origin?.followsOlderRelease === true ? ROLLOUT_MS : 0));
