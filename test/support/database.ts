import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../../src/database/schema/migrate.js';

/** Key of the advisory lock (any fixed number): only one worker at a time creates databases. */
const DATABASES_LOCK = 7_275_398;
const TEMPLATES_KEPT = 3;

/**
 * The URL of this jest worker's migrated database. The worker's test files share it, so each creates its own accounts
 * and relies on nothing else.
 */
export async function workerDatabase(): Promise<string> {
  return ensureDatabase(`t_${setting('TEST_RUN')}_w${setting('JEST_WORKER_ID')}`);
}

/** A migrated database for a single test; dropped when the run ends. */
export async function freshDatabase(): Promise<string> {
  return ensureDatabase(`t_${setting('TEST_RUN')}_x${randomBytes(4).toString('hex')}`);
}

/** An empty database without a schema, for tests of migrations; dropped when the run ends. */
export async function emptyDatabase(): Promise<string> {
  const name = `t_${setting('TEST_RUN')}_e${randomBytes(4).toString('hex')}`;
  await withAdmin((admin) => admin.query(`CREATE DATABASE "${name}" TEMPLATE template0`));
  return urlOf(name);
}

async function ensureDatabase(name: string): Promise<string> {
  await withAdmin(async (admin) => {
    if (await exists(admin, name)) return;
    const template = setting('TEST_TEMPLATE');
    if (!(await exists(admin, template))) await createTemplate(admin, template);
    await admin.query(`CREATE DATABASE "${name}" TEMPLATE "${template}"`);
  });
  return urlOf(name);
}

/** Migrates under a temporary name, then renames, so a run killed halfway leaves no half-migrated template. */
async function createTemplate(admin: pg.Client, template: string): Promise<void> {
  const unfinished = `t_${setting('TEST_RUN')}_template`;
  await admin.query(`DROP DATABASE IF EXISTS "${unfinished}" WITH (FORCE)`);
  await admin.query(`CREATE DATABASE "${unfinished}" TEMPLATE template0`);
  // Loaded late: few files create a template.
  const { MANIFEST } = await import('../../src/rooms.js');
  await migrate(urlOf(unfinished), MANIFEST);
  await admin.query(`ALTER DATABASE "${unfinished}" RENAME TO "${template}"`);
  const { rows } = await admin.query<{ name: string }>(
    "SELECT datname AS name FROM pg_database WHERE datname LIKE 'template\\_%' ORDER BY oid DESC",
  );
  for (const { name } of rows.slice(TEMPLATES_KEPT)) await admin.query(`DROP DATABASE "${name}" WITH (FORCE)`);
}

async function exists(admin: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  return rowCount === 1;
}

/** Runs `work` on the server's default database, one jest worker at a time. */
async function withAdmin<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: setting('TEST_PG_URL') });
  await admin.connect();
  try {
    await admin.query('SELECT pg_advisory_lock($1)', [DATABASES_LOCK]);
    return await work(admin);
  } finally {
    await admin.end();
  }
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
