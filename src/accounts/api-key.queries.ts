import { violatedForeignKey } from '../database/sql/constraint-violation.js';
import { NEWEST_FIRST } from '../database/sql/list-order.js';
import { cutRows, type Positioned } from '../database/sql/page-sql.js';
import type { Database, Tx } from '../database/unit-of-work.js';
import type { Page, Paged } from '../values/page.js';
import type { Account } from './account.entity.js';
import { noSuchAccount } from './account.errors.js';
import { ApiKey } from './api-key.entity.js';

/** A key and its account. */
export type KeyWithAccount = Omit<ApiKey, 'name' | 'prefix' | 'lastUsedAt' | 'createdAt'> &
  Pick<Account, 'organisationId' | 'ownerId'> & {
    readonly accountStatus: Account['status'];
    /** Whether all contacts of the account are being erased. Until they are hidden, requests are refused. */
    readonly isPurging: boolean;
  };

/** The key with this prefix. The query takes no account, because it is the one that finds it. */
export function findKeyByPrefix(prefix: string, db: Database): Promise<KeyWithAccount | null> {
  return db.row<KeyWithAccount>(
    `SELECT k.id, k.account_id, a.organisation_id, a.owner_id, a.status AS account_status, k.secret_hash, k.scopes,
            k.rate_limit, k.idempotency_family, k.allowed_networks, k.expires_at, k.revoked_at,
            EXISTS (SELECT FROM contact_purges p WHERE p.account_id = k.account_id) AS is_purging
     FROM api_keys k JOIN accounts a ON a.id = k.account_id
     WHERE k.prefix = $1`,
    [prefix],
  );
}

/**
 * Records when keys were last used, without waiting for the disk. Another process may have recorded a later use already.
 */
export function stampLastUsed(accountIds: string[], keyIds: string[], at: Date[], db: Database): Promise<number> {
  return db.affected(
    `WITH unsynced AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
     UPDATE api_keys k SET last_used_at = greatest(k.last_used_at, used.at)
     FROM unsynced, unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS used (account_id, id, at)
     WHERE k.account_id = used.account_id AND k.id = used.id`,
    [accountIds, keyIds, at],
  );
}

export function findApiKey(accountId: string, id: string, tx: Tx): Promise<ApiKey | null> {
  return tx.manager.findOneBy(ApiKey, { accountId, id });
}

/** The key, locked against other changes. */
export function lockKey(accountId: string, id: string, tx: Tx): Promise<ApiKey | null> {
  return tx.manager.findOne(ApiKey, { where: { accountId, id }, lock: { mode: 'pessimistic_write' } });
}

/** Newest first. */
export async function findKeys(accountId: string, page: Page, db: Database): Promise<Paged<ApiKey>> {
  const rows = await db.rows<Positioned<ApiKey>>(
    `SELECT k.*, ${NEWEST_FIRST.position()} FROM api_keys k
     WHERE account_id = $1 ${NEWEST_FIRST.pageOf(page, '$2', '$3')}`,
    [accountId, ...NEWEST_FIRST.parameters(page)],
  );
  return { ...cutRows(rows, page), total: await db.manager.countBy(ApiKey, { accountId }) };
}

/** Keys that work at `at`. */
export async function countWorkingKeys(accountId: string, at: Date, tx: Tx): Promise<number> {
  const row = await tx.row<{ count: number }>(
    `SELECT count(*)::int AS count FROM api_keys
     WHERE account_id = $1 AND coalesce(revoked_at > $2, true) AND coalesce(expires_at > $2, true)`,
    [accountId, at],
  );
  return row?.count ?? 0;
}

export async function updateSecret(
  accountId: string,
  id: string,
  secret: Pick<ApiKey, 'prefix' | 'secretHash'>,
  tx: Tx,
): Promise<void> {
  await tx.manager.update(ApiKey, { accountId, id }, secret);
}

/** A new key. */
export type KeyInsert = Omit<ApiKey, 'accountId' | 'lastUsedAt' | 'revokedAt' | 'createdAt'>;

/** @throws DomainError `not_found` when there is no such account */
export async function insertKey(accountId: string, key: KeyInsert, tx: Tx): Promise<void> {
  try {
    await tx.manager.insert(ApiKey, { accountId, ...key });
  } catch (error) {
    if (violatedForeignKey(error) === 'api_keys_account_fkey') throw noSuchAccount(accountId);
    throw error;
  }
}

/** Returns whether the account has the key. An earlier revocation keeps its time; a scheduled one takes effect now. */
export async function revokeKey(accountId: string, keyId: string, at: Date, tx: Tx): Promise<boolean> {
  const revoked = await tx.affected(
    'UPDATE api_keys SET revoked_at = least(revoked_at, $3) WHERE account_id = $1 AND id = $2',
    [accountId, keyId, at],
  );
  return revoked === 1;
}

/** The account of a key, or null. Only for operators, who identify a key without its account. */
export async function findAccountOfKey(keyId: string, db: Database): Promise<string | null> {
  const row = await db.row<Pick<ApiKey, 'accountId'>>('SELECT account_id FROM api_keys WHERE id = $1', [keyId]);
  return row?.accountId ?? null;
}
