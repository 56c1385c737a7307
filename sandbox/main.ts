import { describeStartFailure } from '../src/config/start-failure.js';
import { type Assembly, assemble, type SandboxOptions } from './assembly.js';
import { Cleanup } from './cleanup.js';
import { nextSteps } from './next-steps.js';
import type { SandboxFile } from './sandbox-file.js';

export interface Sandbox {
  /** As in sandbox.json. */
  readonly details: SandboxFile;
  /** Drains the service, then ends the simulator, then PostgreSQL. */
  stop(): Promise<void>;
  /** Ends what it can at once, without waiting; the next start heals. */
  abandon(): void;
}

/**
 * Starts PostgreSQL (unless DATABASE_URL is set), the simulator (unless NETWORK_BASE_URL is set) and the service with the
 * roles of PARLEY_ROLES in this process; migrates, seeds at the first start, and writes sandbox.json when it answers.
 * If anything fails, what was started is stopped again.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const cleanup = new Cleanup();
  let assembly: Assembly;
  try {
    assembly = await assemble(options, cleanup);
  } catch (error) {
    await cleanup.run().catch((failure: Error) => console.error(failure.message));
    throw error;
  }
  const { details, postgres, simulator } = assembly;
  return {
    details,
    stop: () => cleanup.run(),
    abandon: () => {
      simulator?.abandon();
      postgres?.abandon();
    },
  };
}

/** The sandbox in the foreground: says what to do next and stops at the first Ctrl-C; a second one does not wait. */
export async function runSandbox({ dataDir }: { readonly dataDir: string }): Promise<void> {
  // A terminal that was closed, or a pipe that nobody reads, must not keep it from stopping cleanly.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  let sandbox: Sandbox | undefined;
  const interruption = new AbortController();
  const interrupted = new Promise<void>((resolve) => {
    const interrupt = () => {
      if (interruption.signal.aborted) {
        sandbox?.abandon();
        process.exit(130);
      }
      console.log('Stopping …');
      interruption.abort();
      resolve();
    };
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, interrupt);
  });
  try {
    sandbox = await startSandbox({ dataDir, signal: interruption.signal });
  } catch (error) {
    if (interruption.signal.aborted) process.exit(0);
    console.error(describeStartFailure(error));
    process.exit(1);
  }
  console.log(nextSteps(sandbox.details, dataDir));
  await interrupted;
  try {
    await sandbox.stop();
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
  process.exit(0);
}
