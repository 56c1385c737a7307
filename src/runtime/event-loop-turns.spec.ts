import { setImmediate as nextTurn } from 'node:timers/promises';
import { EventLoopTurns } from './event-loop-turns.js';

/** Enters this many requests of each caller at the same time; returns who started in which turn of the event loop. */
async function begun(callers: Readonly<Record<string, number>>): Promise<string[][]> {
  const turns = new EventLoopTurns();
  const found: string[][] = [];
  let now: string[] = [];
  for (const [caller, requests] of Object.entries(callers)) {
    for (let each = 0; each < requests; each += 1) turns.enter(caller, () => now.push(caller));
  }
  while (now.length > 0) {
    found.push(now);
    now = [];
    await nextTurn();
  }
  return found;
}

describe('turns of the event loop', () => {
  it('starts a request immediately while there are few', async () => {
    expect(await begun({ ada: 1 })).toEqual([['ada']]);
    expect(await begun({ ada: 1, bea: 1 })).toEqual([['ada', 'bea']]);
  });

  it('starts two in each turn', async () => {
    expect(await begun({ ada: 5 })).toEqual([['ada', 'ada'], ['ada', 'ada'], ['ada']]);
  });

  it('serves callers round-robin, however many requests each has', async () => {
    expect(await begun({ crowd: 6, ada: 1, bea: 2 })).toEqual([
      ['crowd', 'crowd'],
      ['crowd', 'ada', 'bea'],
      ['crowd', 'bea'],
      ['crowd', 'crowd'],
    ]);
  });

  it('starts requests immediately again when none are waiting', async () => {
    const turns = new EventLoopTurns();
    for (let round = 0; round < 3; round += 1) {
      const order: string[] = [];
      turns.enter('ada', () => order.push('begun'));
      order.push('entered');
      expect(order).toEqual(['begun', 'entered']);
      await turns.entered('ada');
      await nextTurn();
    }
  });
});
