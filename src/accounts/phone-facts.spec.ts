import { messagingLimit, qualityRating, upgradedThroughput } from './phone-facts.js';

describe('what the network reports about a phone', () => {
  it.each([
    ['TIER_250', 250],
    ['TIER_2K', 2000],
    ['TIER_10K', 10_000],
    ['TIER_100K', 100_000],
    ['TIER_UNLIMITED', -1],
    [-1, -1],
    [2000, 2000],
    ['TIER_NOT_SET', null],
    [-2, null],
    [1.5, null],
    ['2000', null],
    [null, null],
  ])('reads the messaging limit %p as %p', (value, limit) => {
    expect(messagingLimit(value)).toBe(limit);
  });

  it('knows four quality ratings and one throughput level above the standard one', () => {
    expect(['GREEN', 'YELLOW', 'RED', 'UNKNOWN', 'FLAGGED', 1, null].map(qualityRating)).toEqual([
      'GREEN',
      'YELLOW',
      'RED',
      'UNKNOWN',
      null,
      null,
      null,
    ]);
    expect(['STANDARD', 'HIGH', undefined].map(upgradedThroughput)).toEqual([null, 1000, null]);
  });
});
