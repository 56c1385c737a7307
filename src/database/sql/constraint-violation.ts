/** PostgreSQL's code for a broken unique constraint. */
const UNIQUE_VIOLATION = '23505';
/** PostgreSQL's code for a reference to a row that does not exist. */
const FOREIGN_KEY_VIOLATION = '23503';

const violated = (error: unknown, code: string): string | null => {
  const fault = (error as { driverError?: unknown })?.driverError ?? error;
  const { code: found, constraint } = (fault ?? {}) as { code?: string; constraint?: string };
  return found === code ? (constraint ?? null) : null;
};

/** The name of the unique constraint that `error` broke, or null. Query files map it to an error of the catalog. */
export const violatedUniqueConstraint = (error: unknown): string | null => violated(error, UNIQUE_VIOLATION);

/** The name of the foreign key that `error` broke, or null. */
export const violatedForeignKey = (error: unknown): string | null => violated(error, FOREIGN_KEY_VIOLATION);
