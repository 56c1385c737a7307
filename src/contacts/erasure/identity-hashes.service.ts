import { createHmac, randomBytes } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { SecretBox, type SecretPlace, UnreadableSecret } from '../../database/secrets/secret-box.js';
import { type Tx, UnitOfWork } from '../../database/unit-of-work.js';
import { ensureHashKey, reseal } from './suppression.queries.js';

/** Computes the keyed hash of a number or user id within an account; null while the key cannot be decrypted. */
export type IdentityHash = (accountId: string, identity: string) => string | null;

/**
 * The hash function of each database this process uses; its key is stored in that database. It lives here, and not in
 * the service, because every statement that creates contacts needs it.
 */
const HASHES = new WeakMap<DataSource, IdentityHash>();
const NO_HASH: IdentityHash = () => null;

/** The hash function of the database that `tx` runs on. */
export const identityHashOf = (tx: Tx): IdentityHash => HASHES.get(tx.manager.dataSource) ?? NO_HASH;

const NAME = 'suppressions';
const KEY_BYTES = 32;

/** The place of a hash key, which its encryption is bound to. A hash key belongs to no account. */
export const hashKeyPlace = (name: string): SecretPlace => ({
  accountId: 'all',
  rowId: name,
  column: 'hash_keys.secret',
});

/**
 * Owns the key of the hashes that keep erased people opted out. The key is generated once and stored encrypted: it
 * survives a change of the encryption key, and a copy of the database alone does not reveal whose hashes these are.
 */
@Injectable()
export class IdentityHashesService implements OnModuleInit {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly secrets: SecretBox,
  ) {}

  /**
   * Makes the hash function available to {@link identityHashOf}, and re-encrypts its key under the current encryption
   * key.
   */
  async onModuleInit(): Promise<void> {
    const { control } = this.unitOfWork;
    const sealed = await ensureHashKey(NAME, () => this.seal(randomBytes(KEY_BYTES).toString('base64')), control);
    const key = this.open(sealed);
    if (key !== null) await reseal(NAME, sealed, this.seal(key), control);
    HASHES.set(control.manager.dataSource, hashUnder(key));
  }

  private seal(key: string): string {
    return this.secrets.seal(key, hashKeyPlace(NAME));
  }

  /**
   * Returns null when the key cannot be decrypted, which is logged. Without it, opt-outs of erased people are not
   * found.
   */
  private open(sealed: string): string | null {
    try {
      return this.secrets.open(sealed, hashKeyPlace(NAME));
    } catch (error) {
      if (error instanceof UnreadableSecret) return null;
      throw error;
    }
  }
}

const hashUnder = (base64: string | null): IdentityHash => {
  if (base64 === null) return NO_HASH;
  const key = Buffer.from(base64, 'base64');
  return (accountId, identity) => createHmac('sha256', key).update(`${accountId}/${identity}`).digest('base64url');
};
