import { DatabaseUnavailable } from './database-unavailable.js';

/**
 * SQLSTATEs of what passes: a server that is away, starting or full (08, 53, 57P, 58); conflicts that a second try resolves;
 * a statement that took too long (57014), waited too long for a lock (55P03) or whose transaction was left idle (25P03); and
 * a server that is read-only because another one has taken over (25006).
 */
const TRANSIENT = /^(?:08|53|57P|58|57014|55P03|25P03|25006|40001|40P01)/;
const CONFLICT = /^(?:40001|40P01)$/;
/** Conflicts, and waiting too long for a lock or in all: the server has rolled the statement back. */
const CONTENTION = /^(?:40001|40P01|55P03|57014)$/;
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;

/** What the operating system says of a connection that cannot be opened or has broken. */
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

/** How the drivers word it when there is no code: pg and its pool, TypeORM, ioredis. */
const BROKEN_CONNECTION =
  /^(?:connection terminated|timeout exceeded when trying to connect|timeout expired|query read timeout|connection is closed|client (?:has encountered a connection error|was closed) and is not queryable|query runner already released)/i;

type Fault = { code?: unknown; message?: unknown } | undefined;
/** What the driver threw, also where TypeORM has wrapped it. */
const causeOf = (error: unknown): Fault => ((error as { driverError?: unknown })?.driverError ?? error) as Fault;

function codeOf(error: unknown): string {
  const code = causeOf(error)?.code;
  return typeof code === 'string' ? code : '';
}

/**
 * Whether a statement failed for a reason that passes (the database is away, restarting, crowded or locked), so that the
 * same work is worth trying again. Its effect may or may not have been committed.
 */
export function isTransient(error: unknown): boolean {
  if (causeOf(error) instanceof DatabaseUnavailable) return true;
  const code = codeOf(error);
  if (SQLSTATE.test(code)) return TRANSIENT.test(code);
  return BROKEN_SOCKET.has(code) || BROKEN_CONNECTION.test(String(causeOf(error)?.message ?? ''));
}

/** Whether the database has resolved a conflict against a transaction: nothing of it was committed, a second try may be. */
export const isConflict = (error: unknown): boolean => CONFLICT.test(codeOf(error));

/** Whether a statement gave way to others that use the same rows: nothing of it was committed, and the database is there. */
export const isContention = (error: unknown): boolean => CONTENTION.test(codeOf(error));

/** What a caller may be told of an error that passes. */
export function transientReason(error: unknown): string {
  const cause = causeOf(error);
  if (cause instanceof DatabaseUnavailable) return cause.message;
  switch (codeOf(error)) {
    case '55P03':
      return 'a record that the request needs is in use by another one';
    case '57014':
      return 'the database took too long';
    case '40001':
    case '40P01':
      return 'the request met another one that changes the same records';
    default:
      return 'the database is out of reach';
  }
}
