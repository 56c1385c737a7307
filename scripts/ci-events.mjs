// Reads what scripts/ci-reporter.mjs has written about one run of jest.
import fs from 'node:fs';

/**
 * @returns `{ passed, failures, running }`: the number of tests that passed by file, the failures as
 * `{ file, title, message }`, and the files that had started and not ended
 */
export function readEvents(path) {
  const passed = new Map();
  const failures = [];
  const running = new Set();
  for (const { event, file, ...details } of linesOf(path)) {
    if (event === 'started') running.add(file);
    else if (event === 'failed') failures.push({ file, ...details });
    else {
      running.delete(file);
      passed.set(file, details.passed);
    }
  }
  return { passed, failures, running: [...running] };
}

/** The last line of a run that was killed may be incomplete. */
function linesOf(path) {
  if (!fs.existsSync(path)) return [];
  const lines = fs.readFileSync(path, 'utf8').split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line));
}
