import { createHmac } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { loadHashKey } from '../database/secrets/hash-keys.js';
import { SecretBox, UnreadableSecret } from '../database/secrets/secret-box.js';
import { type Database, UnitOfWork } from '../database/unit-of-work.js';
import type { DomainError } from '../errors/domain-error.js';
import { numberKey, spellingsOf } from '../values/number-key.js';
import { hashKeyUnreadable } from './consent.errors.js';

/** The keyed hashes of numbers and user ids within their accounts, or the reason why there are none. */
class IdentityHashes {
  constructor(
    private readonly key: Buffer | null,
    private readonly unreadableKeyId: string,
  ) {}

  /** The hash of a user id, or of a number by its key. Null while the key of the hashes cannot be decrypted. */
  of(accountId: string, identity: string): string | null {
    return this.key === null ? null : hashOf(this.key, accountId, numberKey(identity));
  }

  /** The hash of each spelling of an identity, its key's first; none while the key of the hashes cannot be decrypted. */
  ofSpellings(accountId: string, identity: string): string[] {
    const { key } = this;
    return key === null ? [] : spellingsOf(identity).map((spelling) => hashOf(key, accountId, spelling));
  }

  /** The hashes of all spellings of those identities that are known. @throws DomainError 503 while there are none */
  ofAll(accountId: string, identities: readonly (string | null)[], refused: string): string[] {
    const known = identities.filter((identity) => identity !== null);
    if (this.key === null && known.length > 0) throw this.unreadable(refused);
    return known.flatMap((identity) => this.ofSpellings(accountId, identity));
  }

  get isReadable(): boolean {
    return this.key !== null;
  }

  unreadable(refused: string): DomainError {
    return hashKeyUnreadable(refused, this.unreadableKeyId);
  }
}

const hashOf = (key: Buffer, accountId: string, identity: string): string =>
  createHmac('sha256', key).update(`${accountId}/${identity}`).digest('base64url');

/**
 * The hashes of each database this process uses; their key is stored in that database. They live here, and not in the
 * service, because every statement that creates contacts needs them.
 */
const HASHES = new WeakMap<DataSource, IdentityHashes>();
const NO_HASHES = new IdentityHashes(null, 'unknown');

/** The hashes of the database that `tx` runs on. */
export const identityHashesOf = (db: Database): IdentityHashes => HASHES.get(db.manager.dataSource) ?? NO_HASHES;

/** Owns the hashes by which people without a contact stay opted out. */
@Injectable()
export class IdentityHashesService implements OnModuleInit {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly secrets: SecretBox,
  ) {}

  /** Makes the hashes available to {@link identityHashesOf}. */
  async onModuleInit(): Promise<void> {
    const { control } = this.unitOfWork;
    HASHES.set(control.manager.dataSource, await this.load(control));
  }

  /** A key that cannot be decrypted is logged. Calls that would make a contact are then refused. */
  private async load(db: Database): Promise<IdentityHashes> {
    try {
      return new IdentityHashes(await loadHashKey('suppressions', this.secrets, db), '');
    } catch (error) {
      if (!(error instanceof UnreadableSecret)) throw error;
      return new IdentityHashes(null, error.keyId ?? 'unknown');
    }
  }
}
