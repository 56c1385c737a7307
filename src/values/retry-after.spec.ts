import { retryAfterMs } from './retry-after.js';

const AT = new Date('2026-01-31T09:30:00.000Z');
/** The longest wait that it reads. */
const MAX_MS = 999_999_999_000;

describe('retryAfterMs', () => {
  it.each([
    ['0', 0],
    ['30', 30_000],
    [' 1.5 ', 1500],
    ['Sat, 31 Jan 2026 09:31:00 GMT', 60_000],
    ['Sat, 31 Jan 2026 09:29:00 GMT', 0],
    ['120, 120', 120_000],
    ['2 , 7', 2000],
    ['1.5,soon', 1500],
    ['999999999', MAX_MS],
    ['9999999999', MAX_MS],
    ['9'.repeat(20), MAX_MS],
    ['Fri, 31 Dec 9999 23:59:59 GMT', MAX_MS],
  ])('reads %j', (header, expected) => {
    expect(retryAfterMs(header, AT)).toBe(expected);
  });

  it.each([
    'Saturday, 31-Jan-26 09:31:00 GMT',
    'Sat, 31-Jan-2026 09:31:00 GMT',
    'Sat Jan 31 09:31:00 2026',
    'Sat, 31 Jan 2026 09:31:00 UTC',
    'Sat, 31 Jan 2026 09:31:00 +0000',
    'Sat, 31 Jan 2026 09:31:00 -0000',
    'Sat, 31 Jan 2026 11:01:00 +0130',
    'Sat, 31 Jan 2026 01:31:00 -0800',
    'sat, 31 jan 2026 09:31:00 gmt',
    'Sat, 31 Jan 2026 09:31:00 GMT, Sat, 31 Jan 2026 09:35:00 GMT',
  ])('reads the date %j', (header) => {
    expect(retryAfterMs(header, AT)).toBe(60_000);
  });

  it.each([
    'Sun Feb  1 09:30:00 2026',
    'Sun Feb 1 09:30:00 2026',
    'Sun Feb 01 09:30:00 2026',
    'Sun, 1 Feb 2026 09:30:00 GMT',
  ])('reads the day of %j', (header) => {
    expect(retryAfterMs(header, AT)).toBe(24 * 3_600_000);
  });

  it.each([
    // At most 50 years ahead, or else in the past.
    ['Saturday, 31-Jan-76 09:30:00 GMT', AT, MAX_MS],
    ['Saturday, 31-Jan-76 09:30:01 GMT', AT, 0],
    ['Monday, 31-Jan-00 09:30:00 GMT', AT, 0],
    ['Saturday, 01-Jan-00 00:00:30 GMT', new Date('2099-12-31T23:59:30Z'), 60_000],
    ['Thursday, 31-Dec-99 23:59:30 GMT', new Date('2100-01-01T00:00:00Z'), 0],
  ])('reads the year of %j', (header, at, expected) => {
    expect(retryAfterMs(header, at)).toBe(expected);
  });

  it.each([
    undefined,
    '',
    'soon',
    '-5',
    'Infinity',
    '1e3',
    '9'.repeat(400),
    '2026-02-01',
    'Sat, 99 Foo 2026 09:31:00 GMT',
    'Sat, 32 Jan 2026 09:31:00 GMT',
    'Sat, 00 Jan 2026 09:31:00 GMT',
    'Sat, 31 Jan 2026 24:31:00 GMT',
    'Sat, 31 Jan 2026 09:60:00 GMT',
    'Sat, 31 Jan 2026 09:31:00',
    'Sat, 31 Jan 2026 09:31:00 Mars',
    'Sat, 31 Jan 2026 09:31:00 +000',
    'Sat, 31 Jan 026 09:31:00 GMT',
    'Sat Jan 31 09:31:00 26',
    '31 Jan 2026 09:31:00 GMT',
    '-5, 120',
    'abc, 120',
    ', 120',
    '120 s',
    '120s',
  ])('ignores %j', (header) => {
    expect(retryAfterMs(header, AT)).toBeNull();
  });

  it('uses the first of several values', () => {
    expect(retryAfterMs(['2', '7'], AT)).toBe(2000);
  });
});
