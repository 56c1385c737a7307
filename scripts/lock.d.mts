export class LockHeldError extends Error {
  readonly file: string;
  readonly pid: number;
}

export interface Lock {
  readonly file: string;
  /** Gives the lock up; does nothing when it is no longer ours. */
  release(): void;
}

/** Takes the lock or throws LockHeldError. */
export function takeLock(file: string): Lock;

/** Takes the lock, waiting for a living holder. */
export function waitForLock(
  file: string,
  options?: { onWait?: (pid: number) => void; timeoutMs?: number },
): Promise<Lock>;

/** The lock of a data directory, which is made if need be. */
export function lockDataDirectory(directory: string): Lock;

/** Closed to other users; its missing parents are made with the usual mode. */
export function makePrivateDirectory(directory: string): void;
