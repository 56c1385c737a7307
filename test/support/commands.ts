import { type SpawnSyncOptions, spawnSync } from 'node:child_process';

/** After this, a program is killed, milliseconds: jest's own limit cannot end a test that waits for one like this. */
const TIMEOUT_MS = 300_000;

/** How a program ended. */
export interface Ended {
  /** Null when it was killed. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program to its end.
 *
 * @throws Error if it cannot be started or takes too long
 */
export function run(command: string, args: readonly string[] = [], options: SpawnSyncOptions = {}): Ended {
  const limits = { timeout: TIMEOUT_MS, killSignal: 'SIGKILL' } as const;
  const { error, status, stdout, stderr } = spawnSync(command, args, { ...options, ...limits, encoding: 'utf8' });
  if (error) throw error;
  return { status, stdout, stderr };
}

/**
 * What a program prints.
 *
 * @throws Error with its other output unless it ends with 0
 */
export function outputOf(command: string, args: readonly string[] = [], options: SpawnSyncOptions = {}): string {
  const { status, stdout, stderr } = run(command, args, options);
  if (status !== 0) throw new Error(`${command} ended with ${status}:\n${stderr}`);
  return stdout;
}

/** What starting a program that is not there fails with. */
const ABSENT: ReadonlySet<string | undefined> = new Set(['ENOENT', 'EACCES', 'ENOTDIR']);

/**
 * Whether a program is there, which is asked for its version.
 *
 * @throws Error if it does not answer: tests that need it must not be skipped because the machine is busy
 */
export const isInstalled = (command: string, args: readonly string[] = ['--version']): boolean => {
  try {
    return run(command, args).status === 0;
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code)) return false;
    throw error;
  }
};
