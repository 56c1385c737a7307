// A running postmaster as its pid file describes it: is it ours, does it answer, end it.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { isAlive, processStart } from './process-identity.mjs';

const STOP_TIMEOUT_MS = 30_000;

/**
 * The server of a data directory, `{ pid, port, start, status }`, or undefined. A pid file whose process is gone or is
 * another program (the pid was reused) is removed: PostgreSQL itself would refuse to start over it.
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

/** Waits until our own child is ready; false when it exits instead. */
export async function whenReady(data, pid, { exited, timeoutMs }) {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline && !exited(); ) {
    // Not judged by its command line as below: before exec the child still carries ours.
    const lines = (readText(path.join(data, 'postmaster.pid')) ?? '').split('\n');
    if (Number(lines[0]) === pid && lines[7]?.trim() === 'ready') return true;
    await pause(10);
  }
  return false;
}

/**
 * The server that a killed launcher left on `data`, once it lets us in with our password and names that directory (after
 * a crash it recovers first); undefined when there is none, or it was about to end.
 */
export async function leftServer(data, urlOf, { timeoutMs }) {
  for (const deadline = Date.now() + timeoutMs; ; await pause(50)) {
    const server = readServer(data);
    if (!server) return undefined;
    const refusal = server.status === 'ready' ? await refusalOf(urlOf(server.port), data) : server.status;
    if (refusal === undefined) return server;
    if (Date.now() > deadline || refusal.includes('password')) {
      throw new Error(`PostgreSQL runs on ${data} (process ${server.pid}) but does not let us in: ${refusal}`);
    }
  }
}

/** Fast shutdown: sessions are ended, everything is written. Falls back to an immediate one, which recovers at start. */
export async function stopServer(data, { pid, start = processStart(pid) }) {
  if (start === undefined) return;
  const gone = () => !isAlive({ pid, start });
  for (const [signal, timeoutMs] of [
    ['SIGINT', STOP_TIMEOUT_MS],
    ['SIGQUIT', 5_000],
  ]) {
    if (gone()) return;
    signalServer(pid, signal);
    for (const deadline = Date.now() + timeoutMs; Date.now() < deadline && !gone(); ) await pause(10);
  }
  if (!gone()) throw new Error(`PostgreSQL (process ${pid}, ${data}) does not stop`);
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
