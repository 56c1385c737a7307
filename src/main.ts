import 'reflect-metadata';
import type { Parley } from './bootstrap.js';
import { loadEnvironment } from './config/environment.js';
import { describeStartFailure } from './config/start-failure.js';
import { PROCESS_ENDS_AFTER_MS } from './runtime/shutdown.js';

let parley: Parley | null = null;

/** Shuts down gracefully, or by force when that takes too long. A second signal of the same kind kills the process. */
function stop(): void {
  // Nothing has started yet. Without a handler, PID 1 in a container would ignore the signal.
  if (parley === null) process.exit(0);
  setTimeout(
    () => fail(`shutdown took more than ${PROCESS_ENDS_AFTER_MS / 1000} s: exiting now`),
    PROCESS_ENDS_AFTER_MS,
  );
  parley.close().then(
    () => process.exit(0),
    (error: unknown) => fail(`shutdown failed: ${(error as Error).message}`),
  );
}

function fail(line: string): void {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
try {
  // Loaded here, so that rooms that contradict each other are one line too.
  const [{ createParley }, { MANIFEST }] = await Promise.all([import('./bootstrap.js'), import('./rooms.js')]);
  parley = await createParley(loadEnvironment(MANIFEST));
  const url = await parley.listen();
  process.stdout.write(url === '' ? 'Parley processes its queues\n' : `Parley listens on ${url}\n`);
  if (parley.operationsUrl !== null) process.stdout.write(`Parley serves metrics on ${parley.operationsUrl}/metrics\n`);
} catch (error) {
  fail(describeStartFailure(error));
}
