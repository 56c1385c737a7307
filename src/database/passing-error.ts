/** SQLSTATEs of a server that is away, starting or full, and of conflicts that a second try resolves. */
const PASSING = /^(?:08|53|57P|58|40001|40P01|25006)/;
/** How the driver and the pool word it when there is no SQLSTATE. */
const BROKEN_CONNECTION = /connection|terminated|timeout|not queryable/i;

/**
 * Whether a statement failed for a reason that passes (the database is away, restarting, or resolved a deadlock against
 * us), so that the same work is worth trying again. Its effect may or may not have been committed.
 */
export function isPassing(error: unknown): boolean {
  const fault = ((error as { driverError?: unknown })?.driverError ?? error) as { code?: unknown; message?: unknown };
  const code = typeof fault?.code === 'string' ? fault.code : '';
  // EPIPE has five characters too.
  if (/^[0-9A-Z]{5}$/.test(code) && /\d/.test(code)) return PASSING.test(code);
  return /^E[A-Z_]+$/.test(code) || BROKEN_CONNECTION.test(String(fault?.message ?? ''));
}
