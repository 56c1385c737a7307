import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { Hopeless, until } from './until.js';

/** How long the server may take for one statement on a busy machine, milliseconds. */
const TIMEOUT_MS = 120_000;
const EXISTS_ALREADY = '42P04';
/** Such as by an autovacuum worker, which the server lets end by itself for a few seconds only. */
const TEMPLATE_IN_USE = '55006';

/**
 * The URL of this jest worker's migrated database. The worker's test files share it, so each creates its own accounts
 * and relies on nothing else.
 */
export async function workerDatabase(): Promise<string> {
  return migratedDatabase(`worker_${setting('JEST_WORKER_ID')}`);
}

/** A migrated database for a single test. */
export async function freshDatabase(): Promise<string> {
  return migratedDatabase(`fresh_${randomBytes(4).toString('hex')}`);
}

/** An empty database without a schema, for tests of migrations. */
export async function emptyDatabase(): Promise<string> {
  return createDatabase(`empty_${randomBytes(4).toString('hex')}`, 'template0');
}

/** A copy of the database with the schema that every server of the tests begins with (scripts/test-run.mjs). */
async function migratedDatabase(name: string): Promise<string> {
  const url = await createDatabase(name, new URL(setting('TEST_PG_URL')).pathname.slice(1));
  if (new Date().toISOString().slice(0, 10) !== setting('TEST_DAY')) {
    // Midnight has passed since: the partitions of the day are missing. Loaded late, because few files need it.
    const { migrate } = await import('../../src/database/schema/migrate.js');
    const { MANIFEST } = await import('../../src/rooms.js');
    await migrate(url, MANIFEST);
  }
  return url;
}

/** Copies a database, unless it has been done. */
async function createDatabase(name: string, from: string): Promise<string> {
  const admin = new pg.Client({
    connectionString: urlOf('postgres'),
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  try {
    await admin.connect();
    await until(`the database ${name} is made`, () =>
      admin.query(`CREATE DATABASE "${name}" TEMPLATE "${from}"`).then(
        () => true,
        (error: pg.DatabaseError) => {
          if (error.code === EXISTS_ALREADY) return true;
          throw error.code === TEMPLATE_IN_USE ? error : new Hopeless(error.message, { cause: error });
        },
      ),
    );
  } finally {
    await admin.end();
  }
  return urlOf(name);
}

function urlOf(database: string): string {
  const url = new URL(setting('TEST_PG_URL'));
  url.pathname = `/${database}`;
  return url.href;
}

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests through jest, whose global setup sets it`);
  return value;
}
