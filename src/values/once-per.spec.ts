import { OncePer } from './once-per.js';

describe('OncePer', () => {
  it('lets one of each key through in each span', () => {
    const lines = new OncePer(1000);
    expect(lines.allows('a', 0)).toBe(true);
    expect(lines.allows('a', 999)).toBe(false);
    expect(lines.allows('b', 999)).toBe(true);
    expect(lines.allows('a', 1000)).toBe(true);
    expect(lines.allows('a', 1001)).toBe(false);
  });

  it('counts the span from the one that it let through, not from those that it held back', () => {
    const lines = new OncePer(1000);
    expect([0, 600, 1200].map((at) => lines.allows('a', at))).toEqual([true, false, true]);
  });
});
