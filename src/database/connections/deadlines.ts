/** Time limits for a connection's statements. */
export interface Deadlines {
  /** Milliseconds before the server cancels a statement; the client gives up {@link CLIENT_MARGIN_MS} later. */
  readonly statementMs: number;
  /** Milliseconds that a statement may wait for a lock. */
  readonly lockMs: number;
}

/** Control statements read single rows by key. */
export const CONTROL_DEADLINES: Deadlines = { statementMs: 2000, lockMs: 1000 };
/** A caller is waiting for the response. */
export const REQUEST_DEADLINES: Deadlines = { statementMs: 5000, lockMs: 2000 };
/**
 * Batches shared by all accounts take milliseconds; an account that hits a lock leaves the batch and waits by itself.
 */
export const PIPELINE_DEADLINES: Deadlines = { statementMs: 3000, lockMs: 250 };
/** Sweeps work on thousands of rows, and resume where they stopped. */
export const BACKGROUND_DEADLINES: Deadlines = { statementMs: 30_000, lockMs: 2000 };
export const QUEUE_DEADLINES: Deadlines = { statementMs: 10_000, lockMs: 5000 };
/** Statements of a transaction that writes up to 100,000 rows for one request, such as an import. */
export const BULK_STATEMENT_MS = 60_000;

/** How much longer the client waits than the server's limit, milliseconds, so that the response can arrive. */
export const CLIENT_MARGIN_MS = 1000;
/** How long a transaction may be idle before the server ends it, milliseconds. */
export const IDLE_IN_TRANSACTION_MS = 10_000;
/** How long a caller waits for a free or new connection, milliseconds. */
export const MAX_CONNECT_MS = 3000;

type Settings = readonly (readonly [name: string, value: string | number])[];

function deadlineSettings(deadlines: Deadlines | null): Settings {
  // Explicit zeros override timeouts that the role may have been given for a pooler.
  return [
    ['statement_timeout', deadlines?.statementMs ?? 0],
    ['lock_timeout', deadlines?.lockMs ?? 0],
    ['idle_in_transaction_session_timeout', deadlines === null ? 0 : IDLE_IN_TRANSACTION_MS],
  ];
}

/** Startup options for a direct connection to PostgreSQL. */
export const startupOptions = (deadlines: Deadlines | null, ...more: string[]): string =>
  [...deadlineSettings(deadlines).map(([name, value]) => `${name}=${value}`), ...more]
    .map((setting) => `-c ${setting}`)
    .join(' ');

/** The same deadlines as statements, for transactions behind a pooler, whose sessions are shared. */
export const localDeadlines = (deadlines: Deadlines): string =>
  deadlineSettings(deadlines)
    .map(([name, value]) => `SET LOCAL ${name} = ${value}`)
    .join('; ');
