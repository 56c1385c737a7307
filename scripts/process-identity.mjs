// Which process is meant when a file names a pid: pids are reused, so a pid alone proves nothing.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

const hasProc = fs.existsSync('/proc/self/stat');
let bootId;

/**
 * What tells one run of a pid from another: the boot and the process's start tick (its start date where there is no
 * /proc). Undefined when no such process lives, or when only a zombie is left of it: kill(pid, 0) still answers that.
 */
export function processStart(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  if (!hasProc) {
    const ps = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env: { LC_ALL: 'C' } });
    return ps.status === 0 && ps.stdout.trim() ? ps.stdout.trim() : undefined;
  }
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command name stands in parentheses and may itself hold blanks and parentheses: count from the last one.
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

/** Whether the process that wrote `{ pid, start }` still lives. Without `start` any process with that pid counts. */
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
  // A hardened /proc hides other users' processes: one that may not be signalled nor read is taken to live.
  if (now === undefined) return foreign && hasProc && !fs.existsSync(`/proc/${pid}/stat`);
  return start === undefined || start === now;
}
