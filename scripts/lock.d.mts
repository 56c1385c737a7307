export class LockHeldError extends Error {
  readonly file: string;
  readonly pid: number;
}

export interface Lock {
  readonly file: string;
  /** Releases the lock; does nothing if it is no longer ours. */
  release(): void;
}

/** Takes the lock, or throws LockHeldError. */
export function takeLock(file: string): Lock;

/** Takes the lock, waiting while a live process holds it. */
export function waitForLock(
  file: string,
  options?: { onWait?: (pid: number) => void; timeoutMs?: number },
): Promise<Lock>;

/** Locks a data directory, creating it if necessary. */
export function lockDataDirectory(directory: string): Lock;

/** Creates a directory that other users cannot enter; missing parents get the default mode. */
export function makePrivateDirectory(directory: string): void;
