import type { ContactErasure } from '../contacts/erasure/contact-erasure.entity.js';
import { lowestIdAt } from '../database/schema/partitions.js';
import type { Tx } from '../database/unit-of-work.js';
import { HOUR } from '../values/clock.js';
import { NIL_ID } from '../values/record-id.js';
import type { ErasureRun } from './erasure-run.entity.js';

/** Accounts processed per sweep. */
const MAX_ACCOUNTS = 100;
/** Contacts per run; the rest wait for the next run. */
const MAX_PEOPLE = 10_000;

/** Tolerance for clock differences between processes, whose clocks determine the ids of log entries, milliseconds. */
const CLOCK_SLACK_MS = HOUR;

/** Finds accounts with an erasure that is due or in progress. Pipeline statement: it covers all accounts. */
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
 * Opens a run for an account's due erasures, unless one is open. The first pass for a contact scans the whole event
 * log; later passes only scan what has been logged since the erasure was requested.
 */
export async function openRun(accountId: string, firstStep: string, tx: Tx): Promise<void> {
  const opened = await tx.affected(
    `INSERT INTO erasure_runs (account_id, log_from, step) VALUES ($1, $2, $3)
     ON CONFLICT ON CONSTRAINT erasure_runs_pkey DO NOTHING`,
    [accountId, NIL_ID, firstStep],
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

/** Locks the run of an account until `tx` ends; null when there is none, or another process has it. */
export function lockRun(accountId: string, tx: Tx): Promise<ErasureRun | null> {
  return tx.row<ErasureRun>('SELECT * FROM erasure_runs WHERE account_id = $1 FOR UPDATE SKIP LOCKED', [accountId]);
}

/** The contacts in an account's run with their encrypted tokens, sorted by id. */
export function findPeople(accountId: string, tx: Tx): Promise<Pick<ContactErasure, 'contactId' | 'identity'>[]> {
  return tx.rows(
    'SELECT contact_id, identity FROM contact_erasures WHERE account_id = $1 AND in_run ORDER BY contact_id',
    [accountId],
  );
}

/** Saves how far a run has got. */
export async function saveRunProgress(accountId: string, step: string, position: string | null, tx: Tx): Promise<void> {
  await tx.affected('UPDATE erasure_runs SET step = $2, position = $3 WHERE account_id = $1', [
    accountId,
    step,
    position,
  ]);
}

/**
 * Ends a run. A statement that began before the erasure may have stored data since, so a second pass follows five
 * minutes later, when all such statements have finished; after it the tokens are deleted too. Data that a process held
 * in memory while the database was away or a row was locked may be stored even later, so a third pass follows after an
 * hour.
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
