import { appendFileSync, readFileSync } from 'node:fs';

// Loaded into the measured process with `--import`. Notes each turn of its event loop that used the processor for long,
// one number of milliseconds a line. Time that other processes took doesn't count.

/** Shorter turns are not noted, milliseconds. */
const MIN_MS = 10;
const file = process.env['BENCH_TURNS'];

/** The processor time of this thread, milliseconds. */
const used = (): number => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ', 1)[0]) / 1e6;

function watch(path: string): void {
  let before = used();
  const turn = (): void => {
    const now = used();
    if (now - before >= MIN_MS) appendFileSync(path, `${(now - before).toFixed(1)}\n`);
    before = used();
    // Unreferenced, it runs once per turn and doesn't keep the loop from waiting.
    setImmediate(turn).unref();
  };
  turn();
}

if (file !== undefined) watch(file);
