/** How long the statements of a connection may take. */
export interface Deadlines {
  /** Milliseconds until the server cancels a statement; the client gives up {@link CLIENT_MARGIN_MS} later. */
  readonly statementMs: number;
  /** Milliseconds that a statement waits for a lock. */
  readonly lockMs: number;
}

/** Control statements read one row by its key. */
export const CONTROL_DEADLINES: Deadlines = { statementMs: 2000, lockMs: 1000 };
/** Somebody waits for the answer. */
export const REQUEST_DEADLINES: Deadlines = { statementMs: 5000, lockMs: 2000 };
/** Batches of all accounts take milliseconds; whoever meets a lock leaves them and waits by itself. */
export const PIPELINE_DEADLINES: Deadlines = { statementMs: 3000, lockMs: 250 };
/** Sweeps work on thousands of rows and are done again where they stopped. */
export const BACKGROUND_DEADLINES: Deadlines = { statementMs: 30_000, lockMs: 2000 };
export const QUEUE_DEADLINES: Deadlines = { statementMs: 10_000, lockMs: 5000 };
/** Statements of a transaction that writes up to 100,000 rows for one request, such as an import. */
export const BULK_STATEMENT_MS = 60_000;

/** How much longer the client waits than the server works: time for the answer to arrive. */
export const CLIENT_MARGIN_MS = 1000;
/** How long a transaction may do nothing before the server ends it, milliseconds. */
export const IDLE_IN_TRANSACTION_MS = 10_000;
/** How long anybody waits for a connection, be it a free one or a new one, milliseconds. */
export const MAX_CONNECT_MS = 3000;

type Settings = readonly (readonly [name: string, value: string | number])[];

function deadlineSettings(deadlines: Deadlines | null): Settings {
  // Without deadlines of our own, those that the role may have for the sake of a pooler do not count either.
  return [
    ['statement_timeout', deadlines?.statementMs ?? 0],
    ['lock_timeout', deadlines?.lockMs ?? 0],
    ['idle_in_transaction_session_timeout', deadlines === null ? 0 : IDLE_IN_TRANSACTION_MS],
  ];
}

/** Start-up options of a connection that goes to PostgreSQL itself. */
export const startupOptions = (deadlines: Deadlines | null, ...more: string[]): string =>
  [...deadlineSettings(deadlines).map(([name, value]) => `${name}=${value}`), ...more]
    .map((setting) => `-c ${setting}`)
    .join(' ');

/** The same as statements, for a transaction behind a pooler, whose sessions belong to nobody. */
export const localDeadlines = (deadlines: Deadlines): string =>
  deadlineSettings(deadlines)
    .map(([name, value]) => `SET LOCAL ${name} = ${value}`)
    .join('; ');
