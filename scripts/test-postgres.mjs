// The PostgreSQL server shared by all test runs of a checkout: the first run starts it, the last one stops it. It
// recovers after a kill.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './install.mjs';
import { makePrivateDirectory, waitForLock } from './lock.mjs';
import { startPostgres } from './pg.mjs';
import { isAlive, processStart } from './process-identity.mjs';

const HOME = path.join(root, '.parley-test');
// Test data need not survive a power failure. The fault suite and the benches use `durable` instead.
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/**
 * Joins the shared server (one per version of PostgreSQL), and drops the databases of runs that have died.
 * @returns `{ url, run, leave }`; the databases of this run are named `t_<run>_…`
 */
export async function joinTestPostgres({ durable = false, major } = {}) {
  const name = ['postgres', ...(major ? [major] : []), ...(durable ? ['durable'] : [])].join('-');
  const runs = path.join(HOME, `${name}-runs`);
  const run = `${process.pid}_${randomBytes(3).toString('hex')}`;
  makePrivateDirectory(HOME);
  const server = await withLock(async () => {
    const started = await startPostgres({ dataDir: HOME, name, settings: durable ? {} : FAST, major });
    fs.mkdirSync(runs, { recursive: true });
    fs.writeFileSync(path.join(runs, run), JSON.stringify({ pid: process.pid, start: processStart(process.pid) }));
    await dropDatabases(started.url, livingRuns(runs), { keep: true });
    return started;
  });
  const leave = () =>
    withLock(async () => {
      await dropDatabases(server.url, [run], { keep: false });
      fs.rmSync(path.join(runs, run), { force: true });
      if (livingRuns(runs).length === 0) await server.stop();
    });
  return { url: server.url, run, leave };
}

/** Drops the databases of these runs or, with `keep`, of all other runs. */
export async function dropDatabases(connectionString, runs, { keep }) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query("SELECT datname AS name FROM pg_database WHERE datname LIKE 't\\_%'");
    for (const { name } of rows) {
      const belongs = runs.some((run) => name.startsWith(`t_${run}_`));
      if (belongs !== keep) await client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
    }
  } finally {
    await client.end();
  }
}

async function withLock(work) {
  const lock = await waitForLock(path.join(HOME, 'lock'), { timeoutMs: 60_000 });
  try {
    return await work();
  } finally {
    lock.release();
  }
}

function livingRuns(directory) {
  return fs.readdirSync(directory).filter((run) => {
    const file = path.join(directory, run);
    if (isAlive(JSON.parse(fs.readFileSync(file, 'utf8')))) return true;
    fs.rmSync(file, { force: true });
    return false;
  });
}
