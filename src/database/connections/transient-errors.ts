import { SQLSTATE, sqlStateOf } from '../sql/sqlstate.js';
import { DatabaseUnavailable } from './database-unavailable.js';

/**
 * SQLSTATEs of transient errors: a server that is down, starting or out of resources (08, 53, 57P, 58); conflicts that
 * a retry resolves (40001, 40P01); a statement timeout (57014), lock timeout (55P03) or idle transaction timeout
 * (25P03); and a server that is read-only after a failover (25006).
 */
const TRANSIENT = /^(?:08|53|57P|58|57014|55P03|25P03|25006|40001|40P01)/;
const CONFLICT = /^(?:40001|40P01)$/;
/** Conflicts, lock timeouts and statement timeouts: the server has rolled the statement back. */
const CONTENTION = /^(?:40001|40P01|55P03|57014)$/;

/** Operating system errors of a connection that cannot be opened or broke. */
const BROKEN_SOCKET: ReadonlySet<string> = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Messages of errors without a code, from pg and its pool, TypeORM and ioredis. */
const BROKEN_CONNECTION =
  /^(?:connection terminated|timeout exceeded when trying to connect|timeout expired|query read timeout|connection is closed|client (?:has encountered a connection error|was closed) and is not queryable|query runner already released)/i;

type Fault = { code?: unknown; message?: unknown } | undefined;
/** The driver's error, unwrapped from TypeORM's. */
const causeOf = (error: unknown): Fault => ((error as { driverError?: unknown })?.driverError ?? error) as Fault;

/**
 * Whether a statement failed for a transient reason (the database is down, restarting or overloaded, or a row is
 * locked), so that a retry is worthwhile. It may or may not have been committed.
 */
export function isTransient(error: unknown): boolean {
  if (causeOf(error) instanceof DatabaseUnavailable) return true;
  const state = sqlStateOf(error);
  if (state !== '') return TRANSIENT.test(state);
  return (
    BROKEN_SOCKET.has(String(causeOf(error)?.code)) || BROKEN_CONNECTION.test(String(causeOf(error)?.message ?? ''))
  );
}

/**
 * Whether the database rolled back a transaction because of a conflict; nothing was committed, and a retry may succeed.
 */
export const isConflict = (error: unknown): boolean => CONFLICT.test(sqlStateOf(error));

/** Whether a statement lost against others that use the same rows; nothing was committed, and the database is up. */
export const isContention = (error: unknown): boolean => CONTENTION.test(sqlStateOf(error));

/** Describes a transient error to API callers. */
export function transientReason(error: unknown): string {
  const cause = causeOf(error);
  if (cause instanceof DatabaseUnavailable) return cause.message;
  switch (sqlStateOf(error)) {
    case SQLSTATE.lockNotAvailable:
      return 'another request is using a record that this one needs';
    case SQLSTATE.queryCanceled:
      return 'the database took too long';
    case SQLSTATE.serializationFailure:
    case SQLSTATE.deadlockDetected:
      return 'another request was changing the same records';
    default:
      return 'the database is unreachable';
  }
}
