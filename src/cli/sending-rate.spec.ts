import { SendingRate, timeLeft } from './sending-rate.js';

describe('the sending rate', () => {
  it('covers the last five seconds', () => {
    const rate = new SendingRate();
    expect(rate.add(100, 0)).toBe(0);
    expect(rate.add(200, 1000)).toBe(100);
    for (let at = 2000; at <= 6000; at += 1000) rate.add(200, at);
    expect(rate.add(200, 7000)).toBe(0);
    expect(rate.add(700, 8000)).toBe(100);
  });

  it('is never negative: it begins anew when a retry takes back what was counted', () => {
    const rate = new SendingRate();
    rate.add(300, 0);
    expect(rate.add(200, 1000)).toBe(0);
    expect(rate.add(250, 2000)).toBe(50);
  });

  it.each<[number, number, string | null]>([
    [500, 100, '5 s left'],
    [1, 100, '1 s left'],
    [0, 100, '0 s left'],
    [-3, 100, '0 s left'],
    [11_900, 100, '119 s left'],
    [12_000, 100, '2 min left'],
    [719_000, 100, '120 min left'],
    [750_000, 100, '2 h 5 min left'],
    [500, 0, null],
  ])('shows for %d messages at %d a second: %s', (messages, perSecond, words) => {
    expect(timeLeft(messages, perSecond)).toBe(words);
  });
});
