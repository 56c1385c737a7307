// Identifies a process by its pid and start time, because a pid alone may be reused.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

const hasProc = fs.existsSync('/proc/self/stat');
let bootId;

/**
 * Distinguishes processes with the same pid: the boot id and the process's start tick, or its start date if there is no
 * /proc. Undefined if there is no such process or it is a zombie, for which kill(pid, 0) still succeeds.
 */
export function processStart(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  if (!hasProc) {
    const ps = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env: { LC_ALL: 'C' } });
    return ps.status === 0 && ps.stdout.trim() ? ps.stdout.trim() : undefined;
  }
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command name is in parentheses and may itself contain spaces and parentheses: count from the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    bootId ??= readBootId();
    return `${bootId}:${fields[19]}`;
  } catch {
    return undefined;
  }
}

function readBootId() {
  try {
    return fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return 'boot';
  }
}

/** Whether the process that wrote `{ pid, start }` is alive. Without `start`, any process with this pid counts. */
export function isAlive({ pid, start }) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  let foreign = false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
    foreign = true;
  }
  const now = processStart(pid);
  // A hardened /proc hides other users' processes. One that we can neither signal nor read counts as alive.
  if (now === undefined) return foreign && hasProc && !fs.existsSync(`/proc/${pid}/stat`);
  return start === undefined || start === now;
}
