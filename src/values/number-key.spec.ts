import { numberKey, spellingsOf } from './number-key.js';

describe('the key of a number', () => {
  it.each([
    ['525512345678', '5215512345678'],
    ['541123456789', '5491123456789'],
    ['551187650077', '5511987650077'],
    ['22997123456', '2290197123456'],
  ])('is %s for %s too', (short, long) => {
    expect([short, long].map(numberKey)).toEqual([short, short]);
    expect([short, long].map(spellingsOf)).toEqual([
      [short, long],
      [short, long],
    ]);
  });

  it.each([
    '551133334444',
    '5511933334444',
    '22507123456',
    '2250707123456',
    '4915120921176',
    '15551230001',
    '52155123',
  ])('is %s itself', (number) => {
    expect(numberKey(number)).toBe(number);
    expect(spellingsOf(number)).toEqual([number]);
  });
});
