import { conservativeNow, DAY, HOUR, MINUTE, now, SECOND, syncClock } from './clock.js';
import { newRecordId, timeOfRecordId } from './record-id.js';

/** Reading clocks takes time, and a deviation of up to 250 ms is ignored. */
const CLOSE_MS = 400;
const real = Date.now;
const offTrueTime = (): number => now().getTime() - real();
/** Sets this machine's clock off by this much. */
const shiftMachine = (ms: number) => jest.spyOn(Date, 'now').mockImplementation(() => real() + ms);
/** Makes the shared clock report a time off by this much. */
const shared = (ms: number): void => syncClock(new Date(real() + ms), performance.now());

describe('now', () => {
  beforeEach(() => shared(0));
  afterEach(() => {
    jest.restoreAllMocks();
    shared(0);
  });

  it('is the machine clock while that agrees with the shared clock', () => {
    shared(0);
    const [before, at, after] = [Date.now(), now().getTime(), Date.now()];
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(after);
    shared(-200);
    expect(Math.abs(offTrueTime())).toBeLessThan(20);
  });

  it.each([HOUR, -HOUR, 2 * MINUTE, -2 * MINUTE, DAY])('carries on when the machine clock jumps by %d ms', (ms) => {
    shiftMachine(ms);
    expect(Math.abs(offTrueTime())).toBeLessThan(CLOSE_MS);
    shared(0);
    expect(Math.abs(offTrueTime())).toBeLessThan(CLOSE_MS);
  });

  it.each([HOUR, -HOUR, 2 * MINUTE, -2 * MINUTE, 366 * DAY])('is the shared clock when that is %d ms off', (ms) => {
    shared(ms);
    expect(Math.abs(offTrueTime() - ms)).toBeLessThan(CLOSE_MS);
    shared(0);
    expect(Math.abs(offTrueTime())).toBeLessThan(CLOSE_MS);
  });

  it('allows for the round trip: the shared clock was read at some moment after it was asked', () => {
    syncClock(new Date(real() - 5 * SECOND), performance.now() - 10 * SECOND);
    expect(Math.abs(offTrueTime())).toBeLessThan(20);
    syncClock(new Date(real() - 15 * SECOND), performance.now() - 10 * SECOND);
    expect(Math.abs(offTrueTime() + 5 * SECOND)).toBeLessThan(CLOSE_MS);
  });

  it('is the earlier of the two clocks for decisions that cannot be undone', () => {
    shared(DAY);
    expect(Math.abs(conservativeNow().getTime() - real())).toBeLessThan(20);
    shiftMachine(2 * DAY);
    expect(Math.abs(conservativeNow().getTime() - real() - DAY)).toBeLessThan(CLOSE_MS);
  });
});

describe('record ids', () => {
  beforeEach(() => shared(0));
  afterEach(() => {
    jest.restoreAllMocks();
    shared(0);
  });

  const isAscending = (ids: readonly string[]): boolean => ids.every((id, at) => at === 0 || id > String(ids[at - 1]));
  const many = (): string[] => Array.from({ length: 20_000 }, () => newRecordId());

  it('ascend and contain their creation time', () => {
    const [before, ids, after] = [Date.now(), many(), Date.now()];
    expect(isAscending(ids)).toBe(true);
    for (const id of ids) {
      expect(timeOfRecordId(id).getTime()).toBeGreaterThanOrEqual(before);
      expect(timeOfRecordId(id).getTime()).toBeLessThanOrEqual(after);
    }
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
    expect(Math.abs(timeOfRecordId(newRecordId()).getTime() - Date.now())).toBeLessThan(CLOSE_MS);
  });
});
