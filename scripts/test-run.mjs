// A run of the tests has a folder of its own, which is TMPDIR to all its processes, and in it a PostgreSQL of its own. So
// runs share nothing, and a run is ended by ending all processes that have the folder in their environment and removing
// it. That needs no help from the run: whoever comes next does it for one that was killed.
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from './install.mjs';
import { makePrivateDirectory } from './lock.mjs';
import { startPostgres } from './pg.mjs';
import { canEnter, clusterUser } from './pg-binaries.mjs';
import { readServer, stopServer } from './pg-server.mjs';
import { processStart } from './process-identity.mjs';
import { processesIn } from './processes-in.mjs';

const TEMPLATES = path.join(root, '.parley-test');
/** Enough for two checkouts' worth of schemas, days and versions of PostgreSQL. */
const TEMPLATES_KEPT = 8;
/** The files of a cluster (pg.mjs). */
const CLUSTER = ['postgres', 'postgres.json'];
// Test data need not survive a power failure. The fault suite uses `durable` instead.
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
const COPY_TIMEOUT_MS = 120_000;
const END_TIMEOUT_MS = 20_000;
const PREFIX = 'parley-run-';
const NAME = /^parley-run-(\d+)-([0-9a-f]{8})-\w+$/;
const UNFINISHED = /^cluster-.*\.(\d+)-([0-9a-f]{8})$/;

/** Stands in the name of a folder, so that there is none whose run is unknown. */
const markOf = (start) => createHash('sha256').update(String(start)).digest('hex').slice(0, 8);

/**
 * Makes the folder of a run of this process, and ends the runs of those that are gone.
 *
 * @returns the folder, for TMPDIR
 */
export async function beginRun() {
  await endDeadRuns();
  const name = `${PREFIX}${process.pid}-${markOf(processStart(process.pid))}-`;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), name));
  // PostgreSQL and PgBouncer do not run as root, and their user must pass.
  fs.chmodSync(folder, 0o711);
  return folder;
}

/**
 * Starts the PostgreSQL of a run. TMPDIR must be its folder already.
 *
 * @param durable whether committed data must survive a crash of the machine
 * @param major selects an older version of PostgreSQL
 * @param schema names the schema that `migrate(url)` makes; a cluster with it is made once a day, and copied for each run
 * @returns `{ url, day }`: a database with the schema, which is there to be copied, and the day (UTC) of its partitions
 */
export async function startDatabase(folder, { durable = false, major, schema, migrate }) {
  const user = clusterUser(folder);
  if (!canEnter(user, folder)) {
    throw new Error(`PostgreSQL runs as uid ${user.uid}, which cannot enter ${folder}: set another TMPDIR`);
  }
  const day = new Date().toISOString().slice(0, 10);
  const template = path.join(TEMPLATES, ['cluster', major, schema, day].filter(Boolean).join('-'));
  if (!(await copyCluster(template, folder))) await makeCluster({ folder, template, major, migrate });
  const { url } = await startPostgres({ dataDir: folder, settings: durable ? {} : FAST, major });
  return { url: databaseUrl(url), day };
}

/** Ends all runs whose process is gone, and says what does not end: it must not keep others from beginning. */
async function endDeadRuns() {
  for (const name of fs.readdirSync(os.tmpdir())) {
    const [, pid, mark] = NAME.exec(name) ?? [];
    if (mark === undefined || markOf(processStart(Number(pid))) === mark) continue;
    const folder = path.join(os.tmpdir(), name);
    if (isOurs(folder)) await endRun(folder).catch((error) => console.error(error.message));
  }
}

function isOurs(folder) {
  const found = fs.statSync(folder, { throwIfNoEntry: false });
  return found !== undefined && (process.getuid === undefined || found.uid === process.getuid());
}

