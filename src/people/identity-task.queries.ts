import type { Database, Tx } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';
import type { IdentityTask } from './identity-task.entity.js';

/** What identifies a task. */
export type TaskKey = Pick<IdentityTask, 'accountId' | 'contactId' | 'kind'>;

/** Accounts that a sweep works for in one run. */
const MAX_ACCOUNTS = 100;

/** Has a sweep move whatever a merge left at the merged contact, soon: what others were just storing comes along. */
export async function expectHistory(accountId: string, contactId: RecordId, tx: Tx): Promise<void> {
  await tx.affected(
    `INSERT INTO identity_tasks (account_id, contact_id, kind, due_at) VALUES ($1, $2, 'history', now() + interval '2 seconds')
     ON CONFLICT ON CONSTRAINT identity_tasks_pkey DO NOTHING`,
    [accountId, contactId],
  );
}

/** Has the sweep move now what was stored for a merged contact. */
export async function hastenHistory(accountId: string, contactId: RecordId, db: Database): Promise<void> {
  await db.affected(
    `INSERT INTO identity_tasks AS t (account_id, contact_id, kind) VALUES ($1, $2, 'history')
     ON CONFLICT ON CONSTRAINT identity_tasks_pkey DO UPDATE SET due_at = least(t.due_at, now()), below = NULL`,
    [accountId, contactId],
  );
}

/**
 * Ends the task of a history that has moved. A statement that began before the merge may store something for the merged
 * contact yet, so that is looked for again after five minutes, when all such statements have ended.
 */
export async function settleHistory({ accountId, contactId }: TaskKey, tx: Tx): Promise<void> {
  await tx.affected(
    `WITH moved AS (
       DELETE FROM identity_tasks WHERE account_id = $1 AND contact_id = $2 AND kind = 'history' RETURNING account_id, contact_id
     )
     INSERT INTO identity_tasks (account_id, contact_id, kind, due_at)
     SELECT account_id, contact_id, 'stragglers', now() + interval '5 minutes' FROM moved
     ON CONFLICT ON CONSTRAINT identity_tasks_pkey DO NOTHING`,
    [accountId, contactId],
  );
}

/** A look: whether any account has something to do now. */
export const DUE_TASK = 'SELECT true FROM identity_tasks WHERE due_at <= now() ORDER BY account_id, due_at LIMIT 1';

/** Finds accounts with something to do now. Pipeline statement: it covers all accounts. */
export async function findAccountsWithTasks(db: Database): Promise<string[]> {
  const rows = await db.rows<{ accountId: string }>(
    `SELECT DISTINCT account_id FROM identity_tasks WHERE due_at <= now() ORDER BY account_id LIMIT ${MAX_ACCOUNTS}`,
  );
  return rows.map(({ accountId }) => accountId);
}

/** Locks the next task of an account that is due and that no other process has; null when there is none. */
export function lockTask(accountId: string, tx: Tx): Promise<IdentityTask | null> {
  return tx.row<IdentityTask>(
    `SELECT * FROM identity_tasks WHERE account_id = $1 AND due_at <= now()
     ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
    [accountId],
  );
}

export async function dropTask({ accountId, contactId, kind }: TaskKey, tx: Tx): Promise<void> {
  await tx.affected('DELETE FROM identity_tasks WHERE account_id = $1 AND contact_id = $2 AND kind = $3', [
    accountId,
    contactId,
    kind,
  ]);
}

/** Saves how far down a history has moved. @param below its messages with lower ids are still to be moved */
export async function saveTaskProgress(
  { accountId, contactId, kind }: TaskKey,
  below: RecordId,
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `UPDATE identity_tasks SET below = $4, retries = 0, due_at = now()
     WHERE account_id = $1 AND contact_id = $2 AND kind = $3`,
    [accountId, contactId, kind, below],
  );
}

/** Puts off a task that failed: by a second, then twice as long each time, up to an hour. */
export async function postponeTask({ accountId, contactId, kind }: TaskKey, db: Database): Promise<void> {
  await db.affected(
    `UPDATE identity_tasks
     SET retries = retries + 1, due_at = now() + least(2.0 ^ least(retries, 12), 3600) * interval '1 second'
     WHERE account_id = $1 AND contact_id = $2 AND kind = $3`,
    [accountId, contactId, kind],
  );
}
