// What .ci/run runs: installs packages, takes the steps in order, repeats what may have failed by chance, and says what
// failed. For its own test (test/ci), CI_LIMITS sets limits (such as `tests=2 all=9`) and CI_PACKAGES the packages.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runStep } from './ci-step.mjs';
import { closingLines, mayBeChance, reasonLines } from './ci-summary.mjs';

/** Seconds; `packages` for installing them, `all` for the whole run. */
const LIMITS = {
  packages: 300,
  check: 300,
  image: 120,
  tests: 2400,
  console: 1200,
  core: 900,
  faults: 1200,
  all: 4500,
};
/** Debian's packages, named as their programs. Without them, the tests that need them are reported as skipped. */
const PACKAGES = 'redis-server pgbouncer chromium';
const PROGRAMS = (process.env.CI_PACKAGES ?? PACKAGES).split(' ').filter(Boolean);
/** What a package is of no use without. */
const COMPANIONS = { chromium: ['fonts-noto-core'] };
const REPETITIONS = 3;
/** With more failed files, something is broken, and repeating them would tell nothing new. */
const MAX_REPEATED = 10;
const MAX_UNSTEADY = 3;
/** Lines of the output that are shown of a step that failed without a failed test. */
const TAIL_LINES = 10;

const core = (major) => ({
  name: `PostgreSQL ${major}`,
  limit: 'core',
  npm: ['run', '--silent', 'test:core'],
  env: { TEST_PG_MAJOR: major },
  jest: ['--maxWorkers=1'],
});
/** What holds the core's routes, tables and events to what Parley promises holds those of the example to it, too. */
const EXTENDED = { EXTENSIONS_DIR: 'examples/extension-surveys' };
/**
 * Those that say how long others wait while something fails need the machine to themselves, and run with
 * `npm run test:faults`.
 */
const KILLS = 'kill|campaign-seeds|erasure-seeds|shutdown-under-load|sweep-leader|wrong-clock|webhooks';

const results = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-ci-'));
/** In order; those within one list run side by side, because each spends half of its time waiting. */
const STEPS = [
  [{ name: 'check', limit: 'check', npm: ['run', '--silent', 'check'] }],
  // The example in the product as it is built for an image.
  [
    {
      name: 'image',
      limit: 'image',
      npm: ['run', '--silent', 'build', '--', '--out', path.join(results, 'build')],
      env: EXTENDED,
    },
  ],
  [{ name: 'tests', limit: 'tests', npm: ['test', '--silent'], env: EXTENDED, jest: [] }],
  [{ name: 'console', limit: 'console', npm: ['run', '--silent', 'test:console'], jest: [], needs: 'chromium' }],
  [
    core('17'),
    core('16'),
    {
      name: 'faults',
      limit: 'faults',
      npm: ['run', '--silent', 'test:faults'],
      env: { FAULT_ROUNDS: '1' },
      // Two at a time: they spend most of their time waiting.
      jest: ['--maxWorkers=2', '--testPathPatterns', KILLS],
    },
  ],
];

const started = performance.now();
const given = (process.env.CI_LIMITS ?? '').split(' ').filter(Boolean);
const limits = { ...LIMITS, ...Object.fromEntries(given.map((pair) => pair.split('='))) };
const secondsLeft = () => limits.all - (performance.now() - started) / 1000;
const interruption = new AbortController();
// It may come twice: timeout(1) sends it to us, and then to our group.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interruption.abort(signal));
let runs = 0;

/** Runs a command within the limit of its step, or of the whole run. */
function run(command, { limit, env = {} }, options = {}) {
  runs += 1;
  const events = path.join(results, `${runs}.jsonl`);
  return runStep({
    command,
    env: { ...env, CI_EVENTS: events },
    events,
    log: path.join(results, `${runs}.log`),
    seconds: Number(limits[limit]),
    secondsLeft: secondsLeft(),
    signal: interruption.signal,
    ...options,
  });
}

/**
 * Runs a step, or only one of its test files. Jest that ends before all files have run has failed, whatever its exit
 * code: a test may have ended the process.
 */
