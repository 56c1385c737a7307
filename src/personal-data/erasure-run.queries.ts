import type { ContactErasure } from '../contacts/erasure/contact-erasure.entity.js';
import type { SealedIdentity } from '../contacts/erasure/contact-erasure.queries.js';
import { lowestIdAt } from '../database/schema/partitions.js';
import type { Database, Tx } from '../database/unit-of-work.js';
import { HOUR } from '../values/clock.js';
import { NIL_ID, type RecordId } from '../values/record-id.js';
import type { ErasureRun } from './erasure-run.entity.js';

/** Accounts processed per sweep. */
const MAX_ACCOUNTS = 100;
/** Contacts per run; the rest wait for the next run. */
export const MAX_PEOPLE = 10_000;

/** Tolerance for clock differences between processes, whose clocks determine the ids of log entries, milliseconds. */
const CLOCK_SLACK_MS = HOUR;

const DUE_ERASURES = 'contact_erasures WHERE due_at <= now() AND NOT in_run';
const DUE_DEBTS = 'personal_data_debts WHERE due_at <= now()';
/** A look: whether any account has something to erase. */
export const DUE_ERASURE = `SELECT coalesce(
       (SELECT true FROM erasure_runs LIMIT 1),
       (SELECT true FROM ${DUE_ERASURES} ORDER BY account_id, due_at LIMIT 1),
       (SELECT true FROM ${DUE_DEBTS} ORDER BY account_id, due_at LIMIT 1))`;

/** Finds accounts with an erasure that is due or in progress, or that a source still owes. Pipeline statement: it covers all accounts. */
export async function findAccountsToErase(db: Database): Promise<string[]> {
  const rows = await db.rows<{ accountId: string }>(
    `SELECT account_id FROM erasure_runs
     UNION
     SELECT account_id FROM ${DUE_ERASURES}
     UNION
     SELECT account_id FROM ${DUE_DEBTS}
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
    `UPDATE contact_erasures SET in_run = true, is_unreadable = false
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

/**
 * Locks the next due erasures of an account that their last run could not decrypt, those not yet in a run. For two hours
 * after its request an erasure is left out: until then runs remove what was stored late and is found by contact.
 */
export function lockUnreadable(accountId: string, tx: Tx): Promise<SealedIdentity[]> {
  return tx.rows<SealedIdentity>(
    `SELECT contact_id, identity FROM contact_erasures
     WHERE account_id = $1 AND due_at <= now() AND NOT in_run AND is_unreadable AND identity IS NOT NULL
       AND requested_at < now() - interval '2 hours'
     ORDER BY due_at LIMIT ${MAX_PEOPLE} FOR UPDATE SKIP LOCKED`,
    [accountId],
  );
}

/** Puts off erasures by an hour. */
export async function postpone(accountId: string, contactIds: readonly RecordId[], tx: Tx): Promise<void> {
  await tx.affected(
    `UPDATE contact_erasures SET due_at = now() + interval '1 hour'
     WHERE account_id = $1 AND contact_id = ANY ($2::uuid[])`,
    [accountId, contactIds],
  );
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

/** Marks contacts in an account's run whose tokens this process cannot decrypt. */
export async function markUnreadable(accountId: string, contactIds: readonly RecordId[], tx: Tx): Promise<void> {
  await tx.affected(
    `UPDATE contact_erasures SET is_unreadable = true
     WHERE account_id = $1 AND contact_id = ANY ($2::uuid[]) AND in_run AND NOT is_unreadable`,
    [accountId, contactIds],
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
 * Ends a run. An erasure that a source of an extension still owes is not complete. A statement that began before the erasure may have stored data since, so a second pass follows five
 * minutes later, when all such statements have finished; after it the tokens are deleted too. Data that a process held
 * in memory while the database was away or a row was locked may be stored even later, so a third pass follows after an
 * hour. A contact whose tokens could not be decrypted has not completed its pass: it keeps them and comes again in an hour.
 */
export async function closeRun(accountId: string, tx: Tx): Promise<void> {
  await tx.affected(
    `UPDATE contact_erasures
     SET in_run = false, passes = passes + 1,
         identity = CASE passes WHEN 0 THEN identity END,
         cleared_at = CASE WHEN passes > 0 AND NOT EXISTS (SELECT FROM personal_data_debts d WHERE d.account_id = $1
                                                             AND d.contact_id = contact_erasures.contact_id)
                           THEN coalesce(cleared_at, now()) END,
         due_at = CASE passes WHEN 0 THEN greatest(now(), requested_at + interval '5 minutes')
                              WHEN 1 THEN greatest(now(), requested_at + interval '1 hour') END
     WHERE account_id = $1 AND in_run AND NOT is_unreadable`,
    [accountId],
  );
  await tx.affected(
    `UPDATE contact_erasures SET in_run = false, due_at = now() + interval '1 hour'
     WHERE account_id = $1 AND in_run`,
    [accountId],
  );
  await tx.affected('DELETE FROM erasure_runs WHERE account_id = $1', [accountId]);
}
