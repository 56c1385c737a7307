import { countdown, words } from '../../console/words/en.js';
import { clock, when } from '../../console/words/times.js';

/** Samples of what functions of words take. */
const SAMPLES: readonly unknown[] = ['2026-11-27T16:15:00Z', '2026-11-27T16:15:00Z'];

/** Every sentence, by where it is. */
function sentences(value: unknown, place = 'words'): [string, string][] {
  if (typeof value === 'string') return [[place, value]];
  if (typeof value === 'function') {
    return [[place, String(value(...SAMPLES))]];
  }
  return Object.entries(value as object).flatMap(([name, inner]) => sentences(inner, `${place}.${name}`));
}

describe('the words of the console', () => {
  const BANNED =
    /!|\b(?:please|successful(?:ly)?|oops|sorry|recipients?|users?|leads?|launch(?:ed)?|are you sure|invalid)\b/i;

  it.each(sentences(words))('%s: %s', (_, sentence) => {
    expect(sentence).not.toMatch(BANNED);
    expect(sentence).not.toMatch(/[A-Z]{6,}|\.\.\.|\w'\w/);
    expect(sentence.trim()).toBe(sentence);
  });

  it('counts down in seconds, and in minutes from one on', () => {
    expect([1, 59, 60, 125, 900].map(countdown)).toEqual(['1 s', '59 s', '1:00', '2:05', '15:00']);
  });
});

describe('times', () => {
  const style = { locale: 'en-GB', zone: 'Europe/Paris' };
  const now = '2026-11-27T16:15:00Z';

  it.each([
    ['2026-11-27T15:12:00Z', '16:12'],
    ['2026-11-26T23:30:00Z', '00:30'],
    ['2026-11-26T08:30:00Z', 'yesterday 09:30'],
    ['2026-10-12T10:00:00Z', '12 October'],
    ['2025-10-12T10:00:00Z', '12 October 2025'],
  ])('says %s as %s', (at, said) => {
    expect(when(at, now, style)).toBe(said);
  });

  it('says yesterday across the end of a year, and where the clocks change', () => {
    expect(when('2026-12-31T20:00:00Z', '2027-01-01T10:00:00Z', style)).toBe('yesterday 21:00');
    expect(when('2026-10-24T20:00:00Z', '2026-10-25T22:00:00Z', style)).toBe('yesterday 22:00');
  });

  it('has hours of two digits', () => {
    expect(clock('2026-11-27T04:05:00Z', style)).toBe('05:05');
  });
});
