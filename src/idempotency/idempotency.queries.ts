import { createHash } from 'node:crypto';
import { type FindOptionsWhere, In, IsNull } from 'typeorm';
import type { Tx } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';
import { IdempotencyKey } from './idempotency-key.entity.js';

/** An idempotency key of one account. Keys of different families never meet. */
export interface FamilyKey {
  /** The family of API keys: a key and those it was rotated into. */
  readonly family: RecordId;
  readonly key: string;
}

/** A request that wants a key. */
export interface Claimant {
  /** Names the request: only the owner of a key changes it. */
  readonly owner: RecordId;
  readonly fingerprint: Buffer;
  readonly leaseMs: number;
}

/** Keys older than this count as absent. */
const OLD = `interval '24 hours'`;

/** The key while this owner is at work on it. */
const held = (accountId: RecordId, { family, key }: FamilyKey, owner: RecordId): FindOptionsWhere<IdempotencyKey> => ({
  accountId,
  family,
  idempotencyKey: key,
  owner,
  statusCode: IsNull(),
});

/** What a key is called once somebody was erased whom its name told of: callers put numbers into names, for example. */
export const erasedName = (key: string): string => `erased:${createHash('sha256').update(key).digest('hex')}`;

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
): Promise<Pick<IdempotencyKey, 'recordId'> | null> {
  return tx.row(
    `INSERT INTO idempotency_keys AS k (account_id, family, idempotency_key, fingerprint, owner, lease_until)
     SELECT $1::uuid, $2::uuid, $3, $4::bytea, $5::uuid, now() + $6 * interval '1 millisecond'
     WHERE NOT EXISTS (SELECT FROM idempotency_keys e
                       WHERE e.account_id = $1 AND e.family = $2 AND e.idempotency_key = $7
                         AND e.created_at > now() - ${OLD})
     ON CONFLICT ON CONSTRAINT idempotency_keys_pkey DO UPDATE
     SET fingerprint = excluded.fingerprint, owner = excluded.owner, lease_until = excluded.lease_until,
         status_code = NULL, response = NULL,
         record_id = CASE WHEN k.created_at > now() - ${OLD} THEN k.record_id END,
         created_at = CASE WHEN k.created_at > now() - ${OLD} THEN k.created_at ELSE now() END
     WHERE k.lease_until <= now()
       AND (k.created_at <= now() - ${OLD} OR (k.status_code IS NULL AND k.fingerprint = excluded.fingerprint))
     RETURNING record_id`,
    [accountId, family, key, fingerprint, owner, leaseMs, erasedName(key)],
  );
}

/** A key that is taken, with its answer once there is one. */
export function findKey(accountId: RecordId, { family, key }: FamilyKey, tx: Tx): Promise<IdempotencyKey | null> {
  return tx.manager.findOneBy(IdempotencyKey, { accountId, family, idempotencyKey: In([key, erasedName(key)]) });
}

/** Extends the owner's lease; false when another owner has the key. */
export async function renewLease(
  accountId: RecordId,
  { family, key }: FamilyKey,
  { owner, leaseMs }: Omit<Claimant, 'fingerprint'>,
  tx: Tx,
): Promise<boolean> {
  const renewed = await tx.affected(
    `UPDATE idempotency_keys SET lease_until = now() + $5 * interval '1 millisecond'
     WHERE account_id = $1 AND family = $2 AND idempotency_key = $3 AND owner = $4 AND status_code IS NULL`,
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
  key: FamilyKey,
  owner: RecordId,
  { status, response }: { status: number; response: string },
  tx: Tx,
): Promise<void> {
  const leaseUntil = () => 'now()';
  await tx.manager.update(IdempotencyKey, held(accountId, key, owner), { statusCode: status, response, leaseUntil });
}

/**
 * Gives the key back unused.
 *
 * @param withRecord also when a record was made with it; else such a key stays, and so does its lease
 */
export async function dropKey(
  accountId: RecordId,
  key: FamilyKey,
  owner: RecordId,
  withRecord: boolean,
  tx: Tx,
): Promise<boolean> {
  const unused = { ...held(accountId, key, owner), ...(!withRecord && { recordId: IsNull() }) };
  const { affected } = await tx.manager.delete(IdempotencyKey, unused);
  return affected === 1;
}

/** Ends the owner's lease at once, as if the owner had died. */
export async function endLease(accountId: RecordId, key: FamilyKey, owner: RecordId, tx: Tx): Promise<void> {
  await tx.manager.update(IdempotencyKey, held(accountId, key, owner), { leaseUntil: () => 'now()' });
}

/** A key with its answer, sealed. */
export interface AnsweredKey extends FamilyKey {
  readonly response: string;
}

/** Up to `limit` keys of an account that have an answer, in the order of their families and names. */
export function findAnswers(accountId: RecordId, after: FamilyKey, limit: number, tx: Tx): Promise<AnsweredKey[]> {
  return tx.rows<AnsweredKey>(
    `SELECT family, idempotency_key AS key, response FROM idempotency_keys
     WHERE account_id = $1 AND (family, idempotency_key) > ($2, $3) AND response IS NOT NULL
     ORDER BY family, idempotency_key LIMIT $4`,
    [accountId, after.family, after.key, limit],
  );
}

/** Puts another name and answer in place of those that were read, unless they have changed meanwhile. */
export async function replaceAnswer(
  accountId: RecordId,
  read: AnsweredKey,
  { key: idempotencyKey, response }: Omit<AnsweredKey, 'family'>,
  tx: Tx,
): Promise<void> {
  const unchanged = { accountId, family: read.family, idempotencyKey: read.key, response: read.response };
  await tx.manager.update(IdempotencyKey, unchanged, { idempotencyKey, response });
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
