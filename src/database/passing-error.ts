/** SQLSTATEs of a server that is away, starting or full, and of conflicts that a second try resolves. */
const PASSING = /^(?:08|53|57P|58|40001|40P01|25006)/;
const CONFLICT = /^(?:40001|40P01)$/;
/** How the driver and the pool word it when there is no SQLSTATE. */
const BROKEN_CONNECTION = /connection|terminated|timeout|not queryable/i;

type Fault = { code?: unknown; message?: unknown } | undefined;
/** What the driver threw, also where TypeORM has wrapped it. */
const causeOf = (error: unknown): Fault => ((error as { driverError?: unknown })?.driverError ?? error) as Fault;

function codeOf(error: unknown): string {
  const code = causeOf(error)?.code;
  return typeof code === 'string' ? code : '';
}

/**
 * Whether a statement failed for a reason that passes (the database is away, restarting, or resolved a deadlock against
 * us), so that the same work is worth trying again. Its effect may or may not have been committed.
 */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  // EPIPE has five characters too.
  if (/^[0-9A-Z]{5}$/.test(code) && /\d/.test(code)) return PASSING.test(code);
  return /^E[A-Z_]+$/.test(code) || BROKEN_CONNECTION.test(String(causeOf(error)?.message ?? ''));
}

/** Whether the database has resolved a conflict against a transaction: nothing of it was committed, a second try may be. */
export const isConflict = (error: unknown): boolean => CONFLICT.test(codeOf(error));
