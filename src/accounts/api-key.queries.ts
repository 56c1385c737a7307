import { violatedForeignKey } from '../database/constraint-violation.js';
import type { Tx } from '../database/unit-of-work.js';
import { noSuchAccount } from './account.errors.js';

/** What authentication needs to know of a key and its account. */
export interface KeyRow {
  readonly id: string;
  readonly account_id: string;
  readonly organisation_id: string | null;
  readonly owner_id: string;
  readonly account_status: 'active' | 'suspended';
  readonly secret_hash: Buffer;
  readonly scopes: string[];
  readonly rate_limit: number;
  readonly idempotency_family: string;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
}

/**
 * The key with this prefix, with its account. The one query that cannot take a tenant first: it is what finds the tenant.
 */
export function findKeyByPrefix(prefix: string, tx: Tx): Promise<KeyRow | null> {
  return tx.row<KeyRow>(
    `SELECT k.id, k.account_id, a.organisation_id, a.owner_id, a.status AS account_status, k.secret_hash, k.scopes,
            k.rate_limit, k.idempotency_family, k.expires_at, k.revoked_at
     FROM api_keys k JOIN accounts a ON a.id = k.account_id
     WHERE k.prefix = $1`,
    [prefix],
  );
}

/** Stamps when keys were last used, without waiting for the disk. */
export function stampLastUsed(accountIds: string[], keyIds: string[], at: Date[], tx: Tx): Promise<number> {
  return tx.affected(
    `WITH unsynced AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
     UPDATE api_keys k SET last_used_at = used.at
     FROM unsynced, unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS used (account_id, id, at)
     WHERE k.account_id = used.account_id AND k.id = used.id`,
    [accountIds, keyIds, at],
  );
}

/** A key to be inserted; of its secret only the hash (D36). */
export interface KeyInsert {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly secretHash: Buffer;
  readonly scopes: readonly string[];
  readonly rateLimit: number;
  readonly idempotencyFamily: string;
  readonly expiresAt: Date | null;
}

export async function insertKey(accountId: string, key: KeyInsert, tx: Tx): Promise<void> {
  const { id, name, prefix, secretHash, scopes, rateLimit, idempotencyFamily, expiresAt } = key;
  try {
    await tx.affected(
      `INSERT INTO api_keys (account_id, id, name, prefix, secret_hash, scopes, rate_limit, idempotency_family, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [accountId, id, name, prefix, secretHash, scopes, rateLimit, idempotencyFamily, expiresAt],
    );
  } catch (error) {
    if (violatedForeignKey(error) === 'api_keys_account_fkey') throw noSuchAccount(accountId);
    throw error;
  }
}

/** Answers how many keys were found; one revoked before keeps its time, one to be revoked later is revoked now. */
export function revokeKey(accountId: string, keyId: string, at: Date, tx: Tx): Promise<number> {
  return tx.affected('UPDATE api_keys SET revoked_at = least(revoked_at, $3) WHERE account_id = $1 AND id = $2', [
    accountId,
    keyId,
    at,
  ]);
}

/** Whose key this is. Only for operators, who name a key without its account. */
export async function findAccountOfKey(keyId: string, tx: Tx): Promise<string | null> {
  const row = await tx.row<{ account_id: string }>('SELECT account_id FROM api_keys WHERE id = $1', [keyId]);
  return row?.account_id ?? null;
}
