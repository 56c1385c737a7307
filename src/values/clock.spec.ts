import { conservativeNow, DAY, HOUR, MINUTE, now, SECOND, syncClock } from './clock.js';
import { newRecordId, timeOfRecordId } from './record-id.js';

/** True time stands still but for what a test lets pass, so a busy machine changes no difference. Milliseconds. */
const START = Date.now();
let passed = 0;
const trueTime = (): number => START + Math.trunc(passed);
const offTrueTime = (): number => now().getTime() - trueTime();
const real = { date: Date.now, steady: performance.now };
/** Sets this machine's clock off by this much. Not a spy, which would keep a hundred thousand calls. */
const shiftMachine = (ms: number): void => {
  Date.now = () => trueTime() + ms;
};
/** Makes the shared clock report a time off by this much. */
const shared = (ms: number): void => syncClock(new Date(trueTime() + ms), performance.now());
/** Makes the clocks agree to the millisecond. Small differences are ignored, hence the detour. */
const agree = (): void => {
  shiftMachine(0);
  performance.now = () => passed;
  shared(DAY);
  shared(0);
};
afterEach(() => {
  Date.now = real.date;
  performance.now = real.steady;
});

describe('now', () => {
  beforeEach(agree);

  it('is the machine clock while that agrees with the shared clock', () => {
    expect(offTrueTime()).toBe(0);
    shared(-200);
    expect(offTrueTime()).toBe(0);
    shiftMachine(200);
    expect(offTrueTime()).toBe(200);
  });

  it.each([HOUR, -HOUR, 2 * MINUTE, -2 * MINUTE, DAY])('carries on when the machine clock jumps by %d ms', (ms) => {
    shiftMachine(ms);
    expect(offTrueTime()).toBe(0);
    shared(0);
    expect(offTrueTime()).toBe(0);
  });

  it.each([HOUR, -HOUR, 2 * MINUTE, -2 * MINUTE, 366 * DAY])('is the shared clock when that is %d ms off', (ms) => {
    shared(ms);
    expect(offTrueTime()).toBe(ms);
    shared(0);
    expect(offTrueTime()).toBe(0);
  });

  it('allows for the round trip: the shared clock was read at some moment after it was asked', () => {
    syncClock(new Date(trueTime() - 5 * SECOND), performance.now() - 10 * SECOND);
    expect(offTrueTime()).toBe(0);
    syncClock(new Date(trueTime() - 15 * SECOND), performance.now() - 10 * SECOND);
    expect(offTrueTime()).toBe(-5 * SECOND);
  });

  it('is the earlier of the two clocks for decisions that cannot be undone', () => {
    shared(DAY);
    expect(conservativeNow().getTime() - trueTime()).toBe(0);
    shiftMachine(2 * DAY);
    expect(conservativeNow().getTime() - trueTime()).toBe(DAY);
  });
});

describe('record ids', () => {
  beforeEach(agree);

  const isAscending = (ids: readonly string[]): boolean => ids.every((id, at) => at === 0 || id > String(ids[at - 1]));
  /** Each takes a 64th of a millisecond. */
  const many = (): string[] =>
    Array.from({ length: 20_000 }, () => {
      passed += 1 / 64;
      return newRecordId();
    });

  it('ascend and contain their creation time', () => {
    const [before, ids, after] = [Date.now(), many(), Date.now()];
    expect(isAscending(ids)).toBe(true);
    const times = ids.map((id) => timeOfRecordId(id).getTime());
    expect(Math.min(...times)).toBeGreaterThanOrEqual(before);
    expect(Math.max(...times)).toBeLessThanOrEqual(after);
  });

  it('ascend when the time is set back a little, or the machine clock by an hour', () => {
    const first = many();
    shared(-2 * SECOND);
    const second = many();
    shiftMachine(-HOUR);
    expect(isAscending([...first, ...second, ...many()])).toBe(true);
  });

  it('contain the corrected time after the clock was minutes ahead', () => {
    shared(2 * MINUTE);
    const early = newRecordId();
    shared(0);
    const ids = many();
    expect(isAscending(ids)).toBe(true);
    expect(ids.every((id) => id < early)).toBe(true);
    expect(timeOfRecordId(newRecordId()).getTime()).toBe(trueTime());
  });
});
