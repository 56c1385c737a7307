import { createInterface } from 'node:readline';
import { Simulator } from './simulator.js';
import { parseOptions } from './simulator-options.js';

// Ctrl-C reaches the whole process group; the parent decides when to stop us.
process.on('SIGINT', () => undefined);

function fail(error: unknown): void {
  const problem = error as NodeJS.ErrnoException & { port?: number };
  const reason = problem.code === 'EADDRINUSE' ? `port ${problem.port} is taken` : problem.message;
  process.stderr.write(`simulator: ${reason}\n`);
  process.exit(1);
}

let simulator: Simulator | undefined;
let ending = false;

async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  await simulator?.stop();
  process.exit(0);
}

const input = createInterface({ input: process.stdin });
input.once('line', (line) => {
  Promise.resolve(line)
    .then(parseOptions)
    .then(Simulator.start)
    .then((started) => {
      simulator = started;
      process.stdout.write(`${JSON.stringify({ url: started.url, pid: process.pid })}\n`);
      if (ending) return started.stop();
    })
    .catch(fail);
});
// The pipe closes when the parent exits, even after a kill.
input.once('close', () => void end());
process.on('SIGTERM', () => void end());
