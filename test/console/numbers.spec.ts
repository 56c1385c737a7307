import { count, decimal, percent } from '../../console/words/numbers.js';
import { duration, when } from '../../console/words/times.js';

describe('numbers', () => {
  it('are written as the language does', () => {
    expect([count(9640, 'en-GB'), count(9640, 'de-DE'), decimal(19.84, 'en-GB')]).toEqual(['9,640', '9.640', '19.8']);
  });

  it.each([
    [645, 1000, '64.5%'],
    [0, 1000, '0%'],
    [0, 0, '0%'],
    [1000, 1000, '100%'],
    [1, 100_000, '0.1%'],
    [99_999, 100_000, '99.9%'],
  ])('%i of %i is %s', (part, whole, said) => {
    expect(percent(part, whole, 'en-GB')).toBe(said);
  });
});

describe('durations', () => {
  it.each([
    [-1, '0 s'],
    [40.4, '40 s'],
    [99, '99 s'],
    [120, '2 min'],
    [3540, '59 min'],
    [3599, '1 h'],
    [7800, '2 h 10 min'],
    [36_000, '10 h'],
    [86_300, '1 day'],
    [111_600, '1 day 7 h'],
    [172_800, '2 days'],
    [255_600, '2 days 23 h'],
    [259_200, '3 days'],
  ])('of %d seconds are %s', (seconds, said) => {
    expect(duration(seconds)).toBe(said);
  });

  it('say tomorrow', () => {
    const style = { locale: 'en-GB', zone: 'Europe/Paris' };
    expect(when('2026-11-28T08:30:00Z', '2026-11-27T16:15:00Z', style)).toBe('tomorrow 09:30');
  });
});
