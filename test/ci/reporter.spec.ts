import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../sandbox/program.js';
import { inherited } from '../support/inherited.js';

const TESTS = {
  'good.spec.js': "it('passes', () => {}); it.skip('waits', () => {});",
  'bad.spec.js': "describe('a thing', () => { it('passes', () => {}); it('fails', () => { expect(1).toBe(2); }); });",
  'broken.spec.js': "require('./missing.js');",
  'late.spec.js': "it('passes', () => {}); afterAll(() => { throw new Error('still open'); });",
};

describe('the reporter of .ci/run', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'parley-test-reporter-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('says of a run of jest what started, ended and failed', async () => {
    for (const [name, source] of Object.entries(TESTS)) writeFileSync(path.join(folder, name), source);
    const events = path.join(folder, 'events.jsonl');
    const reporter = path.join(ROOT, 'scripts/ci-reporter.mjs');
    const jest = path.join(ROOT, 'node_modules/jest/bin/jest.js');
    const config = JSON.stringify({
      testEnvironment: 'node',
      transform: {},
      cacheDirectory: path.join(folder, 'cache'),
    });
    await new Promise<void>((resolve, reject) => {
      execFile(
        process.execPath,
        [jest, '--rootDir', folder, '--config', config, '--runInBand', `--reporters=${reporter}`],
        { cwd: folder, env: { ...inherited(), CI_EVENTS: events }, timeout: 200_000, killSignal: 'SIGKILL' },
        (error) => (error?.code === 1 ? resolve() : reject(error ?? new Error('jest did not fail'))),
      );
    });
    const lines = readFileSync(events, 'utf8').trimEnd().split('\n');
    const seen = lines.map((line) => JSON.parse(line) as { event: string; file: string; message?: string });
    const of = (file: string): unknown[] => seen.filter((one) => one.file === file).map(({ file: _, ...rest }) => rest);
    const ended = (passed: number): unknown => ({ event: 'ended', passed, seconds: expect.any(Number) });
    expect(seen.at(-1)).toEqual({ event: 'finished' });
    expect(of('good.spec.js')).toEqual([{ event: 'started' }, ended(1)]);
    expect(of('bad.spec.js')).toEqual([
      { event: 'started' },
      { event: 'failed', title: 'a thing › fails', message: expect.stringMatching(/Expected: 2\n *Received: 1/) },
      ended(1),
    ]);
    expect(of('broken.spec.js')).toEqual([
      { event: 'started' },
      {
        event: 'failed',
        title: '(could not run)',
        message: expect.stringContaining("Cannot find module './missing.js'"),
      },
      ended(0),
    ]);
    expect(of('late.spec.js')).toEqual([
      { event: 'started' },
      { event: 'failed', title: '(after its tests)', message: expect.stringContaining('still open') },
      ended(1),
    ]);
  });
});
