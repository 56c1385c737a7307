import { Beat } from './beat.js';

describe('a beat', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('wakes all due sleepers together, each at the first beat that is far enough away', async () => {
    const beat = new Beat(100);
    // Fake time starts anywhere, and beats are multiples of the clock.
    await jest.advanceTimersByTimeAsync(100 - (performance.now() % 100) + 1);
    const woken: string[] = [];
    for (const [name, waitMs] of [
      ['soon', 0],
      ['too', 90],
      ['later', 130],
    ] as const) {
      void beat.after(waitMs).then(() => woken.push(name));
    }
    await jest.advanceTimersByTimeAsync(90);
    expect(woken).toEqual([]);
    await jest.advanceTimersByTimeAsync(12);
    expect(woken).toEqual(['soon', 'too']);
    await jest.advanceTimersByTimeAsync(100);
    expect(woken).toEqual(['soon', 'too', 'later']);
  });
});
