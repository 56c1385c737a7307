import { SendPacer, type Slots } from './send-pacer.js';

/** A promise for the turn of each message. */
function turnsOf(pacer: SendPacer, messages: number, slots: Slots): readonly Promise<void>[] {
  const begin: (() => void)[] = [];
  const turns = Array.from({ length: messages }, () => new Promise<void>((resolve) => begin.push(resolve)));
  pacer.begin(messages, slots, (place) => begin[place]?.());
  return turns;
}

describe('SendPacer', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** Milliseconds from now at which each turn resolves. */
  const timesOf = (turns: readonly Promise<void>[]): number[] => {
    const start = performance.now();
    const times: number[] = [];
    for (const [place, turn] of turns.entries()) {
      void turn.then(() => {
        times[place] = Math.round(performance.now() - start);
      });
    }
    return times;
  };

  it('lets every message go immediately when the interval is 0', async () => {
    const turns = turnsOf(new SendPacer(), 3, { startsAt: performance.now() + 1000, intervalMs: 0 });
    await expect(Promise.all(turns)).resolves.toHaveLength(3);
  });

  it('sends each message in its slot', async () => {
    const times = timesOf(turnsOf(new SendPacer(), 4, { startsAt: performance.now() + 100, intervalMs: 50 }));
    await jest.advanceTimersByTimeAsync(400);
    expect(times).toHaveLength(4);
    for (const [place, time] of times.entries()) expect(Math.abs(time - (100 + 50 * place))).toBeLessThanOrEqual(2);
  });

  it('keeps late messages apart and catches up only slowly', async () => {
    const pacer = new SendPacer();
    const times = timesOf(turnsOf(pacer, 5, { startsAt: performance.now() - 1000, intervalMs: 50 }));
    expect(pacer.delayMs).toBeGreaterThanOrEqual(1000);
    await jest.advanceTimersByTimeAsync(1000);
    expect(times).toHaveLength(5);
    for (const [place, time] of times.slice(1).entries()) {
      const distance = time - (times[place] ?? 0);
      // The first two may be closer, by as much as timers run late.
      expect(distance).toBeGreaterThanOrEqual(place === 0 ? 28 : 47);
    }
    expect(pacer.delayMs).toBe(0);
  });

  it('sends later bookings after those already waiting', async () => {
    const pacer = new SendPacer();
    const now = performance.now();
    const order: string[] = [];
    const note = (name: string, turns: readonly Promise<void>[]) => {
      for (const turn of turns) void turn.then(() => order.push(name));
    };
    note('first', turnsOf(pacer, 2, { startsAt: now + 10, intervalMs: 10 }));
    note('second', turnsOf(pacer, 2, { startsAt: now + 30, intervalMs: 10 }));
    await jest.advanceTimersByTimeAsync(100);
    expect(order).toEqual(['first', 'first', 'second', 'second']);
  });

  it('sends in slot order, not in booking order', async () => {
    const pacer = new SendPacer();
    const now = performance.now();
    const order: string[] = [];
    const note = (name: string, startsAt: number) => {
      for (const turn of turnsOf(pacer, 1, { startsAt, intervalMs: 10 })) void turn.then(() => order.push(name));
    };
    note('later', now + 40);
    note('earlier', now + 10);
    note('last', now + 60);
    await jest.advanceTimersByTimeAsync(20);
    expect(order).toEqual(['earlier']);
    await jest.advanceTimersByTimeAsync(80);
    expect(order).toEqual(['earlier', 'later', 'last']);
  });

  it('is idle when nothing waits and the last interval has passed', async () => {
    const pacer = new SendPacer();
    expect(pacer.isIdle).toBe(true);
    turnsOf(pacer, 1, { startsAt: performance.now(), intervalMs: 100 });
    await jest.advanceTimersByTimeAsync(10);
    expect(pacer.isIdle).toBe(false);
    await jest.advanceTimersByTimeAsync(100);
    expect(pacer.isIdle).toBe(true);
  });
});
