import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { MIGRATIONS } from '../../../migrations/index.js';
import { StartRefusal } from '../../config/start-failure.js';
import { followClock } from '../../values/clock.js';
import { isPassing } from '../connections/passing-error.js';

/** The oldest PostgreSQL that Parley runs on. */
const MIN_MAJOR_VERSION = 16;

/** How long a start waits for a database that does not answer, and how often it tries, milliseconds. */
const START_PATIENCE_MS = 30_000;
const TRY_EVERY_MS = 500;
/** How long one try may take, milliseconds. */
const TRY_TIMEOUT_MS = 5000;

/** The names of this release's migrations, as `schema_migrations` holds them. */
export const MIGRATION_NAMES: readonly string[] = MIGRATIONS.map(({ name }) => name);

/** A server, and the migrations that a database on it has seen; null when it has no schema at all. */
export interface DatabaseState {
  readonly version: string;
  readonly majorVersion: number;
  readonly migrations: readonly string[] | null;
}

interface Queryable {
  query<Row extends pg.QueryResultRow>(sql: string): Promise<{ rows: Row[] }>;
}

/** Looks at the server and at the schema of one database. From then on this process has the time of that server. */
export async function readDatabaseState(connection: Queryable): Promise<DatabaseState> {
  const askedAt = performance.now();
  const { rows } = await connection.query<{ number: string; version: string; migrated: boolean; at: Date }>(
    `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS version,
            to_regclass('schema_migrations') IS NOT NULL AS migrated, clock_timestamp() AS at`,
  );
  const [server] = rows;
  if (server === undefined) throw new Error('the database does not name its version');
  followClock(server.at, askedAt);
  const { version, migrated } = server;
  const majorVersion = Math.floor(Number(server.number) / 10_000);
  if (!migrated) return { version, majorVersion, migrations: null };
  const applied = await connection.query<{ name: string }>('SELECT name FROM schema_migrations');
  return { version, majorVersion, migrations: applied.rows.map(({ name }) => name) };
}

/**
 * Refuses a server that is too old, and a schema that a newer release has made: this release does not know what it means.
 *
 * @throws StartRefusal with one line
 */
export function requireSupported({ version, majorVersion, migrations }: DatabaseState): void {
  if (majorVersion < MIN_MAJOR_VERSION) {
    throw new StartRefusal(`Parley needs PostgreSQL ${MIN_MAJOR_VERSION} or newer; this server is ${version}.`);
  }
  const unknown = (migrations ?? []).filter((name) => !MIGRATION_NAMES.includes(name));
  if (unknown.length === 0) return;
  throw new StartRefusal(
    `this release of Parley is too old for the schema of the database: it does not know ${named(unknown)}. Run a newer release.`,
  );
}

/**
 * Refuses what {@link requireSupported} refuses, and a schema that is missing or has yet to be brought up to date.
 *
 * @throws StartRefusal with one line
 */
export function requireCurrentSchema(state: DatabaseState): void {
  requireSupported(state);
  const { migrations } = state;
  if (migrations === null || migrations.length === 0) {
    throw new StartRefusal(
      'the database has no schema yet: run `npm run migrate` first (`parley migrate` in the image)',
    );
  }
  const missing = MIGRATION_NAMES.filter((name) => !migrations.includes(name));
  if (missing.length === 0) return;
  throw new StartRefusal(
    `the schema of the database is older than this release: it lacks ${named(missing)}. Run \`npm run migrate\` first (\`parley migrate\` in the image).`,
  );
}

const named = (migrations: readonly string[]): string =>
  migrations.length === 1 ? `${migrations[0]}` : `${migrations[0]} and ${migrations.length - 1} more`;

/**
 * Waits until the database answers, for half a minute at most, and checks that this release can work with it.
 *
 * @param say called once with the reason when there is something to wait for
 * @throws StartRefusal as {@link requireCurrentSchema}; what the last try threw when the database stays away
 */
export async function awaitDatabase(
  url: string,
  say: (reason: string) => void,
  patienceMs = START_PATIENCE_MS,
): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  for (let tries = 1; ; tries += 1) {
    try {
      requireCurrentSchema(await stateOf(url));
      return;
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (performance.now() + TRY_EVERY_MS > giveUpAt) throw outOfReach(error as NodeJS.ErrnoException, patienceMs);
      if (tries === 1) say((error as Error).message);
      await pause(TRY_EVERY_MS);
    }
  }
}

/** Where there is a code, it says more than the silence. */
const outOfReach = (error: NodeJS.ErrnoException, patienceMs: number): Error =>
  error.code === undefined
    ? new StartRefusal(`the database of DATABASE_URL did not answer for ${patienceMs / 1000} s: ${error.message}`)
    : error;

async function stateOf(url: string): Promise<DatabaseState> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'parley-start',
    connectionTimeoutMillis: TRY_TIMEOUT_MS,
    query_timeout: TRY_TIMEOUT_MS,
  });
  // A connection may break between two statements; the next one rejects.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await readDatabaseState(client);
  } finally {
    // Not awaited: a server that has fallen silent does not say goodbye.
    void client.end().catch(() => undefined);
  }
}
