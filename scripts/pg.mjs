// Runs a private PostgreSQL from npm binaries, for the sandbox, the tests and the benches.
//
// The cluster `name` of a data directory is described by <dataDir>/<name>.json (directory, password, last port) and
// stored in <dataDir>/<name>. If root starts it and the user that runs PostgreSQL cannot enter that directory (a home
// with mode 0700), it is stored in a shared directory of the machine instead. The server has its own session, so Ctrl-C
// does not reach it. A server that outlived its launcher is adopted.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { makePrivateDirectory } from './lock.mjs';
import { canEnter, clusterUser, programs, sharedDirectory } from './pg-binaries.mjs';
import { orphanedServer, readServer, stopServer, whenReady } from './pg-server.mjs';

// Fast for bulk writes and as durable as the defaults: fsync and synchronous_commit stay on unless overridden.
const SETTINGS = {
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  wal_compression: 'off',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};
const START_TIMEOUT_MS = 60_000;
/** After these, the child is killed. */
const INITDB_TIMEOUT_MS = 120_000;
const EXIT_TIMEOUT_MS = 10_000;
const RETIRED = '.old-';

/**
 * Starts or adopts the cluster. The caller holds the lock of `dataDir`.
 * @param major selects an older version of PostgreSQL
 * @param samePort whether it must have its last port, because others have its address already: it waits for that port
 * @returns `{ url, pid, port, adopted, directory, stop }`
 */
export async function startPostgres({ dataDir, name = 'postgres', settings = {}, major, samePort = false }) {
  const cluster = await locate(path.resolve(dataDir), name);
  const data = path.join(cluster.directory, 'data');
  const tools = programs(cluster.user, major);
  await initialise(cluster, data, tools, major);
  const adopted = await orphanedServer(data, (port) => urlOf(cluster, port), { timeoutMs: START_TIMEOUT_MS });
  const server = adopted ?? (await launch(cluster, data, tools, { ...SETTINGS, ...settings }, samePort));
  writeRecord(cluster, server.port);
  return {
    url: urlOf(cluster, server.port),
    pid: server.pid,
    port: server.port,
    adopted: adopted !== undefined,
    directory: cluster.directory,
    stop: () => stopServer(data, server),
  };
}

/**
 * Creates the cluster if there is none. This is the longest part of a first start, so callers can run it in parallel
 * with other work. The caller holds the lock of `dataDir`.
 */
export async function preparePostgres({ dataDir, name = 'postgres' }) {
  const cluster = await locate(path.resolve(dataDir), name);
  await initialise(cluster, path.join(cluster.directory, 'data'), programs(cluster.user));
}

/** Stops the cluster if it is running, and deletes it; with `inBackground`, does not wait for the deletion. */
export async function removePostgres({ dataDir, name = 'postgres', inBackground = false }) {
  const file = path.join(path.resolve(dataDir), `${name}.json`);
  if (fs.existsSync(file)) {
    const directory = path.resolve(dataDir, JSON.parse(fs.readFileSync(file, 'utf8')).directory);
    await stopRunning(path.join(directory, 'data'));
    if (fs.existsSync(directory)) fs.renameSync(directory, `${directory}${RETIRED}${randomBytes(3).toString('hex')}`);
    fs.rmSync(file, { force: true });
    const deletion = deleteRetired(directory);
    if (!inBackground) await deletion;
  }
}

/** Also deletes what an interrupted deletion left behind. */
async function deleteRetired(directory) {
  const home = path.dirname(directory);
  const retired = fs.readdirSync(home).filter((entry) => entry.startsWith(path.basename(directory) + RETIRED));
  for (const entry of retired) {
    await fs.promises.rm(path.join(home, entry), { recursive: true, force: true }).catch(() => undefined);
  }
}

async function stopRunning(data) {
  const server = readServer(data);
  if (server) await stopServer(data, server);
}

async function locate(dataDir, name) {
  const file = path.join(dataDir, `${name}.json`);
  if (fs.existsSync(file)) {
    const record = JSON.parse(fs.readFileSync(file, 'utf8'));
    const directory = path.resolve(dataDir, record.directory);
    const user = clusterUser(path.join(directory, 'data'));
    // The permissions have changed since. The data stays where it is; the user must decide.
    if (fs.existsSync(directory) && !canEnter(user, directory)) {
      throw new Error(
        `PostgreSQL runs as uid ${user.uid}, which cannot enter ${directory}: fix its permissions or set DATA_DIR`,
      );
    }
    return { ...record, file, dataDir, directory, user };
  }
  makePrivateDirectory(dataDir);
  const inPlace = path.join(dataDir, name);
  if (fs.existsSync(inPlace))
    throw new Error(`${inPlace} exists but ${file} is missing; delete ${dataDir} to start over`);
  const user = clusterUser(inPlace);
  const cluster = { file, dataDir, user, password: randomBytes(18).toString('hex'), directory: inPlace };
  if (user && !canEnter(user, path.dirname(dataDir))) cluster.directory = await placeOutside(dataDir, name);
  // That user only needs to pass through: everything else in the data directory stays private.
  else if (user) fs.chmodSync(dataDir, 0o711);
  fs.mkdirSync(cluster.directory, { recursive: true, mode: 0o700 });
  if (user) fs.chownSync(cluster.directory, user.uid, user.gid);
  writeRecord(cluster);
  return cluster;
}

