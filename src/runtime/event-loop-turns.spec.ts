import { setImmediate as nextTurn } from 'node:timers/promises';
import { EventLoopTurns } from './event-loop-turns.js';

/** Enters `perCaller` requests of each caller together; returns the callers that started in each turn. */
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

describe('event-loop turns', () => {
  it('starts a request immediately while few start', async () => {
    expect(await begun({ ada: 1 })).toEqual([['ada']]);
    expect(await begun({ ada: 1, bea: 1 })).toEqual([['ada', 'bea']]);
  });

  it('starts two per turn', async () => {
    expect(await begun({ ada: 5 })).toEqual([['ada', 'ada'], ['ada', 'ada'], ['ada']]);
  });

  it('alternates between callers, however many requests each has', async () => {
    expect(await begun({ crowd: 6, ada: 1, bea: 2 })).toEqual([
      ['crowd', 'crowd'],
      ['crowd', 'ada', 'bea'],
      ['crowd', 'bea'],
      ['crowd', 'crowd'],
    ]);
  });

  it('starts immediately again once nothing waits', async () => {
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
