import { DAY, followClock, HOUR, MINUTE, now, SECOND, surelyPast } from './clock.js';
import { newRecordId, timeOfRecordId } from './record-id.js';

/** Clocks are trusted to a quarter of a second, and reading them takes time. */
const CLOSE_MS = 400;
const real = Date.now;
const offTrueTime = (): number => now().getTime() - real();
/** Shifts the machine's clock from now on. */
const shiftMachine = (ms: number) => jest.spyOn(Date, 'now').mockImplementation(() => real() + ms);
/** Reports a shared clock that is `ms` off. */
const shared = (ms: number): void => followClock(new Date(real() + ms), performance.now());

describe('now', () => {
  beforeEach(() => shared(0));
  afterEach(() => {
    jest.restoreAllMocks();
    shared(0);
  });

  it('is the machine’s time while that agrees with the shared clock', () => {
    shared(0);
    const [before, at, after] = [Date.now(), now().getTime(), Date.now()];
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(after);
    shared(-200);
    expect(Math.abs(offTrueTime())).toBeLessThan(20);
  });

  it.each([HOUR, -HOUR, 2 * MINUTE, -2 * MINUTE, DAY])('runs on when the machine’s clock jumps by %d ms', (ms) => {
    shiftMachine(ms);
    expect(Math.abs(offTrueTime())).toBeLessThan(CLOSE_MS);
    shared(0);
    expect(Math.abs(offTrueTime())).toBeLessThan(CLOSE_MS);
  });

  it.each([HOUR, -HOUR, 2 * MINUTE, -2 * MINUTE, 366 * DAY])(
    'follows the shared clock when that is %d ms off',
    (ms) => {
      shared(ms);
      expect(Math.abs(offTrueTime() - ms)).toBeLessThan(CLOSE_MS);
      shared(0);
      expect(Math.abs(offTrueTime())).toBeLessThan(CLOSE_MS);
    },
  );

  it('allows for the shared clock being read at any moment of its round trip', () => {
    followClock(new Date(real() - 5 * SECOND), performance.now() - 10 * SECOND);
    expect(Math.abs(offTrueTime())).toBeLessThan(20);
    followClock(new Date(real() - 15 * SECOND), performance.now() - 10 * SECOND);
    expect(Math.abs(offTrueTime() + 5 * SECOND)).toBeLessThan(CLOSE_MS);
  });

  it('counts a time as surely past only when both clocks agree', () => {
    shared(DAY);
    expect(Math.abs(surelyPast().getTime() - real())).toBeLessThan(20);
    shiftMachine(2 * DAY);
    expect(Math.abs(surelyPast().getTime() - real() - DAY)).toBeLessThan(CLOSE_MS);
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

  it('ascend when the time is set back slightly, or the machine’s clock by an hour', () => {
    const first = many();
    shared(-2 * SECOND);
    const second = many();
    shiftMachine(-HOUR);
    expect(isAscending([...first, ...second, ...many()])).toBe(true);
  });

  it('contain the corrected time after the clock was found to be minutes ahead', () => {
    shared(2 * MINUTE);
    const early = newRecordId();
    shared(0);
    const ids = many();
    expect(isAscending(ids)).toBe(true);
    expect(ids.every((id) => id < early)).toBe(true);
    expect(Math.abs(timeOfRecordId(newRecordId()).getTime() - Date.now())).toBeLessThan(CLOSE_MS);
  });
});