/** Creates a shared directory, after removing the cluster of a deleted data directory with the same path. */
async function placeOutside(dataDir, name) {
  const home = sharedDirectory('clusters');
  const label = `${fs.realpathSync(dataDir)}\n${name}\n`;
  for (const entry of fs.readdirSync(home)) {
    const old = path.join(home, entry);
    const owner = path.join(old, 'belongs-to');
    if (!fs.existsSync(owner) || fs.readFileSync(owner, 'utf8') !== label) continue;
    await stopRunning(path.join(old, 'data'));
    fs.rmSync(old, { recursive: true, force: true });
  }
  const directory = path.join(home, randomBytes(6).toString('hex'));
  fs.mkdirSync(directory, { mode: 0o700 });
  fs.writeFileSync(path.join(directory, 'belongs-to'), label, { mode: 0o600 });
  return directory;
}

function writeRecord({ file, dataDir, directory, password, port: lastPort }, port = lastPort) {
  const inside = path.relative(dataDir, directory);
  const recorded = inside.startsWith('..') ? directory : inside;
  const text = `${JSON.stringify({ directory: recorded, password, port }, null, 2)}\n`;
  fs.writeFileSync(`${file}.new`, text, { mode: 0o600 });
  fs.renameSync(`${file}.new`, file);
}

/** Creates the cluster under a temporary name, then renames it: a start killed halfway leaves no incomplete cluster. */
async function initialise({ directory, user, password }, data, { initdb }, major) {
  if (fs.existsSync(path.join(data, 'PG_VERSION'))) {
    const { uid } = fs.statSync(data);
    const runner = user?.uid ?? process.getuid?.() ?? uid;
    if (uid !== runner) throw new Error(`${data} belongs to another user (uid ${uid}); use another DATA_DIR`);
    return;
  }
  removeUnfinished(directory);
  // A unique name, because the initdb of a killed start may still be running.
  const fresh = path.join(directory, `data.new-${randomBytes(3).toString('hex')}`);
  const passwordFile = path.join(directory, 'password');
  fs.writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) fs.chownSync(passwordFile, user.uid, user.gid);
  // The password is random, so that stretching it would only make each connection dearer, by 2 to 3 ms of processor time.
  const access = ['-U', 'parley', '-A', 'scram-sha-256', '-c', 'scram_iterations=1', `--pwfile=${passwordFile}`];
  // --no-sync: a new sandbox has no data worth protecting from a power failure in its first half minute.
  const child = spawn(initdb, ['-D', fresh, '--no-sync', '--no-instructions', ...access, ...localeOf(major)], {
    ...runAs(user),
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const code = await exitOf(child, INITDB_TIMEOUT_MS);
  fs.rmSync(passwordFile, { force: true });
  if (code !== 0) throw new Error(`PostgreSQL's initdb failed (${code}): ${lastLines(output)}`);
  fs.renameSync(fresh, data);
}

/** Sorts by code point, with upper and lower case in every script. Before PostgreSQL 17 only libc has such a locale. */
function localeOf(major) {
  const provider = major < 17 ? ['--lc-ctype=C.UTF-8'] : ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  return ['--locale=C', ...provider, '-E', 'UTF8'];
}

function removeUnfinished(directory) {
  for (const name of fs.readdirSync(directory)) {
    if (!name.startsWith('data.new')) continue;
    try {
      fs.rmSync(path.join(directory, name), { recursive: true, force: true });
    } catch {
      // Its initdb is still writing there. It is harmless, and is deleted with the data directory.
    }
  }
}

async function launch(cluster, data, { postgres }, settings, samePort) {
  const logFile = path.join(cluster.directory, 'server.log');
  const deadline = Date.now() + START_TIMEOUT_MS;
  // Prefer the last port, so connection strings stay valid across restarts.
  let port = samePort || (await isFree(cluster.port)) ? cluster.port : await freePort();
  for (;;) {
    const network = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '' };
    const flags = Object.entries({ ...settings, ...network }).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    // A file, not a pipe: a server that outlives us must be able to keep writing.
    const log = fs.openSync(logFile, 'w', 0o600);
    const child = spawn(postgres, ['-D', data, ...flags], {
      ...runAs(cluster.user),
      cwd: cluster.directory,
      stdio: ['ignore', log, log],
      detached: true,
    });
    fs.closeSync(log);
    let exited = false;
    void exitOf(child).then(() => {
      exited = true;
    });
    const ready = await whenReady(data, child.pid, { exited: () => exited, timeoutMs: START_TIMEOUT_MS });
    child.unref();
    if (ready) return { pid: child.pid, port };
    if (!exited) {
      child.kill('SIGQUIT');
      await exitOf(child, EXIT_TIMEOUT_MS);
    }
    const output = fs.readFileSync(logFile, 'utf8');
    // Another process may have taken the port, or backends of a killed server may not have released its memory yet.
    const isTaken = /Address already in use/.test(output);
    const isTemporary = isTaken || /shared memory block .* is still in use/.test(output);
    if (!isTemporary || Date.now() > deadline) throw new Error(`PostgreSQL did not start: ${lastLines(output)}`);
    if (isTaken && !samePort) port = await freePort();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function runAs(user) {
  return { ...user, env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', HOME: os.tmpdir() } };
}

function urlOf({ password }, port) {
  return `postgres://parley:${password}@127.0.0.1:${port}/postgres`;
}

/** How it ended, or why it could not start. With `timeoutMs`, it is killed if it takes longer. */
async function exitOf(child, timeoutMs) {
  const timer = timeoutMs && setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  try {
    return await new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(code ?? signal));
    });
  } finally {
    clearTimeout(timer);
  }
}

function lastLines(output) {
  return output.trim().split('\n').slice(-3).join(' | ');
}

function isFree(port) {
  return port ? freePort(port).then(Boolean, () => false) : Promise.resolve(false);
}

function freePort(preferred = 0) {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(preferred, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
