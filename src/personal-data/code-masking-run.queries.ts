import { lowestIdAt } from '../database/schema/partitions.js';
import type { Database, Tx } from '../database/unit-of-work.js';
import { HOUR } from '../values/clock.js';
import type { CodeMaskingRun } from './code-masking-run.entity.js';

/** Accounts processed per sweep. */
const MAX_ACCOUNTS = 100;

/** A look: whether the codes of any account are to be masked now. */
export const DUE_MASKING = 'SELECT true FROM code_masking_runs WHERE due_at <= now() LIMIT 1';

/** Accounts whose codes are to be masked now; none once all are done. Pipeline statement: it covers all accounts. */
export async function findAccountsToMask(db: Database): Promise<string[]> {
  const rows = await db.rows<{ accountId: string }>(
    `SELECT account_id FROM code_masking_runs WHERE due_at <= now() ORDER BY account_id LIMIT ${MAX_ACCOUNTS}`,
  );
  return rows.map(({ accountId }) => accountId);
}

/** Locks the run of an account until `tx` ends; null when it is not due, or another process has it. */
export function lockMaskingRun(accountId: string, tx: Tx): Promise<CodeMaskingRun | null> {
  return tx.row<CodeMaskingRun>(
    'SELECT * FROM code_masking_runs WHERE account_id = $1 AND due_at <= now() FOR UPDATE SKIP LOCKED',
    [accountId],
  );
}

/** Saves how far a run has got. */
export async function saveMaskingProgress(
  accountId: string,
  { step, position }: Pick<CodeMaskingRun, 'step' | 'position'>,
  tx: Tx,
): Promise<void> {
  await tx.affected('UPDATE code_masking_runs SET step = $2, position = $3 WHERE account_id = $1', [
    accountId,
    step,
    position,
  ]);
}

/**
 * Ends a pass. Processes of the release before may run for a while and store more, so a second pass follows an hour after
 * the migration, which reads only the messages since. After that the account is done, and its row is deleted.
 */
export async function endMaskingPass(
  { accountId, passes, startedAt }: CodeMaskingRun,
  firstStep: string,
  tx: Tx,
): Promise<void> {
  if (passes > 0) {
    await tx.affected('DELETE FROM code_masking_runs WHERE account_id = $1', [accountId]);
    return;
  }
  await tx.affected(
    `UPDATE code_masking_runs
     SET passes = 1, due_at = greatest(now(), started_at + interval '1 hour'), step = $2, position = $3
     WHERE account_id = $1`,
    [accountId, firstStep, secondPassFrom(startedAt)],
  );
}

/** An hour more than necessary: clocks of processes differ, and they decide the ids of messages. */
const secondPassFrom = (startedAt: Date): string => lowestIdAt(new Date(startedAt.getTime() - HOUR));
