import { setTimeout as pause } from 'node:timers/promises';
import { isRunning } from '../sandbox/program.js';
import { guardFailure } from '../support/guard-failure.js';
import { until } from '../support/until.js';
import { CiCopy, type Plan, type PlannedFile, type Turn } from './ci-copy.js';

const FILE = 'test/odd.spec.ts';
const MESSAGE = `Error: expect(received).toBe(expected) // Object.is equality

Expected: 1
Received: 2
    at until (${'/'}elsewhere/test/support/until.ts:9:1)`;
const REASON = [
  '  Error: expect(received).toBe(expected) // Object.is equality',
  '  Expected: 1',
  '  Received: 2',
  '  /elsewhere/test/support/until.ts:9',
];

const failing = (file = FILE, message = MESSAGE, title = 'fails'): PlannedFile => ({
  file,
  passed: 2,
  failed: { [title]: message },
});
const good: Turn = { files: [{ file: FILE, passed: 3 }] };
const failed = (...files: PlannedFile[]): Turn => ({ files, code: 1 });

describe('.ci/run', () => {
  afterEach(() => CiCopy.endAll());

  /** Runs to its end. */
  async function run(
    plan: Plan,
    limits = '',
    programs = '',
  ): Promise<{ ci: CiCopy; code: number | NodeJS.Signals | null; ending: string[] }> {
    const ci = CiCopy.start(plan, limits, programs);
    const code = await ci.exit;
    // What follows the last line that announces a step or a repetition.
    const announced = ci.lines.findLastIndex((line) => /^== [^:]+$|^Repeating |did not pass|repeated\.$/.test(line));
    return { ci, code, ending: ci.lines.slice(announced + 1) };
  }

  it('takes all steps, and says so while it runs', async () => {
    const { ci, code } = await run({ check: [{}] });
    expect(code).toBe(0);
    expect(ci.lines.filter((line) => line.startsWith('== '))).toEqual([
      '== check',
      expect.stringMatching(/^== check: passed \(\d+ s\)$/),
      '== image',
      expect.stringMatching(/^== image: passed \(\d+ s\)$/),
      '== tests',
      expect.stringMatching(/^== tests: passed \(\d+ s\)$/),
      '== PostgreSQL 17',
      '== PostgreSQL 16',
      '== faults',
      ...Array.from({ length: 3 }, () => expect.stringMatching(/^== (PostgreSQL 1[67]|faults): passed \(\d+ s\)$/)),
    ]);
    expect(ci.lines.at(-1)).toBe('4 passed, 0 failed');
    expect([...ci.calls].sort()).toEqual([
      'build',
      'check',
      'test',
      'test:core 16',
      'test:core 17',
      'test:faults FAULT_ROUNDS=1',
    ]);
  });

  it('tests the console in a browser where Chromium is, and says where it is not', async () => {
    const skipped = 'skipped: console, because chromium is not installed';
    const without = await run({});
    expect([without.code, without.ci.lines.includes(skipped)]).toEqual([0, true]);
    const again = { [`test:console ${FILE}`]: [failed(failing())] };
    const { ci, code } = await run({ 'test:console': [failed(failing())], ...again }, '', 'chromium');
    expect([code, ci.lines.includes(skipped)]).toEqual([1, false]);
    expect(ci.lines).toContain(`failed: console › ${FILE} › a thing › fails`);
    const steps = ci.lines.flatMap((line) => /^== ([^:]+)$/.exec(line)?.[1] ?? []);
    expect(steps).toEqual(['check', 'image', 'tests', 'console', 'PostgreSQL 17', 'PostgreSQL 16', 'faults']);
  });

  it('lists the ten files that took longest', async () => {
    const files = Array.from({ length: 9 }, (_, index) => ({
      file: `test/f${index}.spec.ts`,
      passed: 1,
      seconds: index,
    }));
    const { ending } = await run({
      test: [{ files }],
      'test:core 16': [{ files: [{ file: FILE, passed: 1, seconds: 70 }] }],
      'test:faults': [{ files: [{ file: 'test/faults/a.spec.ts', passed: 1, seconds: 100 }, failing()], code: 1 }],
      [`test:faults ${FILE}`]: [failed(failing())],
    });
    const slowest = ending.filter((line) => line.startsWith('slowest: '));
    expect(slowest.slice(0, 3)).toEqual([
      'slowest: 100 s, faults › test/faults/a.spec.ts',
      `slowest: 70 s, PostgreSQL 16 › ${FILE}`,
      'slowest: 8 s, tests › test/f8.spec.ts',
    ]);
    expect(slowest).toHaveLength(10);
    expect(ending.slice(-2 - REASON.length)).toEqual([
      `failed: faults › ${FILE} › a thing › fails`,
      ...REASON,
      expect.stringMatching(/^\d+ passed, 1 failed$/),
    ]);
  });

  it('fails for a test that fails again, and says why', async () => {
    const { ci, code, ending } = await run({ test: [failed(failing())], [`test ${FILE}`]: [failed(failing())] });
    expect(code).toBe(1);
    expect(ending).toEqual([
      '== tests: failed',
      `failed: tests › ${FILE} › a thing › fails`,
      ...REASON,
      '5 passed, 1 failed',
    ]);
    expect(ci.calls.filter((call) => call.includes(FILE))).toHaveLength(1);
  });

  it('calls a file unsteady that passes three times when it is repeated alone', async () => {
    const { ci, code, ending } = await run({ test: [failed(failing())] });
    expect(code).toBe(0);
    expect(ending).toEqual([
      expect.stringMatching(/^== tests: passed/),
      `unsteady: tests › ${FILE} › a thing › fails`,
      ...REASON,
      '6 passed, 0 failed',
    ]);
    expect(ci.calls.filter((call) => call === `test ${FILE}`)).toHaveLength(3);
  });

  it('repeats with the script and the environment of the step', async () => {
    const { ci, code } = await run({
      'test:core 16': [failed(failing())],
      'test:faults': [failed(failing('test/faults/odd.spec.ts'))],
    });
    expect(code).toBe(0);
    expect(ci.calls.slice(-6)).toEqual([
      ...Array.from({ length: 3 }, () => `test:core 16 ${FILE}`),
      ...Array.from({ length: 3 }, () => 'test:faults test/faults/odd.spec.ts FAULT_ROUNDS=1'),
    ]);
  });

  it('fails for a file that fails in one of three repetitions', async () => {
    const { code, ending } = await run({
      test: [failed(failing())],
      [`test ${FILE}`]: [good, failed(failing()), good],
    });
    expect(code).toBe(1);
    expect(ending).toEqual([
      '== tests: failed',
      `failed: tests › ${FILE} › a thing › fails`,
      ...REASON,
      '5 passed, 1 failed',
    ]);
  });

  it.each([
    ['a property', failing('test/a.property.spec.ts')],
    ['any property', failing(FILE, 'Error: Property failed after 3 tests')],
    ['odd requests', failing('test/http/fuzz.spec.ts')],
    ['a guard', { file: FILE, passed: 1, broken: String(guardFailure('statements')) }],
  ])('never repeats what %s has found', async (_, file) => {
    const { ci, code } = await run({ test: [failed(file)] });
    expect(code).toBe(1);
    expect(ci.calls).toHaveLength(6);
    expect(ci.lines).toContain('== tests: failed');
  });

  it('never repeats the check, and names what failed in it', async () => {
    const output = 'ok     types (2.0 s)\nFAILED house rules (0.4 s)\n       src/a.ts: is odd\n1 of 2 checks failed.';
    const { ci, code, ending } = await run({ check: [{ output, code: 1 }] });
    expect(code).toBe(1);
    expect(ending.slice(-3)).toEqual(['== check: failed', 'failed: check › house rules', '4 passed, 1 failed']);
    expect(ci.calls.filter((call) => call === 'check')).toHaveLength(1);
  });

  it('repeats nothing where more than ten files failed, and explains the first ten', async () => {
    const files = Array.from({ length: 11 }, (_, index) => failing(`test/file-${index + 10}.spec.ts`));
    const { ci, code, ending } = await run({ test: [failed(...files)] });
    expect(code).toBe(1);
    expect(ci.calls).toHaveLength(6);
    expect(ending.filter((line) => line.startsWith('failed: '))).toHaveLength(11);
    expect(ending.filter((line) => line === '  Expected: 1')).toHaveLength(10);
    expect(ending.slice(-2)).toEqual([
      'failed: tests › test/file-20.spec.ts › a thing › fails',
      '25 passed, 11 failed',
    ]);
  });

  it('fails when more than three files were unsteady', async () => {
    const files = Array.from({ length: 4 }, (_, index) => failing(`test/file-${index}.spec.ts`));
    const { code, ending } = await run({ test: [failed(...files)] });
    expect(code).toBe(1);
    expect(ending).toContain('failed: 4 files passed only when they were repeated, of 3 that may');
    expect(ending.filter((line) => line.startsWith('unsteady: '))).toHaveLength(4);
    expect(ending.at(-1)).toBe('15 passed, 1 failed');
    // One file in several steps is one file.
    const steps = ['test', 'test:core 16', 'test:core 17', 'test:faults'];
    const once = await run(Object.fromEntries(steps.map((step) => [step, [failed(failing())]])));
    expect({ code: once.code, last: once.ending.at(-1) }).toEqual({ code: 0, last: '12 passed, 0 failed' });
  });

  it('names a file that could not run, and one that failed after its tests', async () => {
    const files = [
      { file: 'test/a.spec.ts', broken: 'Error: no such module' },
      { file: 'test/b.spec.ts', passed: 1, broken: 'Error: something is open' },
    ];
    const again = Object.fromEntries(files.map((file) => [`test ${file.file}`, [failed(file)]]));
    const { ending } = await run({ test: [failed(...files)], ...again });
    expect(ending).toEqual([
      '== tests: failed',
      'failed: tests › test/a.spec.ts › (could not run)',
      '  Error: no such module',
      'failed: tests › test/b.spec.ts › (after its tests)',
      '  Error: something is open',
      '4 passed, 2 failed',
    ]);
  });

  it('repeats a step whose setup broke, once', async () => {
    const broken: Turn = { output: 'the template could not be made', code: 1 };
    const mended = await run({ test: [broken, good] });
    expect(mended.code).toBe(0);
    expect(mended.ending.slice(-4)).toEqual([
      expect.stringMatching(/^== tests: passed/),
      'unsteady: tests › (setup)',
      '  the template could not be made',
      '6 passed, 0 failed',
    ]);
    const { ci, code, ending } = await run({ test: [broken] });
    expect(code).toBe(1);
    expect(ci.calls.filter((call) => call === 'test')).toHaveLength(2);
    expect(ending.slice(-5)).toEqual([
      '== tests: failed',
      'failed: tests › (setup)',
      '  exit 1',
      '  the template could not be made',
      '3 passed, 1 failed',
    ]);
  });

  it.each([1, 0])('fails a step whose jest died with %i, whatever the files say that had run', async (code) => {
    const ran = code === 0 ? { file: FILE, passed: 3 } : failing();
    const dead = await run({ test: [{ files: [ran, { file: 'test/late.spec.ts', runs: true }], dies: true, code }] });
    expect(dead.code).toBe(1);
    expect(dead.ci.lines).toContain('== tests: failed');
    expect(dead.ci.lines).toContain('failed: tests › (did not finish)');
    expect(dead.ci.lines).toContain('  test/late.spec.ts');
  });

  it('ends a step at its limit with all its processes, and goes on', async () => {
    const plan: Plan = { test: [{ hangs: 'deaf', files: [failing('test/a.spec.ts'), { file: FILE, runs: true }] }] };
    const { ci, code, ending } = await run(plan, 'tests=20');
    expect(code).toBe(1);
    expect(ending).toEqual([
      '== tests: limit',
      'failed: tests › limit',
      '  after 20 s',
      `  ${FILE}`,
      'unsteady: tests › test/a.spec.ts › a thing › fails',
      ...REASON,
      '6 passed, 1 failed',
    ]);
    expect(ci.processes('hanging')?.filter(isRunning)).toEqual([]);
    expect(ci.calls).toContain('test:faults FAULT_ROUNDS=1');
  });

  it('ends the whole run at its limit', async () => {
    const { ci, code, ending } = await run({ test: [{ hangs: true, files: [{ file: FILE, runs: true }] }] }, 'all=45');
    expect(code).toBe(1);
    const missing = '  not begun: the whole run has reached its limit';
    expect(ending.slice(ending.indexOf('== tests: limit'))).toEqual([
      '== tests: limit',
      '== PostgreSQL 17: limit',
      '== PostgreSQL 16: limit',
      '== faults: limit',
      'failed: tests › limit',
      '  the whole run has reached its limit',
      `  ${FILE}`,
      ...['PostgreSQL 17', 'PostgreSQL 16', 'faults'].flatMap((step) => [`failed: ${step} › limit`, missing]),
      '0 passed, 4 failed',
    ]);
    expect(ci.processes('hanging')?.filter(isRunning)).toEqual([]);
  });

  it('prints the closing lines also when it is killed', async () => {
    const ci = CiCopy.start({ test: [{ hangs: 'deaf', files: [{ file: FILE, runs: true }] }] });
    const hanging = await until('the tests hang', () => ci.processes('hanging'));
    // As timeout(1) does: first the process, then its group.
    ci.kill('SIGTERM');
    await pause(50);
    ci.kill('SIGTERM');
    expect(await ci.exit).toBe(1);
    const missing = '  not begun: SIGTERM';
    expect(ci.lines.slice(ci.lines.indexOf('== tests: failed'))).toEqual([
      '== tests: failed',
      '== PostgreSQL 17: failed',
      '== PostgreSQL 16: failed',
      '== faults: failed',
      'failed: tests › cut',
      '  SIGTERM',
      `  ${FILE}`,
      ...['PostgreSQL 17', 'PostgreSQL 16', 'faults'].flatMap((step) => [`failed: ${step} › cut`, missing]),
      '0 passed, 4 failed',
    ]);
    expect(hanging.filter(isRunning)).toEqual([]);
  });

  it('does not wait for a process that a step has left, and ends it', async () => {
    const { ci, code } = await run({ test: [{ ...good, leaves: true }] });
    expect(code).toBe(0);
    expect(ci.processes('left')?.filter(isRunning)).toEqual([]);
    expect(ci.lines.at(-1)).toBe('6 passed, 0 failed');
  });
});
