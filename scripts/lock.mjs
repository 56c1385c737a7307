// Crash-safe lock files: a lock belongs to one process and can be taken over once that process is dead.
//
// Taking a lock links a fully written file with link(2), so a lock file is never half written. Replacing the lock of a
// dead owner requires a second lock, named after the hash of the first one. Its holder checks the first lock again
// before replacing it, so two processes never both take over. The second lock is crash-safe in the same way.
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isAlive, processStart } from './process-identity.mjs';

export class LockHeldError extends Error {
  constructor(file, pid) {
    super(`${file} is held by process ${pid}`);
    this.name = 'LockHeldError';
    this.file = file;
    this.pid = pid;
  }
}

/** Takes the lock, or throws LockHeldError. Writes nothing if a live process holds it. */
export function takeLock(file) {
  const content = JSON.stringify({
    pid: process.pid,
    start: processStart(process.pid),
    token: randomBytes(9).toString('hex'),
  });
  const mine = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  for (let contention = 0; ; contention++) {
    const found = read(file);
    if (found === undefined) {
      if (linkNew(mine, file, content)) return handle(file, content);
      continue;
    }
    const owner = parse(found);
    if (owner && isAlive(owner)) throw new LockHeldError(file, owner.pid);
    let guard;
    try {
      guard = takeLock(`${file}.${createHash('sha256').update(found).digest('hex').slice(0, 12)}`);
    } catch (error) {
      // Another process is replacing this lock, which takes two system calls.
      if (!(error instanceof LockHeldError) || contention > 400) throw error;
      pause(5);
      continue;
    }
    try {
      if (read(file) !== found) continue;
      fs.writeFileSync(mine, content, { mode: 0o600 });
      fs.renameSync(mine, file);
      return handle(file, content);
    } finally {
      guard.release();
    }
  }
}

/** Takes the lock, waiting while a live process holds it; calls `onWait(pid)` once before waiting. */
export async function waitForLock(file, { onWait = () => {}, timeoutMs = 300_000 } = {}) {
  const deadline = Date.now() + timeoutMs;
  for (let waiting = false; ; waiting = true) {
    try {
      return takeLock(file);
    } catch (error) {
      if (!(error instanceof LockHeldError) || Date.now() > deadline) throw error;
      if (!waiting) onWait(error.pid);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Locks a data directory. A start does this first, so a second start touches nothing. */
export function lockDataDirectory(directory) {
  makePrivateDirectory(directory);
  return takeLock(path.join(directory, 'lock'));
}

/** Creates a directory that other users cannot enter; missing parents get the default mode. */
export function makePrivateDirectory(directory) {
  fs.mkdirSync(path.dirname(directory), { recursive: true });
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
}

function linkNew(temporary, file, content) {
  fs.writeFileSync(temporary, content, { mode: 0o600 });
  try {
    fs.linkSync(temporary, file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

function handle(file, content) {
  return {
    file,
    release() {
      if (read(file) === content) fs.rmSync(file, { force: true });
    },
  };
}

function read(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** An unreadable lock was damaged by a power failure, so its owner is gone. */
function parse(content) {
  try {
    const owner = JSON.parse(content);
    return Number.isInteger(owner?.pid) ? owner : undefined;
  } catch {
    return undefined;
  }
}

function pause(milliseconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
