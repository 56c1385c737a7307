import { ADVISORY_LOCK } from '../database/sql/advisory-locks.js';
import type { Database, Tx } from '../database/unit-of-work.js';
import { NIL_ID, type RecordId } from '../values/record-id.js';

/** Identifies one counter. */
export interface CounterKey {
  readonly accountId: RecordId;
  readonly counter: string;
  readonly subjectId: RecordId;
}

/** A look: whether any counter has changes to fold. */
export const UNFOLDED_CHANGE = 'SELECT true FROM counter_changes ORDER BY account_id, counter, subject_id LIMIT 1';

/** Counters of all accounts with changes to fold, after `last` in key order. */
export function findChangedCounters(last: CounterKey | null, limit: number, db: Database): Promise<CounterKey[]> {
  return db.rows<CounterKey>(
    `SELECT DISTINCT account_id, counter, subject_id FROM counter_changes
     WHERE (account_id, counter, subject_id) > ($1, $2, $3)
     ORDER BY account_id, counter, subject_id LIMIT $4`,
    [last?.accountId ?? NIL_ID, last?.counter ?? '', last?.subjectId ?? NIL_ID, limit],
  );
}

/** Takes the folding lock until the transaction ends. False when another transaction has it. */
export async function lockFolding(tx: Tx): Promise<boolean> {
  const row = await tx.row<{ locked: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS locked', [
    ADVISORY_LOCK.foldingCounters,
  ]);
  return row?.locked === true;
}

/** Inserts missing counters. Existing ones are not touched, so this never waits for their locks. */
export async function ensureCounters(keys: readonly CounterKey[], tx: Tx): Promise<void> {
  await tx.affected(
    `INSERT INTO counters (account_id, counter, subject_id, amount)
     SELECT k.account_id, k.counter, k.subject_id, 0
     FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS k (account_id, counter, subject_id)
     WHERE NOT EXISTS (
       SELECT FROM counters c
       WHERE c.account_id = k.account_id AND c.counter = k.counter AND c.subject_id = k.subject_id)
     ORDER BY k.account_id, k.counter, k.subject_id
     ON CONFLICT ON CONSTRAINT counters_pkey DO NOTHING`,
    columnsOf(keys),
  );
}

/**
 * Folds up to `limit` changes into their counters. Locked counters keep their changes; counters that reach zero are
 * deleted.
 *
 * @returns the number of changes folded
 */
export async function foldChanges(keys: readonly CounterKey[], limit: number, tx: Tx): Promise<number> {
  const row = await tx.row<{ folded: number }>(
    `WITH locked AS MATERIALIZED (
       SELECT c.account_id, c.counter, c.subject_id, c.amount
       FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS k (account_id, counter, subject_id)
       JOIN counters c ON c.account_id = k.account_id AND c.counter = k.counter AND c.subject_id = k.subject_id
       ORDER BY c.account_id, c.counter, c.subject_id
       FOR UPDATE OF c SKIP LOCKED
     ), taken AS MATERIALIZED (
       SELECT h.account_id, h.counter, h.subject_id, h.id
       FROM locked l
       JOIN counter_changes h ON h.account_id = l.account_id AND h.counter = l.counter AND h.subject_id = l.subject_id
       LIMIT $4
     ), folded AS (
       DELETE FROM counter_changes h USING taken t
       WHERE h.account_id = t.account_id AND h.counter = t.counter AND h.subject_id = t.subject_id AND h.id = t.id
       RETURNING h.account_id, h.counter, h.subject_id, h.amount
     ), result AS MATERIALIZED (
       SELECT account_id, counter, subject_id, sum(amount) AS amount
       FROM (SELECT * FROM locked UNION ALL SELECT * FROM folded) part
       GROUP BY account_id, counter, subject_id
     ), kept AS (
       UPDATE counters c SET amount = r.amount FROM result r
       WHERE c.account_id = r.account_id AND c.counter = r.counter AND c.subject_id = r.subject_id
         AND r.amount <> 0 AND r.amount <> c.amount
     ), ended AS (
       DELETE FROM counters c USING result r
       WHERE c.account_id = r.account_id AND c.counter = r.counter AND c.subject_id = r.subject_id AND r.amount = 0
     )
     SELECT count(*) AS folded FROM folded`,
    [...columnsOf(keys), limit],
  );
  return row?.folded ?? 0;
}

const columnsOf = (keys: readonly CounterKey[]): unknown[] => [
  keys.map(({ accountId }) => accountId),
  keys.map(({ counter }) => counter),
  keys.map(({ subjectId }) => subjectId),
];
