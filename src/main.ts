import 'reflect-metadata';
import { createParley, type Parley } from './bootstrap.js';
import { loadEnvironment } from './config/environment.js';
import { describeStartFailure } from './config/start-failure.js';
import { PROCESS_ENDS_AFTER_MS } from './runtime/shutdown.js';

let parley: Parley | null = null;

/** Stops in order, or by force when that takes too long; a second signal of the same kind does not wait. */
function stop(): void {
  // Nothing is under way yet. Without a handler, the first process of a container would ignore the signal.
  if (parley === null) process.exit(0);
  setTimeout(() => fail(`not stopped after ${PROCESS_ENDS_AFTER_MS / 1000} s: ending by force`), PROCESS_ENDS_AFTER_MS);
  parley.close().then(
    () => process.exit(0),
    (error: unknown) => fail(`not stopped in order: ${(error as Error).message}`),
  );
}

function fail(line: string): void {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
try {
  parley = await createParley(loadEnvironment());
  const url = await parley.listen();
  process.stdout.write(url === '' ? 'Parley works its queues\n' : `Parley listens on ${url}\n`);
  if (parley.operationsUrl !== null)
    process.stdout.write(`Parley shows its metrics on ${parley.operationsUrl}/metrics\n`);
} catch (error) {
  fail(describeStartFailure(error));
}