/** Ends all processes of a run, PostgreSQL first, which gives back its shared memory, and removes its folder. */
export async function endRun(folder) {
  const data = path.join(folder, 'postgres', 'data');
  const server = readServer(data);
  // If it does not stop, it is killed with the rest.
  if (server) await stopServer(data, server, { immediately: true }).catch((error) => console.error(error.message));
  for (const deadline = performance.now() + END_TIMEOUT_MS; ; ) {
    const left = processesIn(folder).filter(({ pid }) => pid !== process.pid);
    if (left.length === 0) break;
    if (performance.now() > deadline)
      throw new Error(`${left.map(({ pid }) => pid).join(', ')} of ${folder} did not end`);
    for (const { pid } of left) kill(pid);
    await pause(20);
  }
  // Another run may be removing it, too.
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** Copies a cluster into the folder of a run. @returns false if there is none, or it was removed meanwhile */
async function copyCluster(template, folder) {
  if (!fs.existsSync(template)) return false;
  try {
    await copy(
      CLUSTER.map((name) => path.join(template, name)),
      folder,
    );
    return true;
  } catch (error) {
    for (const name of CLUSTER) fs.rmSync(path.join(folder, name), { recursive: true, force: true });
    if (fs.existsSync(template)) throw error;
    return false;
  }
}

/** Makes a cluster in the folder of a run, and leaves a copy for the runs that come. */
async function makeCluster({ folder, template, major, migrate }) {
  const server = await startPostgres({ dataDir: folder, settings: FAST, major });
  const url = databaseUrl(server.url);
  await query(server.url, `CREATE DATABASE ${new URL(url).pathname.slice(1)} TEMPLATE template0`);
  await migrate(url);
  await server.stop();
  forgetPort(path.join(folder, 'postgres.json'));
  makePrivateDirectory(TEMPLATES);
  removeUnfinished();
  const unfinished = `${template}.${process.pid}-${markOf(processStart(process.pid))}`;
  fs.mkdirSync(unfinished);
  try {
    await copy(
      CLUSTER.map((name) => path.join(folder, name)),
      unfinished,
    );
    fs.renameSync(unfinished, template);
  } catch (error) {
    fs.rmSync(unfinished, { recursive: true, force: true });
    // Another run may have made the same.
    if (!fs.existsSync(template)) throw error;
  }
  removeOldTemplates();
}

/** Removes the copies whose makers are gone: they were killed. */
function removeUnfinished() {
  for (const name of fs.readdirSync(TEMPLATES)) {
    const [, pid, mark] = UNFINISHED.exec(name) ?? [];
    if (mark === undefined || markOf(processStart(Number(pid))) === mark) continue;
    fs.rmSync(path.join(TEMPLATES, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The port of whoever made it would be the first that each of its copies tries. */
function forgetPort(record) {
  const { port: _, ...rest } = JSON.parse(fs.readFileSync(record, 'utf8'));
  fs.writeFileSync(record, `${JSON.stringify(rest, null, 2)}\n`);
}

/** A run that is just copying one makes its own instead. */
function removeOldTemplates() {
  const made = (folder) => fs.statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const old = fs
    .readdirSync(TEMPLATES)
    .filter((name) => name.startsWith('cluster-') && !UNFINISHED.test(name))
    .map((name) => ({ folder: path.join(TEMPLATES, name), at: made(path.join(TEMPLATES, name)) }))
    .sort((a, b) => b.at - a.at)
    .slice(TEMPLATES_KEPT);
  for (const { folder } of old) {
    // Renamed first, so that a run that looks for it finds all of it or nothing.
    const removed = path.join(TEMPLATES, `cluster-removed-${randomBytes(6).toString('hex')}`);
    try {
      fs.renameSync(folder, removed);
    } catch (error) {
      if (error.code === 'ENOENT') continue;
      throw error;
    }
    fs.rmSync(removed, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Keeps the owner, who is not us if we are root. */
function copy(sources, folder) {
  return promisify(execFile)('cp', ['-a', ...sources, folder], { timeout: COPY_TIMEOUT_MS, killSignal: 'SIGKILL' });
}

async function query(connectionString, sql) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 30_000, statement_timeout: 30_000 });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function databaseUrl(serverUrl) {
  const url = new URL(serverUrl);
  url.pathname = '/template_parley';
  return url.href;
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
