/** SQLSTATE of a unique violation. */
const UNIQUE_VIOLATION = '23505';
/** SQLSTATE of a foreign key violation. */
const FOREIGN_KEY_VIOLATION = '23503';

const violated = (error: unknown, code: string): string | null => {
  const fault = (error as { driverError?: unknown })?.driverError ?? error;
  const { code: found, constraint } = (fault ?? {}) as { code?: string; constraint?: string };
  return found === code ? (constraint ?? null) : null;
};

/** The name of the unique constraint that `error` violated, or null. Query files map it to an error of the catalog. */
export const violatedUniqueConstraint = (error: unknown): string | null => violated(error, UNIQUE_VIOLATION);

/** The name of the foreign key that `error` violated, or null. */
export const violatedForeignKey = (error: unknown): string | null => violated(error, FOREIGN_KEY_VIOLATION);
