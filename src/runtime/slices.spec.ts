import { setImmediate as nextTurn } from 'node:timers/promises';
import { eachInSlices, flatMapInSlices, mapInSlices, sliceClock } from './slices.js';

const ITEMS = Array.from({ length: 100 }, (_, index) => index);

/** Counts the turns of the event loop until `work` ends. */
async function turnsOf(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  for (; !isDone; turns += 1) await nextTurn();
  await done;
  return turns;
}

describe('slices', () => {
  beforeEach(async () => {
    // Each item takes a millisecond.
    let at = 0;
    jest.spyOn(sliceClock, 'now').mockImplementation(() => {
      at += 1;
      return at;
    });
    await nextTurn();
  });

  it('keeps the order of the items', async () => {
    expect(await mapInSlices(ITEMS, (item, index) => item * 2 + index)).toEqual(ITEMS.map((item) => item * 3));
    expect(await flatMapInSlices(ITEMS, (item) => (item % 2 === 0 ? [item, item] : []))).toEqual(
      ITEMS.flatMap((item) => (item % 2 === 0 ? [item, item] : [])),
    );
  });

  it('lets other work run every ten milliseconds', async () => {
    const sizes = [0];
    const work = eachInSlices(ITEMS, () => {
      sizes[sizes.length - 1] = (sizes.at(-1) ?? 0) + 1;
    });
    let isDone = false;
    void work.then(() => {
      isDone = true;
    });
    while (!isDone) {
      await nextTurn();
      sizes.push(0);
    }
    // The first turn has two: the work begins in one, and the next begins where the turn ends.
    expect(Math.max(...sizes.slice(1))).toBeLessThanOrEqual(10);
    expect(sizes[0]).toBeLessThanOrEqual(20);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(ITEMS.length);
  });

  it('does not wait when the work is short', async () => {
    jest.spyOn(sliceClock, 'now').mockReturnValue(0);
    expect(await turnsOf(eachInSlices(ITEMS, () => undefined))).toBe(1);
  });

  it('gives concurrent work one slice per turn altogether, in turns', async () => {
    const order: string[] = [];
    let inTurn = 0;
    let longest = 0;
    const work = (name: string) =>
      eachInSlices(ITEMS, () => {
        if (order.at(-1) !== name) order.push(name);
        inTurn += 1;
        longest = Math.max(longest, inTurn);
      });
    let isDone = false;
    void Promise.all(['ada', 'bea', 'cid'].map(work)).then(() => {
      isDone = true;
    });
    while (!isDone) {
      await nextTurn();
      inTurn = 0;
    }
    expect(longest).toBeLessThanOrEqual(20);
    expect(order.slice(3, 9)).toEqual(['ada', 'bea', 'cid', 'ada', 'bea', 'cid']);
  });

  it('passes an error on', async () => {
    const failing = eachInSlices(ITEMS, (item) => {
      if (item === 50) throw new Error('fifty');
    });
    await expect(failing).rejects.toThrow('fifty');
  });
});
