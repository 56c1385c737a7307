import { describeStartFailure } from '../src/config/start-failure.js';
import { type Assembly, assemble, type SandboxOptions } from './assembly.js';
import { Cleanup } from './cleanup.js';
import { nextSteps } from './next-steps.js';
import type { SandboxFile } from './sandbox-file.js';

export interface Sandbox {
  /** As in sandbox.json. */
  readonly details: SandboxFile;
  /** Drains the service, then stops the simulator and PostgreSQL. */
  stop(): Promise<void>;
  /** Kills the parts without waiting; the next start recovers. */
  abandon(): void;
}

/**
 * Starts PostgreSQL (unless DATABASE_URL is set), the simulator (unless NETWORK_BASE_URL is set) and, in this process,
 * the service with the roles of PARLEY_ROLES. Migrates the database, seeds it on the first start, and writes
 * sandbox.json once the service accepts requests. If any step fails, stops everything it started.
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

/** Runs the sandbox in the foreground: prints the next steps, and stops on Ctrl-C. A second Ctrl-C does not wait. */
export async function runSandbox({ dataDir }: { readonly dataDir: string }): Promise<void> {
  // A closed terminal or pipe must not prevent a clean stop.
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
