import { createHmac, randomBytes } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { SecretBox, type SecretPlace, UnreadableSecret } from '../../database/secrets/secret-box.js';
import { type Tx, UnitOfWork } from '../../database/unit-of-work.js';
import { keptHashKey, reseal } from './suppression.queries.js';

/** The keyed hash of a number or user id within an account; null while the key cannot be decrypted. */
export type IdentityHash = (accountId: string, identity: string) => string | null;

/**
 * The hash of each database that a process works on: its key is stored there. Every statement that makes contacts needs it,
 * wherever it is, and it stays the same for good.
 */
const HASHES = new WeakMap<DataSource, IdentityHash>();
const NO_HASH: IdentityHash = () => null;

/** The hash of the database that `tx` runs on. */
export const identityHashOf = (tx: Tx): IdentityHash => HASHES.get(tx.manager.dataSource) ?? NO_HASH;

const NAME = 'suppressions';
const KEY_BYTES = 32;

/** Where a key of hashes is sealed: it belongs to no account. */
export const hashKeyPlace = (name: string): SecretPlace => ({
  accountId: 'all',
  rowId: name,
  column: 'hash_keys.secret',
});

/**
 * Owns the key of the hashes by which people stay opted out who were erased. It is made once and kept encrypted, so it stays the
 * same when the encryption key changes, and a copy of the database alone does not tell whose hashes those are.
 */
@Injectable()
export class IdentityHashesService implements OnModuleInit {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly secrets: SecretBox,
  ) {}

  /** Makes the hash available to {@link identityHashOf}, and brings its key under the encryption key that is the first now. */
  async onModuleInit(): Promise<void> {
    const { control } = this.unitOfWork;
    const sealed = await keptHashKey(NAME, () => this.seal(randomBytes(KEY_BYTES).toString('base64')), control);
    const key = this.open(sealed);
    if (key !== null) await reseal(NAME, sealed, this.seal(key), control);
    HASHES.set(control.manager.dataSource, hashUnder(key));
  }

  private seal(key: string): string {
    return this.secrets.seal(key, hashKeyPlace(NAME));
  }

  /** Without the key nobody is found to have opted out; that is logged. */
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
