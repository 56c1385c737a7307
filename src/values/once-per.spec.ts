import { OncePer } from './once-per.js';

describe('OncePer', () => {
  it('lets one per key through in each interval', () => {
    const lines = new OncePer(1000);
    expect(lines.allows('a', 0)).toBe(true);
    expect(lines.allows('a', 999)).toBe(false);
    expect(lines.allows('b', 999)).toBe(true);
    expect(lines.allows('a', 1000)).toBe(true);
    expect(lines.allows('a', 1001)).toBe(false);
  });

  it('measures the interval from the last one let through, not from those held back', () => {
    const lines = new OncePer(1000);
    expect([0, 600, 1200].map((at) => lines.allows('a', at))).toEqual([true, false, true]);
  });
});
