import { AccountTurns, type TurnRules } from './account-turns.js';
import { DatabaseUnavailable } from './database-unavailable.js';

/** Work that a test ends by name. */
class Work {
  readonly running: string[] = [];
  private readonly ends = new Map<string, () => void>();

  constructor(private readonly gate: AccountTurns) {}

  /** Requests a turn; the first letter of `name` is the account. */
  ask(name: string): Promise<string> {
    return this.gate.run(name.slice(0, 1), () => {
      this.running.push(name);
      return new Promise((resolve) =>
        this.ends.set(name, () => {
          this.running.splice(this.running.indexOf(name), 1);
          resolve(name);
        }),
      );
    });
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)?.();
    await settled();
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Advances the fake time of the gate's timers and clock. */
const passTime = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

const RULES: TurnRules = { busyBy: 'use', maxRunningBusy: 2, restsWhenBusy: false };

describe('AccountTurns', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
  afterEach(() => jest.useRealTimers());

  it('runs two operations per account, and the next when one of them ends', async () => {
    const work = new Work(new AccountTurns(4, RULES));
    const all = ['a1', 'a2', 'a3'].map((name) => work.ask(name));
    await settled();
    expect(work.running).toEqual(['a1', 'a2']);
    await work.end('a1');
    expect(work.running).toEqual(['a2', 'a3']);
    await work.end('a2');
    await work.end('a3');
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3']);
  });

  it('never runs more operations than there are connections', async () => {
    const work = new Work(new AccountTurns(3, RULES));
    for (const name of ['a1', 'b1', 'c1', 'd1', 'e1']) void work.ask(name);
    await settled();
    expect(work.running).toEqual(['a1', 'b1', 'c1']);
  });

  it('serves accounts round-robin, however much each has waiting', async () => {
    const work = new Work(new AccountTurns(2, RULES));
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1']) void work.ask(name);
    await settled();
    const served: string[] = [];
    for (let next = work.running[0]; next !== undefined; next = work.running[0]) {
      served.push(next);
      await work.end(next);
    }
    expect(served).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5']);
  });

  it('reserves the last connection for accounts with little recent use', async () => {
    const work = new Work(new AccountTurns(4, RULES));
    for (const name of ['a1', 'a2', 'b1', 'b2']) void work.ask(name);
    await settled();
    await passTime(1500);
    for (const name of ['a1', 'a2', 'b1', 'b2']) await work.end(name);
    for (const name of ['a3', 'a4', 'b3', 'b4']) void work.ask(name);
    await settled();
    expect(work.running).toEqual(['a3', 'a4', 'b3']);
    void work.ask('c1');
    await settled();
    expect(work.running).toEqual(['a3', 'a4', 'b3', 'c1']);
  });

  it('can run fewer operations of accounts with much recent use', async () => {
    const work = new Work(new AccountTurns(4, { busyBy: 'use', maxRunningBusy: 1, restsWhenBusy: false }));
    for (const name of ['a1', 'a2']) void work.ask(name);
    await settled();
    await passTime(1500);
    for (const name of ['a1', 'a2']) await work.end(name);
    for (const name of ['a3', 'a4', 'b1', 'b2']) void work.ask(name);
    await settled();
    expect(work.running).toEqual(['a3', 'b1', 'b2']);
    await work.end('a3');
    expect(work.running).toEqual(['b1', 'b2', 'a4']);
  });

  it('can pause busy accounts for as long as they have worked, while there are others', async () => {
    const work = new Work(new AccountTurns(4, { busyBy: 'use', maxRunningBusy: 1, restsWhenBusy: true }));
    void work.ask('b1');
    void work.ask('a1');
    await passTime(800);
    void work.ask('a2');
    await work.end('a1');
    expect(work.running).toEqual(['b1']);
    await passTime(780);
    expect(work.running).toEqual(['b1']);
    await passTime(30);
    expect(work.running).toEqual(['b1', 'a2']);
  });

  it('starts operations after a pause even when the timer fires early', async () => {
    const work = new Work(new AccountTurns(4, { busyBy: 'use', maxRunningBusy: 1, restsWhenBusy: true }));
    for (const name of ['b1', 'a1']) void work.ask(name);
    await passTime(800);
    void work.ask('a2');
    await work.end('a1');
    const onTime = performance.now.bind(performance);
    const late = jest.spyOn(performance, 'now').mockImplementation(() => onTime() - 5);
    await passTime(820);
    late.mockRestore();
    expect(work.running).toEqual(['b1', 'a2']);
  });

  it('keeps the last connection from accounts that recently hit a lock', async () => {
    const gate = new AccountTurns(3, { busyBy: 'locks', maxRunningBusy: 1, restsWhenBusy: false });
    const work = new Work(gate);
    const locked = Object.assign(new Error('locked'), { code: '55P03' });
    for (const account of ['a', 'b', 'c']) await gate.run(account, () => Promise.reject(locked)).catch(() => undefined);
    for (const name of ['a1', 'a2', 'b1', 'c1']) void work.ask(name);
    await settled();
    expect(work.running).toEqual(['a1', 'b1']);
    for (const name of ['d1', 'd2']) void work.ask(name);
    await settled();
    expect(work.running).toEqual(['a1', 'b1', 'd1']);
    await work.end('d1');
    expect(work.running).toEqual(['a1', 'b1', 'd2']);
  });

  it('forgets past use over time', async () => {
    const work = new Work(new AccountTurns(2, RULES));
    void work.ask('a1');
    await passTime(1500);
    await work.end('a1');
    await passTime(60_000);
    for (const name of ['a2', 'a3']) void work.ask(name);
    await settled();
    expect(work.running).toEqual(['a2', 'a3']);
  });

  it('shares a single connection among all accounts', async () => {
    const work = new Work(new AccountTurns(1, RULES));
    void work.ask('a1');
    await passTime(1500);
    void work.ask('a2');
    await work.end('a1');
    expect(work.running).toEqual(['a2']);
  });

  it('rejects work whose turn has not come after 5 s, and gives the turn to the next', async () => {
    const gate = new AccountTurns(1, RULES);
    const work = new Work(gate);
    void work.ask('a1');
    const late = work.ask('b1').catch((error: unknown) => error);
    await passTime(4000);
    void work.ask('c1');
    await passTime(1100);
    expect(await late).toBeInstanceOf(DatabaseUnavailable);
    expect((await late) as Error).toHaveProperty('message', 'the request waited longer than 5 s for the database');
    await work.end('a1');
    expect(work.running).toEqual(['c1']);
    expect(gate.refusals).toBe(1);
  });

  it('rejects immediately when an account has too much waiting, and still accepts others', async () => {
    const work = new Work(new AccountTurns(4, RULES));
    for (let n = 0; n < 1002; n += 1) void work.ask(`a${n}`).catch(() => undefined);
    await expect(work.ask('a1002')).rejects.toThrow('too many requests of this account are waiting for the database');
    void work.ask('b1');
    await settled();
    expect(work.running).toEqual(['a0', 'a1', 'b1']);
  });

  it('continues after failed work', async () => {
    const gate = new AccountTurns(1, RULES);
    await expect(gate.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await gate.run('a', () => Promise.resolve('fine'))).toBe('fine');
  });
});
