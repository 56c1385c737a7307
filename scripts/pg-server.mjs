// Finds, checks and stops a running PostgreSQL server through its pid file.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { isAlive, processStart } from './process-identity.mjs';

const STOP_TIMEOUT_MS = 30_000;
const IMMEDIATE_STOP_TIMEOUT_MS = 5_000;

/**
 * The server of a data directory as `{ pid, port, start, status }`, or undefined. Removes a stale pid file, whose
 * process is gone or is another program (a reused pid), because PostgreSQL would refuse to start with it.
 */
export function readServer(data) {
  const file = path.join(data, 'postmaster.pid');
  let text;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  // pid, data directory, start time, port, socket directory, listen address, shared memory, status
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  const start = processStart(pid);
  if (!isAlive({ pid, start }) || !commandOf(pid).includes(data)) {
    if (readText(file) === text) fs.rmSync(file, { force: true });
    return undefined;
  }
  return { pid, start, port: Number(lines[3]), status: lines[7]?.trim() ?? '' };
}

/** Waits until our child is ready; returns false if it exits instead. */
export async function whenReady(data, pid, { exited, timeoutMs }) {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline && !exited(); ) {
    // Do not check the command line as in readServer: until exec, the child still has ours.
    const lines = (readText(path.join(data, 'postmaster.pid')) ?? '').split('\n');
    if (Number(lines[0]) === pid && lines[7]?.trim() === 'ready') return true;
    await pause(10);
  }
  return false;
}

/**
 * The server that a killed launcher left running on `data`, or undefined. Waits until it accepts our password and
 * confirms that directory, because after a crash it recovers first; returns undefined if it exits meanwhile.
 */
export async function orphanedServer(data, urlOf, { timeoutMs }) {
  for (const deadline = Date.now() + timeoutMs; ; await pause(50)) {
    const server = readServer(data);
    if (!server) return undefined;
    const refusal = server.status === 'ready' ? await refusalOf(urlOf(server.port), data) : server.status;
    if (refusal === undefined) return server;
    if (Date.now() > deadline || refusal.includes('password')) {
      throw new Error(`PostgreSQL is running on ${data} (process ${server.pid}) but cannot be used: ${refusal}`);
    }
  }
}

/**
 * Requests a fast shutdown, which saves everything. Falls back to an immediate one; the next start then recovers.
 *
 * @param immediately for data that nobody needs any more
 */
export async function stopServer(data, { pid, start = processStart(pid) }, { immediately = false } = {}) {
  if (start === undefined) return;
  const gone = () => !isAlive({ pid, start });
  const stages = [
    ['SIGINT', STOP_TIMEOUT_MS],
    ['SIGQUIT', IMMEDIATE_STOP_TIMEOUT_MS],
  ];
  for (const [signal, timeoutMs] of immediately ? stages.slice(1) : stages) {
    if (gone()) return;
    signalServer(pid, signal);
    for (const deadline = Date.now() + timeoutMs; Date.now() < deadline && !gone(); ) await pause(10);
  }
  if (!gone()) throw new Error(`PostgreSQL (process ${pid}, ${data}) did not stop`);
}

function signalServer(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

async function refusalOf(connectionString, data) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query("SELECT current_setting('data_directory') AS directory");
    const same = fs.realpathSync(rows[0].directory) === fs.realpathSync(data);
    return same ? undefined : `it serves ${rows[0].directory}`;
  } catch (error) {
    return error.message;
  } finally {
    await client.end().catch(() => {});
  }
}

function commandOf(pid) {
  const command = readText(`/proc/${pid}/cmdline`);
  if (command !== undefined) return command.replaceAll('\0', ' ');
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
