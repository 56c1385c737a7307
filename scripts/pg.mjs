// A private PostgreSQL from npm binaries: for the sandbox, the tests and the benches.
//
// A cluster `name` of a data directory is described by <dataDir>/<name>.json (place, password, last port) and lies in
// <dataDir>/<name>, except where root starts it and the user who must run it cannot enter there (a 0700 home): then in a
// directory of the machine. Its server is in a session of its own, so Ctrl-C does not reach it; one that outlived its
// launcher is adopted.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { makePrivateDirectory } from './lock.mjs';
import { canEnter, clusterUser, programs, sharedDirectory } from './pg-binaries.mjs';
import { leftServer, readServer, stopServer, whenReady } from './pg-server.mjs';

// Fast for bulk writes and as durable as the defaults: fsync and synchronous_commit stay on unless a caller says otherwise.
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
const RETIRED = '.old-';

/**
 * Starts or adopts the cluster. The caller holds the lock of `dataDir`; `major` asks for an older version of PostgreSQL.
 * @returns `{ url, pid, port, adopted, directory, stop }`
 */
export async function startPostgres({ dataDir, name = 'postgres', settings = {}, major }) {
  const cluster = await locate(path.resolve(dataDir), name);
  const data = path.join(cluster.directory, 'data');
  const tools = programs(cluster.user, major);
  await initialise(cluster, data, tools, major);
  const adopted = await leftServer(data, (port) => urlOf(cluster, port), { timeoutMs: START_TIMEOUT_MS });
  const server = adopted ?? (await launch(cluster, data, tools, { ...SETTINGS, ...settings }));
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
 * Makes the cluster if there is none: the longest part of its first start, for whoever has something else to do meanwhile.
 * The caller holds the lock of `dataDir`.
 */
export async function preparePostgres({ dataDir, name = 'postgres' }) {
  const cluster = await locate(path.resolve(dataDir), name);
  await initialise(cluster, path.join(cluster.directory, 'data'), programs(cluster.user));
}

/** Stops the cluster if it runs, and deletes it; `inBackground` does not wait for its thousand files to be gone. */
export async function removePostgres({ dataDir, name = 'postgres', inBackground = false }) {
  const file = path.join(path.resolve(dataDir), `${name}.json`);
  if (fs.existsSync(file)) {
    const directory = path.resolve(dataDir, JSON.parse(fs.readFileSync(file, 'utf8')).directory);
    await stopLeft(path.join(directory, 'data'));
    if (fs.existsSync(directory)) fs.renameSync(directory, `${directory}${RETIRED}${randomBytes(3).toString('hex')}`);
    fs.rmSync(file, { force: true });
    const deletion = deleteRetired(directory);
    if (!inBackground) await deletion;
  }
}

/** Also what an earlier deletion did not finish. */
async function deleteRetired(directory) {
  const home = path.dirname(directory);
  const retired = fs.readdirSync(home).filter((entry) => entry.startsWith(path.basename(directory) + RETIRED));
  for (const entry of retired) {
    await fs.promises.rm(path.join(home, entry), { recursive: true, force: true }).catch(() => undefined);
  }
}

async function stopLeft(data) {
  const server = readServer(data);
  if (server) await stopServer(data, server);
}

async function locate(dataDir, name) {
  const file = path.join(dataDir, `${name}.json`);
  if (fs.existsSync(file)) {
    const record = JSON.parse(fs.readFileSync(file, 'utf8'));
    const directory = path.resolve(dataDir, record.directory);
    const user = clusterUser(path.join(directory, 'data'));
    // Closed or moved since: the data stays where it is, and whoever closed it decides.
    if (fs.existsSync(directory) && !canEnter(user, directory)) {
      throw new Error(`uid ${user.uid}, who runs PostgreSQL, cannot enter ${directory}: open the way, or set DATA_DIR`);
    }
    return { ...record, file, dataDir, directory, user };
  }
  makePrivateDirectory(dataDir);
  const inPlace = path.join(dataDir, name);
  if (fs.existsSync(inPlace))
    throw new Error(`${inPlace} is there but ${file} is gone; delete ${dataDir} to start afresh`);
  const user = clusterUser(inPlace);
  const cluster = { file, dataDir, user, password: randomBytes(18).toString('hex'), directory: inPlace };
  if (user && !canEnter(user, path.dirname(dataDir))) cluster.directory = await placeOutside(dataDir, name);
  // The user only passes through: everything else in the data directory keeps its own, closed modes.
  else if (user) fs.chmodSync(dataDir, 0o711);
  fs.mkdirSync(cluster.directory, { recursive: true, mode: 0o700 });
  if (user) fs.chownSync(cluster.directory, user.uid, user.gid);
  writeRecord(cluster);
  return cluster;
}

/** A new directory of the machine; what a deleted data directory of the same path left there goes first. */
async function placeOutside(dataDir, name) {
  const home = sharedDirectory('clusters');
  const label = `${fs.realpathSync(dataDir)}\n${name}\n`;
  for (const entry of fs.readdirSync(home)) {
    const old = path.join(home, entry);
    const owner = path.join(old, 'belongs-to');
    if (!fs.existsSync(owner) || fs.readFileSync(owner, 'utf8') !== label) continue;
    await stopLeft(path.join(old, 'data'));
    fs.rmSync(old, { recursive: true, force: true });
  }
  const directory = path.join(home, randomBytes(6).toString('hex'));
  fs.mkdirSync(directory, { mode: 0o700 });
  fs.writeFileSync(path.join(directory, 'belongs-to'), label, { mode: 0o600 });
  return directory;
}

function writeRecord({ file, dataDir, directory, password, port: lastPort }, port = lastPort) {
  const inside = path.relative(dataDir, directory);
  const place = inside.startsWith('..') ? directory : inside;
  const text = `${JSON.stringify({ directory: place, password, port }, null, 2)}\n`;
  fs.writeFileSync(`${file}.new`, text, { mode: 0o600 });
  fs.renameSync(`${file}.new`, file);
}

/** Made beside and renamed, so that a start killed half way leaves no half-made cluster. */
async function initialise({ directory, user, password }, data, { initdb }, major) {
  if (fs.existsSync(path.join(data, 'PG_VERSION'))) {
    const { uid } = fs.statSync(data);
    const runner = user?.uid ?? process.getuid?.() ?? uid;
    if (uid !== runner) throw new Error(`${data} belongs to another user (uid ${uid}); use another DATA_DIR`);
    return;
  }
  sweepUnfinished(directory);
  // A name of its own each time: the initdb of a start that was killed may still be at work.
  const fresh = path.join(directory, `data.new-${randomBytes(3).toString('hex')}`);
  const passwordFile = path.join(directory, 'password');
  fs.writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) fs.chownSync(passwordFile, user.uid, user.gid);
  const access = ['-U', 'parley', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
  // Not synced to disk here: a power cut in the first half minute of a new sandbox costs nothing worth keeping.
  const child = spawn(initdb, ['-D', fresh, '--no-sync', '--no-instructions', ...access, ...localeOf(major)], {
    ...runAs(user),
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const code = await exitOf(child);
  fs.rmSync(passwordFile, { force: true });
  if (code !== 0) throw new Error(`PostgreSQL's initdb failed (${code}): ${lastLines(output)}`);
  fs.renameSync(fresh, data);
}

/** Text in the order of its code points, with upper and lower case of every script; before 17 the C library has to know it. */
function localeOf(major) {
  const provider = major < 17 ? ['--lc-ctype=C.UTF-8'] : ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  return ['--locale=C', ...provider, '-E', 'UTF8'];
}

function sweepUnfinished(directory) {
  for (const name of fs.readdirSync(directory)) {
    if (!name.startsWith('data.new')) continue;
    try {
      fs.rmSync(path.join(directory, name), { recursive: true, force: true });
    } catch {
      // Its initdb is still writing there: it is in nobody's way, and goes with the data directory.
    }
  }
}

async function launch(cluster, data, { postgres }, settings) {
  const logFile = path.join(cluster.directory, 'server.log');
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (let attempt = 0; ; attempt++) {
    // The same port as last time where it is free: connections noted elsewhere stay good over a restart.
    const port = attempt === 0 && (await isFree(cluster.port)) ? cluster.port : await freePort();
    const network = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '' };
    const flags = Object.entries({ ...settings, ...network }).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    // A file, not a pipe: a server that outlives us must be able to go on writing.
    const log = fs.openSync(logFile, 'w', 0o600);
    const child = spawn(postgres, ['-D', data, ...flags], {
      ...runAs(cluster.user),
      cwd: cluster.directory,
      stdio: ['ignore', log, log],
      detached: true,
    });
    fs.closeSync(log);
    let exited = false;
    const exit = exitOf(child).then(() => {
      exited = true;
    });
    const ready = await whenReady(data, child.pid, { exited: () => exited, timeoutMs: START_TIMEOUT_MS });
    child.unref();
    if (ready) return { pid: child.pid, port };
    if (!exited) child.kill('SIGQUIT');
    await exit;
    const output = fs.readFileSync(logFile, 'utf8');
    // The second one: backends of a killed server take a moment to notice and let go of its shared memory.
    const passing = /Address already in use|shared memory block .* is still in use/.test(output);
    if (!passing || Date.now() > deadline) throw new Error(`PostgreSQL did not start: ${lastLines(output)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function runAs(user) {
  return { ...user, env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', HOME: os.tmpdir() } };
}

function urlOf({ password }, port) {
  return `postgres://parley:${password}@127.0.0.1:${port}/postgres`;
}

function exitOf(child) {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(code ?? signal));
  });
}

function lastLines(output) {
  return output.trim().split('\n').slice(-3).join(' | ');
}

function isFree(port) {
  return port ? freePort(port).then(Boolean, () => false) : Promise.resolve(false);
}

function freePort(wanted = 0) {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
