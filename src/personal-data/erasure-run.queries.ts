import type { ContactErasure } from '../contacts/erasure/contact-erasure.entity.js';
import { lowestIdAt } from '../database/schema/partitions.js';
import type { Tx } from '../database/unit-of-work.js';
import { HOUR } from '../values/clock.js';
import type { RecordId } from '../values/record-id.js';
import type { ErasureRun } from './erasure-run.entity.js';

/** Accounts that are worked on in one round of the sweep. */
const MAX_ACCOUNTS = 100;
/** People whom one run is about; the others are the next one's. */
const MAX_PEOPLE = 10_000;

/** Comes before every id. */
export const FIRST_ID: RecordId = '00000000-0000-0000-0000-000000000000';
/**
 * How much earlier than its request an erasure may have been preceded by a log entry with a later id: clocks differ.
 */
const CLOCK_SLACK_MS = HOUR;

/** Accounts with an erasure that is due, or under way. A pipeline statement: it serves all accounts. */
export async function findAccountsToErase(tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ accountId: string }>(
    `SELECT account_id FROM erasure_runs
     UNION
     SELECT account_id FROM contact_erasures WHERE due_at <= now() AND NOT in_run
     ORDER BY account_id LIMIT ${MAX_ACCOUNTS}`,
  );
  return rows.map(({ accountId }) => accountId);
}

/**
 * Opens a run for the erasures of an account that are due, unless one is open. Who is erased for the first time is
 * looked for in the whole log of events; later only what was logged since can still tell of them.
 */
export async function openRun(accountId: string, firstStep: string, tx: Tx): Promise<void> {
  const opened = await tx.affected(
    `INSERT INTO erasure_runs (account_id, log_from, step) VALUES ($1, $2, $3)
     ON CONFLICT ON CONSTRAINT erasure_runs_pkey DO NOTHING`,
    [accountId, FIRST_ID, firstStep],
  );
  if (opened === 0) return;
  const taken = await tx.rows<Pick<ContactErasure, 'passes' | 'requestedAt'>>(
    `UPDATE contact_erasures SET in_run = true
     WHERE account_id = $1 AND contact_id = ANY (ARRAY(
       SELECT contact_id FROM contact_erasures WHERE account_id = $1 AND due_at <= now() AND NOT in_run
       ORDER BY due_at LIMIT ${MAX_PEOPLE} FOR UPDATE))
     RETURNING passes, requested_at`,
    [accountId],
  );
  if (taken.length === 0) {
    await tx.affected('DELETE FROM erasure_runs WHERE account_id = $1', [accountId]);
  } else if (taken.every(({ passes }) => passes > 0)) {
    const earliest = Math.min(...taken.map(({ requestedAt }) => requestedAt.getTime()));
    const logFrom = lowestIdAt(new Date(earliest - CLOCK_SLACK_MS));
    await tx.affected('UPDATE erasure_runs SET log_from = $2 WHERE account_id = $1', [accountId, logFrom]);
  }
}

/** The run of an account, held until the end of `tx`; null when there is none, and when another process holds it. */
export function lockRun(accountId: string, tx: Tx): Promise<ErasureRun | null> {
  return tx.row<ErasureRun>('SELECT * FROM erasure_runs WHERE account_id = $1 FOR UPDATE SKIP LOCKED', [accountId]);
}

/** The contacts that the run of an account is about, in the order of their ids, each with what it is found by. */
export function findPeople(accountId: string, tx: Tx): Promise<Pick<ContactErasure, 'contactId' | 'identity'>[]> {
  return tx.rows(
    'SELECT contact_id, identity FROM contact_erasures WHERE account_id = $1 AND in_run ORDER BY contact_id',
    [accountId],
  );
}

/** Notes how far a run has come. */
export async function saveRunProgress(accountId: string, step: string, position: string | null, tx: Tx): Promise<void> {
  await tx.affected('UPDATE erasure_runs SET step = $2, position = $3 WHERE account_id = $1', [
    accountId,
    step,
    position,
  ]);
}

/**
 * Ends a run. Statements that began before a contact was erased may have stored something about it since, so all is
 * gone through once more after five minutes, when they are over; then what the contact was found by goes too. What a
 * process kept in memory while the database was away or a row was locked may be stored even later, and is looked for
 * after an hour.
 */
export async function closeRun(accountId: string, tx: Tx): Promise<void> {
  await tx.affected(
    `UPDATE contact_erasures
     SET in_run = false, passes = passes + 1,
         identity = CASE passes WHEN 0 THEN identity END,
         cleared_at = CASE passes WHEN 0 THEN NULL ELSE coalesce(cleared_at, now()) END,
         due_at = CASE passes WHEN 0 THEN greatest(now(), requested_at + interval '5 minutes')
                              WHEN 1 THEN greatest(now(), requested_at + interval '1 hour') END
     WHERE account_id = $1 AND in_run`,
    [accountId],
  );
  await tx.affected('DELETE FROM erasure_runs WHERE account_id = $1', [accountId]);
}
