import { SQLSTATE, sqlStateOf } from './sqlstate.js';

function violated(error: unknown, sqlState: string): string | null {
  if (sqlStateOf(error) !== sqlState) return null;
  const fault = (error as { driverError?: unknown }).driverError ?? error;
  return (fault as { constraint?: string }).constraint ?? null;
}

/** The name of the unique constraint that `error` violated, or null. Query files map it to an error of the catalog. */
export const violatedUniqueConstraint = (error: unknown): string | null => violated(error, SQLSTATE.uniqueViolation);

/** The name of the foreign key that `error` violated, or null. */
export const violatedForeignKey = (error: unknown): string | null => violated(error, SQLSTATE.foreignKeyViolation);
