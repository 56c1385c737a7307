import type { Tx } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';

/** An idempotency key of one account. Keys of different families never meet (D9). */
export interface FamilyKey {
  /** The family of API keys: a key and those it was rotated into. */
  readonly family: RecordId;
  readonly key: string;
}

/** A request that wants a key. */
export interface Claimant {
  /** Names the request; whoever it is not, changes nothing. */
  readonly owner: RecordId;
  readonly fingerprint: Buffer;
  readonly leaseMs: number;
}

/** Keys older than this count as absent (D9). */
const OLD = `interval '24 hours'`;
const MINE = 'account_id = $1 AND family = $2 AND idempotency_key = $3 AND owner = $4 AND status_code IS NULL';

/**
 * Takes a key that is free: absent, older than 24 hours, or left by an owner who died over the same payload. One
 * statement, so that of any number of requests one gets it.
 *
 * @returns null when the key is not free, else the record that a dead owner made with it, if any
 */
export function takeKey(
  accountId: RecordId,
  { family, key }: FamilyKey,
  { owner, fingerprint, leaseMs }: Claimant,
  tx: Tx,
): Promise<{ record_id: RecordId | null } | null> {
  return tx.row(
    `INSERT INTO idempotency_keys AS k (account_id, family, idempotency_key, fingerprint, owner, lease_until)
     VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 millisecond')
     ON CONFLICT ON CONSTRAINT idempotency_keys_pkey DO UPDATE
     SET fingerprint = excluded.fingerprint, owner = excluded.owner, lease_until = excluded.lease_until,
         status_code = NULL, response = NULL,
         record_id = CASE WHEN k.created_at > now() - ${OLD} THEN k.record_id END,
         created_at = CASE WHEN k.created_at > now() - ${OLD} THEN k.created_at ELSE now() END
     WHERE k.lease_until <= now()
       AND (k.created_at <= now() - ${OLD} OR (k.status_code IS NULL AND k.fingerprint = excluded.fingerprint))
     RETURNING record_id`,
    [accountId, family, key, fingerprint, owner, leaseMs],
  );
}

/** A key that is taken, with its answer once there is one. */
export interface TakenKey {
  readonly fingerprint: Buffer;
  readonly response: string | null;
}

export function findKey(accountId: RecordId, { family, key }: FamilyKey, tx: Tx): Promise<TakenKey | null> {
  return tx.row<TakenKey>(
    `SELECT fingerprint, response FROM idempotency_keys
     WHERE account_id = $1 AND family = $2 AND idempotency_key = $3`,
    [accountId, family, key],
  );
}

/** Whether the owner still has the key; then for `leaseMs` more. */
export async function renewLease(
  accountId: RecordId,
  { family, key }: FamilyKey,
  { owner, leaseMs }: Omit<Claimant, 'fingerprint'>,
  tx: Tx,
): Promise<boolean> {
  const renewed = await tx.affected(
    `UPDATE idempotency_keys SET lease_until = now() + $5 * interval '1 millisecond' WHERE ${MINE}`,
    [accountId, family, key, owner, leaseMs],
  );
  return renewed > 0;
}

/**
 * Notes the records that owners make, in the transaction that makes them; how many of the owners still have their keys.
 * The arrays belong together, and each place has an account of its own: sends of several accounts share a transaction.
 */
export function noteRecords(
  accountIds: readonly RecordId[],
  keys: readonly FamilyKey[],
  owners: readonly RecordId[],
  recordIds: readonly RecordId[],
  tx: Tx,
): Promise<number> {
  return tx.affected(
    `UPDATE idempotency_keys k SET record_id = n.record_id
     FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::uuid[])
          AS n (account_id, family, idempotency_key, owner, record_id)
     WHERE k.account_id = n.account_id AND k.family = n.family AND k.idempotency_key = n.idempotency_key
       AND k.owner = n.owner AND k.status_code IS NULL`,
    [accountIds, keys.map(({ family }) => family), keys.map(({ key }) => key), owners, recordIds],
  );
}

/** Keeps the owner's answer, sealed. */
export async function keepAnswer(
  accountId: RecordId,
  { family, key }: FamilyKey,
  owner: RecordId,
  { status, response }: { status: number; response: string },
  tx: Tx,
): Promise<void> {
  await tx.affected(`UPDATE idempotency_keys SET status_code = $5, response = $6, lease_until = now() WHERE ${MINE}`, [
    accountId,
    family,
    key,
    owner,
    status,
    response,
  ]);
}

/**
 * Gives the key back unused.
 *
 * @param withRecord also when a record was made with it; else such a key stays, and so does its lease
 */
export async function dropKey(
  accountId: RecordId,
  { family, key }: FamilyKey,
  owner: RecordId,
  withRecord: boolean,
  tx: Tx,
): Promise<boolean> {
  const dropped = await tx.affected(`DELETE FROM idempotency_keys WHERE ${MINE} AND (record_id IS NULL OR $5)`, [
    accountId,
    family,
    key,
    owner,
    withRecord,
  ]);
  return dropped > 0;
}

/** Ends the owner's lease at once, as if the owner had died. */
export async function endLease(
  accountId: RecordId,
  { family, key }: FamilyKey,
  owner: RecordId,
  tx: Tx,
): Promise<void> {
  await tx.affected(`UPDATE idempotency_keys SET lease_until = now() WHERE ${MINE}`, [accountId, family, key, owner]);
}

/** Removes keys that count as absent, of all accounts; how many. Processes that do so at once share the work. */
export function dropOldKeys(most: number, tx: Tx): Promise<number> {
  return tx.affected(
    `DELETE FROM idempotency_keys WHERE (account_id, family, idempotency_key) IN (
       SELECT account_id, family, idempotency_key FROM idempotency_keys
       WHERE created_at <= now() - ${OLD} AND lease_until <= now()
       ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED
     )`,
    [most],
  );
}
