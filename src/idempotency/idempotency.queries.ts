import { createHash } from 'node:crypto';
import { type FindOptionsWhere, In, IsNull } from 'typeorm';
import type { Database, Tx } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';
import { IdempotencyKey } from './idempotency-key.entity.js';

/** An idempotency key within an account. Keys of different families are independent. */
export interface FamilyKey {
  /** The family of API keys: a key and its rotations. */
  readonly family: RecordId;
  readonly key: string;
}

/** A request that claims a key. */
export interface Claimant {
  /** Identifies the request. Only a key's owner can change it. */
  readonly owner: RecordId;
  /** The hash to store, and all hashes of the same payload that may be stored already. */
  readonly fingerprint: Buffer;
  readonly accepted: readonly Buffer[];
  readonly leaseMs: number;
}

/** Keys older than this count as absent. */
const MAX_AGE = `interval '24 hours'`;

/** Matches the key while this owner's request is in progress. */
const heldBy = (
  accountId: RecordId,
  { family, key }: FamilyKey,
  owner: RecordId,
): FindOptionsWhere<IdempotencyKey> => ({
  accountId,
  family,
  idempotencyKey: key,
  owner,
  statusCode: IsNull(),
});

/** Replaces a key that names an erased person. Callers put phone numbers into keys, for example. */
export const erasedName = (key: string): string => `erased:${createHash('sha256').update(key).digest('hex')}`;

/**
 * Claims a free key: absent, older than 24 hours, or abandoned by a dead owner with the same payload. One statement, so
 * that only one of any number of requests gets it.
 *
 * @returns null when the key is not free; otherwise the record that a dead owner created with it, if any
 */
export function claimKey(
  accountId: RecordId,
  { family, key }: FamilyKey,
  { owner, fingerprint, accepted, leaseMs }: Claimant,
  db: Database,
): Promise<Pick<IdempotencyKey, 'recordId'> | null> {
  return db.row(
    `INSERT INTO idempotency_keys AS k (account_id, family, idempotency_key, fingerprint, owner, lease_until)
     SELECT $1::uuid, $2::uuid, $3, $4::bytea, $5::uuid, now() + $6 * interval '1 millisecond'
     WHERE NOT EXISTS (SELECT FROM idempotency_keys e
                       WHERE e.account_id = $1 AND e.family = $2 AND e.idempotency_key = $7
                         AND e.created_at > now() - ${MAX_AGE})
     ON CONFLICT ON CONSTRAINT idempotency_keys_pkey DO UPDATE
     SET fingerprint = excluded.fingerprint, owner = excluded.owner, lease_until = excluded.lease_until,
         status_code = NULL, response = NULL, shown_once = NULL,
         record_id = CASE WHEN k.created_at > now() - ${MAX_AGE} THEN k.record_id END,
         created_at = CASE WHEN k.created_at > now() - ${MAX_AGE} THEN k.created_at ELSE now() END
     WHERE k.lease_until <= now()
       AND (k.created_at <= now() - ${MAX_AGE} OR (k.status_code IS NULL AND k.fingerprint = ANY ($8::bytea[])))
     RETURNING record_id`,
    [accountId, family, key, fingerprint, owner, leaseMs, erasedName(key), accepted],
  );
}

/** A claimed key, with its answer once known. */
export function findKey(accountId: RecordId, { family, key }: FamilyKey, db: Database): Promise<IdempotencyKey | null> {
  return db.manager.findOneBy(IdempotencyKey, { accountId, family, idempotencyKey: In([key, erasedName(key)]) });
}

/** Extends the owner's lease. False when another owner has the key. */
export async function renewLease(
  accountId: RecordId,
  { family, key }: FamilyKey,
  { owner, leaseMs }: Pick<Claimant, 'owner' | 'leaseMs'>,
  db: Database,
): Promise<boolean> {
  const renewed = await db.affected(
    `UPDATE idempotency_keys SET lease_until = now() + $5 * interval '1 millisecond'
     WHERE account_id = $1 AND family = $2 AND idempotency_key = $3 AND owner = $4 AND status_code IS NULL`,
    [accountId, family, key, owner, leaseMs],
  );
  return renewed > 0;
}

