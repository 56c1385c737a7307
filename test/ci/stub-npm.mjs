// Plays npm for a copy of .ci/run: does what STUB_PLAN says for each step, and reports through the real reporter.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const { STUB_PLAN, STUB_STATE, TEST_PG_MAJOR, FAULT_ROUNDS } = process.env;
const args = process.argv.slice(2);
const script = args[0] === 'run' ? args[2] : args[0];
const only = args.includes('--runTestsByPath') ? args.at(-1) : undefined;
const call = [script, TEST_PG_MAJOR, only].filter(Boolean).join(' ');

// Each call of a kind has its own turn of the plan; the last one holds for all that follow.
fs.appendFileSync(path.join(STUB_STATE, 'calls'), `${call}${FAULT_ROUNDS ? ` FAULT_ROUNDS=${FAULT_ROUNDS}` : ''}\n`);
const before = fs
  .readFileSync(path.join(STUB_STATE, 'calls'), 'utf8')
  .split('\n')
  .filter((line) => line.replace(/ FAULT_ROUNDS=.*/, '') === call).length;
const good = only === undefined ? { file: 'test/good.spec.ts', passed: 1 } : { file: only, passed: 3 };
const turns = JSON.parse(STUB_PLAN)[call] ?? [{ files: [good] }];
const turn = turns[Math.min(before, turns.length) - 1];

const { default: CiReporter } = await import(pathToFileURL(path.resolve('scripts/ci-reporter.mjs')).href);
const reporter = new CiReporter();
if (turn.output) console.log(turn.output);
if (process.env.CI_EVENTS && args.some((argument) => argument.startsWith('--reporters'))) {
  for (const { file, passed = 0, failed = {}, broken, runs, seconds = 0 } of turn.files ?? []) {
    const test = { path: path.resolve(file) };
    reporter.onTestFileStart(test);
    if (runs) continue;
    const failures = Object.entries(failed).map(([title, message]) => ({
      status: 'failed',
      ancestorTitles: ['a thing'],
      title,
      failureMessages: [message],
    }));
    const passes = Array.from({ length: passed }, (_, index) => ({ status: 'passed', title: `passes ${index}` }));
    reporter.onTestFileResult(test, {
      testResults: [...failures, ...passes],
      testExecError: broken && { message: '', stack: broken },
      numPassingTests: passed,
      perfStats: { runtime: seconds * 1000 },
    });
  }
  if (!turn.hangs && !turn.dies) reporter.onRunComplete?.();
}
if (turn.hangs) {
  // One leaves the group and holds our output, as PostgreSQL may, and the other ignores SIGTERM.
  const forever = (source) => ['-e', `${source}setInterval(() => {}, 1000)`];
  const away = spawn(process.execPath, forever(''), { detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
  const deaf = turn.hangs === 'deaf' && spawn(process.execPath, forever("process.on('SIGTERM', () => {});"));
  fs.writeFileSync(
    path.join(STUB_STATE, 'hanging.new'),
    JSON.stringify([process.pid, away.pid, ...(deaf ? [deaf.pid] : [])]),
  );
  fs.renameSync(path.join(STUB_STATE, 'hanging.new'), path.join(STUB_STATE, 'hanging'));
  setInterval(() => {}, 1000);
} else if (turn.leaves) {
  const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'inherit' });
  fs.writeFileSync(path.join(STUB_STATE, 'left'), JSON.stringify([left.pid]));
  // Long enough to be noted as ours on a busy machine; on an idle one that happens twice a second.
  setTimeout(() => process.exit(turn.code ?? 0), 15_000);
} else {
  process.exitCode = turn.code ?? 0;
}
