import { conservativeNow, DAY, HOUR, MINUTE, now, SECOND, syncClock } from './clock.js';
import { newRecordId, timeOfRecordId } from './record-id.js';

/** Reading clocks takes time, and they are believed to a quarter of a second. */
const CLOSE_MS = 400;
const real = Date.now;
const offTrueTime = (): number => now().getTime() - real();
/** The clock of this machine is so far off from now on. */
const shiftMachine = (ms: number) => jest.spyOn(Date, 'now').mockImplementation(() => real() + ms);
/** The shared clock says a time so far off. */
const shared = (ms: number): void => syncClock(new Date(real() + ms), performance.now());

describe('the time', () => {
  beforeEach(() => shared(0));
  afterEach(() => {
    jest.restoreAllMocks();
    shared(0);
  });

  it('is that of the machine while it agrees with the shared clock', () => {
    shared(0);
    const [before, at, after] = [Date.now(), now().getTime(), Date.now()];
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(after);
    shared(-200);
    expect(Math.abs(offTrueTime())).toBeLessThan(20);
  });

  it.each([HOUR, -HOUR, 2 * MINUTE, -2 * MINUTE, DAY])('goes on when the clock of the machine jumps by %d ms', (ms) => {
    shiftMachine(ms);
    expect(Math.abs(offTrueTime())).toBeLessThan(CLOSE_MS);
    shared(0);
    expect(Math.abs(offTrueTime())).toBeLessThan(CLOSE_MS);
  });

  it.each([HOUR, -HOUR, 2 * MINUTE, -2 * MINUTE, 366 * DAY])('is the shared one where that is %d ms off', (ms) => {
    shared(ms);
    expect(Math.abs(offTrueTime() - ms)).toBeLessThan(CLOSE_MS);
    shared(0);
    expect(Math.abs(offTrueTime())).toBeLessThan(CLOSE_MS);
  });

  it('is no more exact than the answer of the shared clock: it was given at some moment since it was asked for', () => {
    syncClock(new Date(real() - 5 * SECOND), performance.now() - 10 * SECOND);
    expect(Math.abs(offTrueTime())).toBeLessThan(20);
    syncClock(new Date(real() - 15 * SECOND), performance.now() - 10 * SECOND);
    expect(Math.abs(offTrueTime() + 5 * SECOND)).toBeLessThan(CLOSE_MS);
  });

  it('has surely come only when the shared clock and the machine agree', () => {
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

  it('ascend and hold the time at which they are made', () => {
    const [before, ids, after] = [Date.now(), many(), Date.now()];
    expect(isAscending(ids)).toBe(true);
    for (const id of ids) {
      expect(timeOfRecordId(id).getTime()).toBeGreaterThanOrEqual(before);
      expect(timeOfRecordId(id).getTime()).toBeLessThanOrEqual(after);
    }
  });

  it('ascend when the time is set back a little, or the clock of the machine by an hour', () => {
    const first = many();
    shared(-2 * SECOND);
    const second = many();
    shiftMachine(-HOUR);
    expect(isAscending([...first, ...second, ...many()])).toBe(true);
  });

  it('hold the corrected time after the clock turned out to be minutes ahead', () => {
    shared(2 * MINUTE);
    const early = newRecordId();
    shared(0);
    const ids = many();
    expect(isAscending(ids)).toBe(true);
    expect(ids.every((id) => id < early)).toBe(true);
    expect(Math.abs(timeOfRecordId(newRecordId()).getTime() - Date.now())).toBeLessThan(CLOSE_MS);
  });
});
