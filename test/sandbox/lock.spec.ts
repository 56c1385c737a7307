import { linkSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { crowd } from '../support/crowd.js';
import { Program, temporaryDirectory } from './program.js';

const CONTENDER = `
  import { takeLock } from './scripts/lock.mjs';
  try {
    takeLock(process.env.LOCK);
    console.log('taken');
    process.stdin.resume();
    setInterval(() => {}, 1000);
  } catch (error) {
    console.log(error.name + ' ' + error.pid);
  }`;

describe('the lock of a data directory', () => {
  let directory: string;
  let file: string;

  beforeEach(() => {
    directory = temporaryDirectory();
    file = path.join(directory, 'lock');
  });

  afterEach(async () => {
    await Program.killAll();
    rmSync(directory, { recursive: true, force: true });
  });

  const contend = (count: number) => crowd(count, contender, count);
  const contender = async (): Promise<Program> => {
    const program = Program.module(CONTENDER, { LOCK: file });
    await program.until('an answer', () => program.stdout.includes('\n'));
    return program;
  };
  const winners = (programs: Program[]) => programs.filter(({ stdout }) => stdout === 'taken\n');

  it('goes to exactly one of several processes, and the others are told its owner', async () => {
    const programs = await contend(8);
    const [winner, ...others] = winners(programs);
    expect(others).toEqual([]);
    for (const program of programs) {
      if (program !== winner) expect(program.stdout).toBe(`LockHeldError ${winner?.pid}\n`);
    }
    expect(readdirSync(directory)).toEqual(['lock']);
  });

  it('is taken over by exactly one of several processes after kill -9 of its owner', async () => {
    const [owner] = await contend(1);
    owner?.kill('SIGKILL');
    await owner?.exit;
    expect(winners(await contend(8))).toHaveLength(1);
    expect(readdirSync(directory)).toEqual(['lock']);
  });

  it('is taken over when a process died during a takeover', async () => {
    writeFileSync(file, '{"pid":999999999,"token":"dead"}');
    const guarded = Program.module(`
      import { createHash } from 'node:crypto';
      import fs from 'node:fs';
      const hash = createHash('sha256').update(fs.readFileSync(process.env.LOCK)).digest('hex').slice(0, 12);
      fs.writeFileSync(process.env.LOCK + '.' + hash, '{"pid":999999998,"token":"dead too"}');`);
    await guarded.exit;
    expect(winners(await contend(4))).toHaveLength(1);
  });

  it('is taken over when its pid now belongs to another process', async () => {
    writeFileSync(file, JSON.stringify({ pid: process.pid, start: 'another boot:1', token: 'x' }));
    expect(winners(await contend(1))).toHaveLength(1);
  });

  it('is taken over when a power cut left it empty', async () => {
    writeFileSync(file, '');
    expect(winners(await contend(3))).toHaveLength(1);
  });

  it('is respected however it was created', async () => {
    const [owner] = await contend(1);
    const copy = `${file}.copy`;
    linkSync(file, copy);
    const [second] = await contend(1);
    expect(second?.stdout).toBe(`LockHeldError ${owner?.pid}\n`);
  });

  it('is free again after a release', async () => {
    const source = `
      import { takeLock } from './scripts/lock.mjs';
      takeLock(process.env.LOCK).release();
      takeLock(process.env.LOCK).release();
      console.log('twice');`;
    const program = Program.module(source, { LOCK: file });
    await program.exit;
    expect(program.stdout).toBe('twice\n');
    expect(readdirSync(directory)).toEqual([]);
  });

  it('can be waited for', async () => {
    const [owner] = await contend(1);
    const waiting = Program.module(
      `
      import { waitForLock } from './scripts/lock.mjs';
      await waitForLock(process.env.LOCK, { onWait: (pid) => console.log('waiting for ' + pid) });
      console.log('taken');
      process.exit();`,
      { LOCK: file },
    );
    await waiting.until('a wait', () => waiting.stdout.startsWith('waiting'));
    owner?.kill('SIGKILL');
    await waiting.exit;
    expect(waiting.stdout).toBe(`waiting for ${owner?.pid}\ntaken\n`);
  });
});