async function runTests(step, { file, ...options } = {}) {
  const reporter = path.resolve('scripts/ci-reporter.mjs');
  const jest = step.jest ? ['--', '--reporters=default', `--reporters=${reporter}`] : [];
  // `--reporters` takes every argument up to the next option, so the file must not follow it.
  const only = file === undefined ? (step.jest ?? []) : ['--runTestsByPath', file];
  const outcome = await run(['npm', ...step.npm, ...jest, ...only], step, options);
  return step.jest && outcome.end === 'passed' && !outcome.isFinished ? { ...outcome, end: 'failed' } : outcome;
}

const isThere = (program) =>
  (process.env.PATH ?? '').split(path.delimiter).some((folder) => fs.existsSync(path.join(folder, program)));

async function installPackages() {
  const missing = PROGRAMS.filter((name) => !isThere(name));
  if (missing.length === 0) return;
  const root = process.getuid?.() === 0 ? '' : 'sudo -n ';
  const install = 'env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends';
  const packages = missing.flatMap((name) => [name, ...(COMPANIONS[name] ?? [])]);
  const command = `${root}apt-get -qq update && ${root}${install} ${packages.join(' ')}`;
  const { end, output } = await run(['sh', '-c', command], { limit: 'packages' }, { quiet: true });
  if (end !== 'passed') console.log(`Could not install ${missing.join(', ')}:\n${output.slice(-5).join('\n')}`);
}

/** Takes a step. If it passes, it says so at once, otherwise after the repetition. */
async function take(step, quiet) {
  console.log(`== ${step.name}`);
  const outcome = await runTests(step, { quiet });
  if (outcome.end === 'passed') console.log(`== ${step.name}: passed (${outcome.seconds} s)`);
  else console.log(`${step.name} did not pass (${outcome.seconds} s).`);
  return { step, outcome };
}

async function takeAll() {
  const taken = [];
  for (const steps of STEPS) {
    const group = steps.filter(({ needs }) => needs === undefined || (PROGRAMS.includes(needs) && isThere(needs)));
    for (const { name, needs } of steps.filter((step) => !group.includes(step))) {
      console.log(`skipped: ${name}, because ${needs} is not installed`);
    }
    const together = await Promise.all(group.map((step, index) => take(step, index > 0)));
    for (const { outcome } of together.slice(1)) console.log(outcome.output.join('\n'));
    taken.push(...together);
  }
  return taken;
}

/** Repeats each step that ended without a failed test: its setup or teardown broke. */
async function repeatBroken(taken) {
  for (const one of taken) {
    const { step, outcome } = one;
    if (!step.jest || outcome.end !== 'failed' || outcome.failures.length > 0 || secondsLeft() <= 0) continue;
    console.log(`${step.name} failed without a failed test, and is repeated.`);
    one.broke = outcome;
    one.outcome = await runTests(step);
  }
}

/** The test files that failed, each with its failures. */
function failedFiles(taken) {
  return taken.flatMap(({ step, outcome }) => {
    const files = [...new Set(outcome.failures.map(({ file }) => file))];
    return files.map((file) => ({ step, file, failures: outcome.failures.filter((failure) => failure.file === file) }));
  });
}

/** A file may have failed in several steps. */
const countFiles = (failed) => new Set(failed.map(({ file }) => file)).size;

async function repeatFiles(files) {
  if (countFiles(files) > MAX_REPEATED) {
    console.log(`${countFiles(files)} files failed. None is repeated, because that is more than ${MAX_REPEATED}.`);
    return;
  }
  for (const failed of files) {
    if (mayBeChance(failed.file, failed.failures)) await repeat(failed);
  }
}

/** Repeats a file alone. It is unsteady, rather than failed, if it passes each time. */
async function repeat(failed) {
  const { step, file, failures } = failed;
  let passed = 0;
  for (let round = 1; round <= REPETITIONS; round += 1) {
    if (secondsLeft() <= 0 || interruption.signal.aborted) return;
    console.log(`Repeating ${file} (${step.name}), ${round} of ${REPETITIONS}`);
    const again = await runTests(step, { file });
    if (again.end !== 'passed') {
      const known = new Set(failures.map(({ title }) => title));
      failures.push(...again.failures.filter((failure) => failure.file === file && !known.has(failure.title)));
      return;
    }
    passed = again.passed.get(file) ?? 0;
  }
  failed.isUnsteady = true;
  failed.passed = passed;
}

