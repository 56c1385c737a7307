import { retryAfterMs } from './retry-after.js';

const AT = new Date('2026-01-31T09:30:00.000Z');

describe('retryAfterMs', () => {
  it.each([
    ['0', 0],
    ['30', 30_000],
    [' 1.5 ', 1500],
    ['Sat, 31 Jan 2026 09:31:00 GMT', 60_000],
    ['Sat, 31 Jan 2026 09:29:00 GMT', 0],
  ])('reads %j', (header, expected) => {
    expect(retryAfterMs(header, AT)).toBe(expected);
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
  ])('ignores %j', (header) => {
    expect(retryAfterMs(header, AT)).toBeNull();
  });

  it('uses the first of several values', () => {
    expect(retryAfterMs(['2', '7'], AT)).toBe(2000);
  });
});
