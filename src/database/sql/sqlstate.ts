/** PostgreSQL's codes of the errors that Parley tells apart. */
export const SQLSTATE = {
  idleInTransactionTimeout: '25P03',
  serializationFailure: '40001',
  deadlockDetected: '40P01',
  foreignKeyViolation: '23503',
  uniqueViolation: '23505',
  checkViolation: '23514',
  undefinedTable: '42P01',
  undefinedColumn: '42703',
  datatypeMismatch: '42804',
  lockNotAvailable: '55P03',
  queryCanceled: '57014',
} as const;

interface DriverError {
  readonly code?: unknown;
}

/** The SQLSTATE of an error of pg, or of TypeORM's error around it; empty for any other error. */
export function sqlStateOf(error: unknown): string {
  const fault = ((error as { driverError?: unknown } | null)?.driverError ?? error) as DriverError | null | undefined;
  return typeof fault?.code === 'string' && CODE.test(fault.code) ? fault.code : '';
}

/** Five capitals and digits with at least one digit: codes of the operating system, such as EPIPE, have none. */
const CODE = /^(?=.*\d)[0-9A-Z]{5}$/;
