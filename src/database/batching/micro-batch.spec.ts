import { DatabaseUnavailable } from '../connections/database-unavailable.js';
import { MicroBatch, type MicroBatchOptions, NotStarted } from './micro-batch.js';

interface Item {
  readonly tenant: string;
  readonly name: string;
}

const locked = (): Error => Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
const broken = (): Error => Object.assign(new Error('invalid input syntax'), { code: '22P02' });

/** A batch that records its flushes and fails when `fails` returns an error. */
function batchOf(fails: (items: readonly Item[]) => Error | null, options: Partial<MicroBatchOptions<Item>> = {}) {
  const flushes: string[][] = [];
  const batch = new MicroBatch<Item, string>(
    async (items) => {
      flushes.push(items.map(({ tenant, name }) => `${tenant}${name}`));
      const error = fails(items);
      if (error !== null) throw error;
      return items.map(({ name }) => name.toUpperCase());
    },
    { name: 'test', maxItems: 10, concurrency: 1, tenantOf: ({ tenant }) => tenant, ...options },
  );
  const run = (...items: string[]) =>
    Promise.allSettled(items.map((item) => batch.run({ tenant: item[0] ?? '', name: item.slice(1) })));
  return { batch, flushes, run };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const values = (results: readonly PromiseSettledResult<string>[]): unknown[] =>
  results.map((result) => (result.status === 'fulfilled' ? result.value : (result.reason as Error)));

describe('a micro-batch', () => {
  // Items expire after three seconds, however busy the machine is, so those pass only when a test says so.
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
  afterEach(() => jest.useRealTimers());

  it('batches concurrent items and returns each caller its result', async () => {
    const { flushes, run } = batchOf(() => null);
    expect(values(await run('ax', 'by', 'az'))).toEqual(['X', 'Y', 'Z']);
    expect(flushes).toHaveLength(1);
  });

  it('serves tenants round-robin, so that none waits behind the backlog of another', async () => {
    const { flushes, run } = batchOf(() => null, { maxItems: 4 });
    await run('a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'c1');
    expect(flushes[0]).toEqual(['a1', 'b1', 'c1', 'a2']);
  });

  it('limits a flush by weight; an item above the limit goes alone', async () => {
    const { flushes, run } = batchOf(() => null, { maxItems: 4, weigh: ({ name }) => name.length });
    await run('axx', 'bxxxxxx', 'cx');
    expect(flushes).toEqual([['axx'], ['bxxxxxx'], ['cx']]);
  });

  it('keeps the flushes of an isolated tenant within maxItems, by number and by weight', async () => {
    const failures = [locked(), locked()];
    const { flushes, run } = batchOf(() => failures.pop() ?? null, { maxItems: 4 });
    await run(...Array.from({ length: 40 }, (_, n) => `a${n}`));
    expect(Math.max(...flushes.map((flush) => flush.length))).toBe(4);
    const heavy = [locked()];
    const weighed = batchOf(() => heavy.pop() ?? null, { maxItems: 4, weigh: ({ name }) => name.length });
    await weighed.run('axx', 'axx', 'axx', 'axxxxxxxx', 'axx', 'ax', 'ax', 'axx');
    expect(weighed.flushes.slice(1).map((flush) => flush.map((name) => name.length - 1))).toEqual([
      ...[[2], [8], [2, 1, 1], [2, 2], [2]],
    ]);
  });

  it('delays only the tenant whose rows are locked', async () => {
    let isLocked = true;
    const { flushes, run } = batchOf((items) =>
      isLocked && items.some(({ tenant }) => tenant === 'a') ? locked() : null,
    );
    const waiting = run('a1');
    expect(values(await run('b1', 'c1'))).toEqual(['1', '1']);
    const tried = flushes.length;
    expect(values(await run('b2', 'c2'))).toEqual(['2', '2']);
    // The blocked tenant does not make flushes of others fail again.
    expect(flushes.slice(tried).filter((flush) => flush.length > 1)).toEqual([['b2', 'c2']]);
    isLocked = false;
    expect(values(await waiting)).toEqual(['1']);
  });

  it('stores what it can for a tenant with one locked row, and rejects the rest in time', async () => {
    const { batch } = batchOf((items) => (items.some(({ name }) => name === 'locked') ? locked() : null));
    let outcome: unknown;
    const first = batch.run({ tenant: 'a', name: '1' });
    const held = batch.run({ tenant: 'a', name: 'locked' });
    const last = batch.run({ tenant: 'a', name: '2' });
    const ended = held.catch((error: unknown) => {
      outcome = error;
    });
    expect([await first, await last]).toEqual(['1', '2']);
    await jest.advanceTimersByTimeAsync(2900);
    expect(outcome).toBeUndefined();
    await jest.advanceTimersByTimeAsync(600);
    await ended;
    expect(outcome).toBeInstanceOf(NotStarted);
  });

  it('rejects only the item that fails', async () => {
    const { run } = batchOf((items) => (items.some(({ name }) => name === 'bad') ? broken() : null));
    const [good, bad, other] = values(await run('a1', 'abad', 'b1'));
    expect([good, other]).toEqual(['1', '1']);
    expect(bad).toMatchObject({ code: '22P02' });
  });

  it('rejects all items together while the database is down, without trying them one by one', async () => {
    const { flushes, run } = batchOf(() => new DatabaseUnavailable('away'));
    for (const value of values(await run('a1', 'a2', 'b1'))) expect(value).toMatchObject({ message: 'away' });
    expect(flushes).toHaveLength(1);
  });

  it('rejects immediately when a tenant has too much waiting, and accepts the items of others', async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const batch = new MicroBatch<Item, null>(
      async (items) => {
        await gate;
        return items.map(() => null);
      },
      { name: 'test', maxItems: 1, concurrency: 1, tenantOf: ({ tenant }) => tenant },
    );
    const crowd = Promise.allSettled(Array.from({ length: 1000 }, (_, n) => batch.run({ tenant: 'a', name: `${n}` })));
    await expect(batch.run({ tenant: 'a', name: 'last' })).rejects.toBeInstanceOf(NotStarted);
    const other = batch.run({ tenant: 'b', name: '1' });
    open();
    expect(await other).toBeNull();
    expect((await crowd).every(({ status }) => status === 'fulfilled')).toBe(true);
  });

  it('rejects what has waited too long while the database does not respond', async () => {
    const silent = new MicroBatch<Item, null>(() => new Promise(() => undefined), {
      name: 'test',
      maxItems: 1,
      concurrency: 1,
      tenantOf: ({ tenant }) => tenant,
    });
    void silent.run({ tenant: 'a', name: 'under way' });
    const waiting = expect(silent.run({ tenant: 'a', name: 'waiting' })).rejects.toBeInstanceOf(NotStarted);
    await settled();
    await jest.advanceTimersByTimeAsync(3500);
    await waiting;
  });

  it('keeps retrying with keepsAll, however long a lock is held', async () => {
    let tries = 0;
    const { run } = batchOf(() => (++tries < 40 ? locked() : null), { keepsAll: true });
    expect(values(await run('a1', 'a2'))).toEqual(['1', '2']);
  });

  it('is drained when nothing is waiting or running', async () => {
    const { batch, run } = batchOf((items) => (items.length > 1 ? broken() : null));
    const all = run('a1', 'b1', 'b2');
    await batch.drained();
    expect(values(await all)).toEqual(['1', '1', '2']);
    expect(batch.depth).toBe(0);
  });
});