/** What failed of a step and is no test, as `{ name, lines }`. */
function stepFailures({ step, outcome: { end, why, code, failures, running, isFinished, output } }) {
  if (end === 'limit' || end === 'cut') return [{ name: `${step.name} › ${end}`, lines: [why, ...running] }];
  const hasRun = failures.length > 0 || running.length > 0;
  if (end === 'failed' && step.jest && !isFinished && hasRun) {
    return [{ name: `${step.name} › (did not finish)`, lines: [`exit ${code}`, ...running] }];
  }
  if (end === 'passed' || failures.length > 0) return [];
  const tail = output.slice(-TAIL_LINES);
  if (step.jest) return [{ name: `${step.name} › (setup)`, lines: [`exit ${code}`, ...tail] }];
  // As scripts/steps.mjs prints them.
  const parts = output.flatMap((line) => /^FAILED (.+) \([\d.]+ s\)$/.exec(line)?.[1] ?? []);
  if (parts.length > 0) return parts.map((part) => ({ name: `${step.name} › ${part}`, lines: [] }));
  return [{ name: `${step.name} › exit ${code}`, lines: tail }];
}

const named = ({ step, file, failures }) =>
  failures.map(({ title, message }) => ({
    name: `${step.name} › ${file} › ${title}`,
    lines: reasonLines(file, message),
  }));

/** `passed`, `failed` or `limit`, with what the repetition has shown. */
function verdict({ step, outcome }, files) {
  if (outcome.end !== 'failed') return outcome.end === 'cut' ? 'failed' : outcome.end;
  // Its files say nothing about those that did not run.
  if (!outcome.isFinished) return 'failed';
  const own = files.filter((file) => file.step === step);
  return own.length > 0 && own.every(({ isUnsteady }) => isUnsteady) ? 'passed' : 'failed';
}

/** Prints the verdicts that are still missing and the closing lines; returns the exit code. */
function close(taken, files) {
  for (const one of taken.filter(({ outcome, broke }) => outcome.end !== 'passed' || broke)) {
    const word = verdict(one, files);
    console.log(`== ${one.step.name}: ${word}${word === 'passed' ? ` (${one.outcome.seconds} s)` : ''}`);
  }
  const unsteadyFiles = files.filter(({ isUnsteady }) => isUnsteady);
  const tooMany = `${countFiles(unsteadyFiles)} files passed only when they were repeated, of ${MAX_UNSTEADY} that may`;
  const failed = [
    ...taken.flatMap(stepFailures),
    ...(countFiles(unsteadyFiles) > MAX_UNSTEADY ? [{ name: tooMany, lines: [] }] : []),
    ...files.filter(({ isUnsteady }) => !isUnsteady).flatMap(named),
  ];
  const mended = taken.filter(({ outcome, broke }) => broke && outcome.end === 'passed');
  const unsteady = [
    ...mended.map(({ step, broke }) => ({ name: `${step.name} › (setup)`, lines: broke.output.slice(-TAIL_LINES) })),
    ...unsteadyFiles.flatMap(named),
  ];
  const passedIn = ({ step, outcome }) =>
    [...outcome.passed].map(([file, count]) => {
      const again = unsteadyFiles.find((failed) => failed.step === step && failed.file === file);
      return again?.passed ?? count;
    });
  const passed = taken.flatMap(passedIn).reduce((sum, count) => sum + count, 0);
  const times = taken.flatMap(({ step, outcome }) =>
    [...outcome.fileSeconds].map(([file, seconds]) => ({ name: `${step.name} › ${file}`, seconds })),
  );
  console.log(closingLines({ failed, unsteady, passed, times }).join('\n'));
  return failed.length === 0 && passed > 0 ? 0 : 1;
}

await installPackages();
const taken = await takeAll();
await repeatBroken(taken);
const files = failedFiles(taken);
await repeatFiles(files);
const code = close(taken, files);
fs.rmSync(results, { recursive: true, force: true });
process.exit(code);