/**
 * Links the records that owners create to their keys, in the transaction that creates them. The arrays are parallel and
 * may mix accounts, because sends of several accounts share a transaction.
 *
 * @returns how many of the owners still hold their keys
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

/** An answer as it is stored. */
export interface SealedAnswer {
  readonly response: string;
  /** Its keys and secrets; null if there are none. */
  readonly shownOnce: string | null;
}

/** Stores the owner's answer. `response` and `shownOnce` are encrypted. */
export async function storeAnswer(
  accountId: RecordId,
  key: FamilyKey,
  owner: RecordId,
  { status: statusCode, ...sealed }: SealedAnswer & { status: number },
  db: Database,
): Promise<void> {
  const leaseUntil = () => 'now()';
  await db.manager.update(IdempotencyKey, heldBy(accountId, key, owner), { statusCode, ...sealed, leaseUntil });
}

/**
 * Deletes the key, so that it can be used again.
 *
 * @param withRecord whether to delete it even if a record was created with it; otherwise such a key and its lease stay
 * @returns whether the key was deleted
 */
export async function deleteKey(
  accountId: RecordId,
  key: FamilyKey,
  owner: RecordId,
  withRecord: boolean,
  db: Database,
): Promise<boolean> {
  const unused = { ...heldBy(accountId, key, owner), ...(!withRecord && { recordId: IsNull() }) };
  const { affected } = await db.manager.delete(IdempotencyKey, unused);
  return affected === 1;
}

/** Ends the owner's lease immediately, as if the owner had died. */
export async function endLease(accountId: RecordId, key: FamilyKey, owner: RecordId, db: Database): Promise<void> {
  await db.manager.update(IdempotencyKey, heldBy(accountId, key, owner), { leaseUntil: () => 'now()' });
}

/** A key with its encrypted answer. */
export interface AnsweredKey extends FamilyKey {
  readonly response: string;
  readonly createdAt: Date;
}

/** Bytes of answers read at once, as stored. The first answer of a page may be larger. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/**
 * Up to `limit` of the account's keys with an answer, ordered by family and key. A page ends early when its answers are
 * large; only an empty one is the last.
 */
export function findAnswers(
  accountId: RecordId,
  after: FamilyKey,
  limit: number,
  db: Database,
): Promise<AnsweredKey[]> {
  return db.rows<AnsweredKey>(
    `SELECT family, key, response, created_at FROM (
       SELECT *, sum(bytes) OVER (ORDER BY family, key) - bytes AS bytes_before FROM (
         SELECT family, idempotency_key AS key, response, created_at, pg_column_size(response) AS bytes
         FROM idempotency_keys
         WHERE account_id = $1 AND (family, idempotency_key) > ($2, $3) AND response IS NOT NULL
         ORDER BY family, idempotency_key LIMIT $4
       ) page
     ) sized
     WHERE bytes_before = 0 OR bytes_before + bytes <= $5
     ORDER BY family, key`,
    [accountId, after.family, after.key, limit, MAX_PAGE_BYTES],
  );
}

/** Replaces a key and its answer, unless they have changed since they were read. */
export async function replaceAnswer(
  accountId: RecordId,
  read: AnsweredKey,
  { key: idempotencyKey, response }: Pick<AnsweredKey, 'key' | 'response'>,
  db: Database,
): Promise<void> {
  const unchanged = { accountId, family: read.family, idempotencyKey: read.key, response: read.response };
  await db.manager.update(IdempotencyKey, unchanged, { idempotencyKey, response });
}

/** Deletes expired keys of all accounts and returns how many. Concurrent processes share the work. */
export function deleteExpiredKeys(limit: number, db: Database): Promise<number> {
  return db.affected(
    `DELETE FROM idempotency_keys WHERE (account_id, family, idempotency_key) IN (
       SELECT account_id, family, idempotency_key FROM idempotency_keys
       WHERE created_at <= now() - ${MAX_AGE} AND lease_until <= now()
       ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED
     )`,
    [limit],
  );
}
