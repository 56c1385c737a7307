// Reads what scripts/ci-reporter.mjs has written about one run of jest.
import fs from 'node:fs';

/**
 * @returns `{ passed, fileSeconds, failures, running, isFinished }`: the number of tests that passed and the seconds it took,
 * by file, the failures as `{ file, title, message }`, the files that had started and not ended, and whether all files
 * have run
 */
export function readEvents(path) {
  const passed = new Map();
  const fileSeconds = new Map();
  const failures = [];
  const running = new Set();
  let isFinished = false;
  for (const { event, file, ...details } of linesOf(path)) {
    if (event === 'started') running.add(file);
    else if (event === 'failed') failures.push({ file, ...details });
    else if (event === 'finished') isFinished = true;
    else {
      running.delete(file);
      passed.set(file, details.passed);
      fileSeconds.set(file, details.seconds);
    }
  }
  return { passed, fileSeconds, failures, running: [...running], isFinished };
}

/** The last line of a run that was killed may be incomplete. */
function linesOf(path) {
  if (!fs.existsSync(path)) return [];
  const lines = fs.readFileSync(path, 'utf8').split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line));
}
