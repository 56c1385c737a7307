import { Turns } from '../../src/sessions/turns.js';

/** Work that goes on until it is told to end. */
function held(turns: Turns, whose: string): { readonly end: () => void; readonly ended: Promise<void> } {
  let end = (): void => undefined;
  const work = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end, ended: turns.run(whose, () => work) };
}

describe('turns', () => {
  it('lets nobody who asks for much keep the others waiting', async () => {
    const turns = new Turns(2, 60_000, () => new Error('waited'));
    const order: string[] = [];
    const first = [held(turns, 'many'), held(turns, 'many')];
    const work = (whose: string, name: string) =>
      turns.run(whose, () => {
        order.push(name);
        return Promise.resolve();
      });
    const rest = ['m1', 'm2', 'm3', 'm4'].map((name) => work('many', name));
    rest.push(work('one', 'o1'), work('two', 't1'), work('two', 't2'));
    expect(order).toEqual([]);
    first[0]?.end();
    await Promise.all(rest);
    expect(order).toEqual(['m1', 'o1', 't1', 'm2', 't2', 'm3', 'm4']);
    first[1]?.end();
    await Promise.all(first.map(({ ended }) => ended));
  });

  it('end for whoever waits too long, and go on after work that fails', async () => {
    const turns = new Turns(1, 20, () => new Error('waited'));
    const one = held(turns, 'one');
    const waiting = ['one', 'one', 'other'].map((whose) => turns.run(whose, () => Promise.resolve()));
    for (const { status } of await Promise.allSettled(waiting)) expect(status).toBe('rejected');
    one.end();
    await one.ended;
    await expect(turns.run('one', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await turns.run('one', () => Promise.resolve('done'))).toBe('done');
  });
});
