import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { StartupError } from '../../config/start-failure.js';
import { syncClock } from '../../values/clock.js';
import { NO_PRUNING_SINCE } from '../connections/partition-pruning.js';
import { isTransient } from '../connections/transient-errors.js';
import { CORE_LEDGER, type Ledger, namesIn } from './ledgers.js';

/** The oldest supported PostgreSQL. */
const MIN_MAJOR_VERSION = 16;

/** How long startup waits for an unresponsive database, and how often it retries, milliseconds. */
const START_TIMEOUT_MS = 30_000;
const TRY_EVERY_MS = 500;
/** Timeout of one try, milliseconds. */
const TRY_TIMEOUT_MS = 5000;

/**
 * A server's version, whether it prunes partitions for this role by default, and the migrations that are known and
 * applied; `applied` is null when there is no schema at all.
 */
export interface DatabaseState {
  readonly version: string;
  readonly majorVersion: number;
  readonly prunesFor: string | null;
  readonly known: readonly string[];
  readonly applied: readonly string[] | null;
}

interface Queryable {
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}

/** Reads the server version and applied migrations, and syncs this process's clock to the server. */
export async function readDatabaseState(connection: Queryable, ledgers: readonly Ledger[]): Promise<DatabaseState> {
  const askedAt = performance.now();
  const { rows } = await connection.query<{
    number: string;
    version: string;
    prunesFor: string | null;
    tables: string[];
    at: Date;
  }>(
    `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS version,
            CASE WHEN current_setting('enable_partition_pruning')::boolean THEN quote_ident(current_user) END AS "prunesFor",
            ARRAY(SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NOT NULL) AS tables,
            clock_timestamp() AS at`,
    [ledgers.map(({ table }) => table)],
  );
  const [server] = rows;
  if (server === undefined) throw new Error('the database did not report its version');
  syncClock(server.at, askedAt);
  const { number, version, prunesFor, tables } = server;
  const majorVersion = Math.floor(Number(number) / 10_000);
  const state = { version, majorVersion, prunesFor, known: namesIn(ledgers) };
  if (!tables.includes(CORE_LEDGER.table)) return { ...state, applied: null };
  const applied: string[] = [];
  for (const { table, name } of ledgers.filter((ledger) => tables.includes(ledger.table))) {
    const ran = await connection.query<{ name: string }>(`SELECT name FROM ${table}`);
    applied.push(...ran.rows.map((row) => name(row.name)));
  }
  return { ...state, applied };
}

/**
 * Refuses a server that is too old, and a schema from a newer release, which this one would misinterpret.
 *
 * @throws StartupError with one line
 */
export function requireSupported({ version, majorVersion, known, applied }: DatabaseState): void {
  if (majorVersion < MIN_MAJOR_VERSION) {
    throw new StartupError(`Parley needs PostgreSQL ${MIN_MAJOR_VERSION} or newer; this server is ${version}.`);
  }
  const unknown = (applied ?? []).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new StartupError(
    `this release of Parley is too old for the database schema: it does not know ${summarize(unknown)}. Run a newer release.`,
  );
}

/**
 * As {@link requireSupported}, but also refuses a schema that is missing or not fully migrated.
 *
 * @throws StartupError with one line
 */
export function requireCurrentSchema(state: DatabaseState): void {
  requireSupported(state);
  const { known, applied } = state;
  if (applied === null || applied.length === 0) {
    throw new StartupError(
      'the database has no schema yet: run `npm run migrate` first (`parley migrate` in the image)',
    );
  }
  const missing = known.filter((name) => !applied.includes(name));
  if (missing.length === 0) return;
  throw new StartupError(
    `the database schema is older than this release: it lacks ${summarize(missing)}. Run \`npm run migrate\` first (\`parley migrate\` in the image).`,
  );
}

/**
 * Refuses a server behind a pooler that could lose changes: there the setting against it must be the role's.
 *
 * @throws StartupError with one line
 */
function requireNoPruning({ version, majorVersion, prunesFor }: DatabaseState): void {
  if (majorVersion < NO_PRUNING_SINCE || prunesFor === null) return;
  throw new StartupError(
    `PostgreSQL ${version} can lose changes while it prunes partitions, and behind a pooler Parley cannot turn that off: run \`ALTER ROLE ${prunesFor} SET enable_partition_pruning = off\` and let the pooler connect anew (PgBouncer: RECONNECT).`,
  );
}

const summarize = (migrations: readonly string[]): string =>
  migrations.length === 1 ? `${migrations[0]}` : `${migrations[0]} and ${migrations.length - 1} more`;

/** Where the database is, and whether a pooler is between. */
export interface DatabaseAddress {
  readonly url: string;
  readonly isPooled: boolean;
}

/**
 * Waits until the database responds, by default for up to 30 s, and checks that this release can work with it.
 *
 * @param onWait called once with the reason if it has to wait
 * @throws StartupError as {@link requireCurrentSchema}; the last connection error when the database stays down
 */
export async function awaitDatabase(
  { url, isPooled }: DatabaseAddress,
  ledgers: readonly Ledger[],
  onWait: (reason: string) => void,
  timeoutMs = START_TIMEOUT_MS,
): Promise<void> {
  const giveUpAt = performance.now() + timeoutMs;
  for (let tries = 1; ; tries += 1) {
    try {
      const state = await stateOf(url, ledgers);
      requireCurrentSchema(state);
      if (isPooled) requireNoPruning(state);
      return;
    } catch (error) {
      if (!isTransient(error)) throw error;
      if (performance.now() + TRY_EVERY_MS > giveUpAt) throw timeoutError(error as NodeJS.ErrnoException, timeoutMs);
      if (tries === 1) onWait((error as Error).message);
      await pause(TRY_EVERY_MS);
    }
  }
}

/** An error with a code is more specific than the timeout. */
const timeoutError = (error: NodeJS.ErrnoException, timeoutMs: number): Error =>
  error.code === undefined
    ? new StartupError(`the database in DATABASE_URL did not answer within ${timeoutMs / 1000} s: ${error.message}`)
    : error;

async function stateOf(url: string, ledgers: readonly Ledger[]): Promise<DatabaseState> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'parley-start',
    connectionTimeoutMillis: TRY_TIMEOUT_MS,
    query_timeout: TRY_TIMEOUT_MS,
  });
  // A connection may break between statements; the next statement rejects.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await readDatabaseState(client, ledgers);
  } finally {
    // Not awaited: an unresponsive server never confirms.
    void client.end().catch(() => undefined);
  }
}
