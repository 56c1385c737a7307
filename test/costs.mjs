// What test files cost. `TEST_COSTS=FILE npm test -- ARGS` adds a line per test file to FILE: processor seconds of the
// jest worker, seconds that passed, processor seconds of the programs that the file started (on Linux), and its path.
// `sort -rn FILE | head` shows the dearest. Times of the clock say little on a busy machine, those of the processor do.
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../scripts/install.mjs';

/** Linux counts the times of processes in these, a hundredth of a second each. */
const TICKS_PER_SECOND = 100;

/** What this worker had used when it was done with the test file before, so that its own start counts too. */
let before = { own: 0, children: 0, at: performance.timeOrigin };

/** Writes down what this worker has used since the last call, as the cost of a test file. */
export function recordCost(testPath) {
  const { user, system } = process.cpuUsage();
  const now = { own: (user + system) / 1e6, children: childSeconds(), at: performance.timeOrigin + performance.now() };
  const costs = [now.own - before.own, (now.at - before.at) / 1000, now.children - before.children];
  before = now;
  const columns = [...costs.map((seconds) => seconds.toFixed(2)), path.relative(root, testPath)];
  fs.appendFileSync(process.env.TEST_COSTS, `${columns.join('\t')}\n`);
}

/** Processor seconds of ended children. */
function childSeconds() {
  try {
    // The name of the program, in brackets, may hold spaces. The 14th and 15th fields after it are `cutime`, `cstime`.
    const fields = fs.readFileSync('/proc/self/stat', 'utf8').split(') ').pop().split(' ');
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}
