import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { until } from '../support/until.js';
import { isRunning, Program, temporaryDirectory } from './program.js';

jest.setTimeout(900_000);

/** How long a run may take to begin on a busy machine, milliseconds: the first of a day makes the schema. */
const BEGINS_WITHIN_MS = 300_000;
const SMALL = ['--runTestsByPath', 'test/groups/group-limits.spec.ts'];
/** Tests that go on until their run is ended. */
const ENDLESS = ['--testMatch', '**/sandbox/endless/*.fixture.ts'];

describe('a run of the tests', () => {
  let place: string;

  beforeEach(() => {
    place = temporaryDirectory();
    chmodSync(place, 0o711);
  });
  afterEach(async () => {
    await Program.killAll();
    rmSync(place, { recursive: true, force: true });
  });

  /** As `npm test` does it, where no other runs are. */
  const start = (...args: string[]): Program => Program.script('test.mjs', { TMPDIR: place }, args);
  const folderOf = ({ pid }: Program): string | undefined =>
    readdirSync(place).find((name) => name.startsWith(`parley-run-${pid}-`));
  /** The process of the PostgreSQL of endless tests, once these run: one before has only made the schema. */
  const serverOf = (program: Program): number | undefined => {
    const folder = path.join(place, folderOf(program) ?? 'none');
    if (!existsSync(folder) || !readdirSync(folder).some((name) => name.startsWith('endless'))) return undefined;
    return Number(readFileSync(path.join(folder, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0]);
  };
  const passed = async (program: Program): Promise<void> => {
    expect([await program.exit, program.stderr]).toEqual([0, expect.stringContaining('Tests: ')]);
  };

  it('is not disturbed by others that begin, are killed and end meanwhile, and leaves nothing', async () => {
    const first = start(...SMALL);
    // It has looked for what others left before it has a folder.
    await first.until('a folder', () => folderOf(first), BEGINS_WITHIN_MS);
    const killed = start(...ENDLESS);
    const server = await killed.until('a PostgreSQL', () => serverOf(killed), BEGINS_WITHIN_MS);
    // What it has started goes on.
    killed.kill('SIGKILL');
    await until('it is gone', () => !killed.running);
    expect(isRunning(server)).toBe(true);
    const next = start(...SMALL);
    await until('the next one has ended what was left', () => !isRunning(server), BEGINS_WITHIN_MS);
    await passed(first);
    await passed(next);
    expect(readdirSync(place)).toEqual([]);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('leaves nothing after %s', async (signal) => {
    const program = start(...ENDLESS);
    const server = await program.until('a PostgreSQL', () => serverOf(program), BEGINS_WITHIN_MS);
    program.kill(signal);
    expect(await program.exit).not.toBe(0);
    expect([isRunning(server), readdirSync(place)]).toEqual([false, []]);
  });

  it('fails a file that leaves something behind, and says what', async () => {
    // Most of them leave what never ends by itself.
    const env = { TMPDIR: place, TEST_GRACE_MS: '10000' };
    const program = Program.script('test.mjs', env, ['--testMatch', '**/leftovers/*.fixture.ts']);
    expect(await program.exit).toBe(1);
    const found = program.stderr.split(/^(?=FAIL|PASS)/m).flatMap((part) => {
      const [, file] = /^(?:FAIL|PASS) \S*leftovers\/(\S+)\.fixture\.ts/.exec(part) ?? [];
      return file === undefined ? [] : [[file, part] as const];
    });
    const said = new Map(found);
    const left = (what: string) => expect.stringMatching(new RegExp(`The file has left behind:\\s+${what}`)) as string;
    expect(Object.fromEntries(said)).toEqual({
      file: left('in TMPDIR: forgotten\\.txt'),
      nothing: expect.stringMatching(/^PASS/) as string,
      process: left('process \\d+: \\S*node -e setInterval'),
      server: left('server at .*"port":\\d+'),
      timer: left('timer, set \\S.*leftovers/timer\\.fixture\\.ts:\\d+'),
      world: left('a World'),
    });
  });
});
