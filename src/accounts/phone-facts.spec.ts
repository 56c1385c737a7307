import { coexistence, messagingLimit, qualityRating, throughputFor } from './phone-facts.js';

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

  it('knows four quality ratings', () => {
    expect(['GREEN', 'YELLOW', 'RED', 'UNKNOWN', 'FLAGGED', 1, null].map(qualityRating)).toEqual([
      'GREEN',
      'YELLOW',
      'RED',
      'UNKNOWN',
      null,
      null,
      null,
    ]);
  });

  it.each([
    [true, 'CLOUD_API', true],
    [true, 'NOT_APPLICABLE', null],
    [false, 'CLOUD_API', false],
    [undefined, 'CLOUD_API', null],
  ])('reads is_on_biz_app %p on %s as coexistence %p', (isOnBizApp, platformType, isCoexisting) => {
    expect(coexistence(isOnBizApp, platformType)).toBe(isCoexisting);
  });

  it.each<[string, number, boolean | null, string, number]>([
    ['upgrades the standard one', 80, false, 'HIGH', 1000],
    ['leaves an operator’s own', 50, false, 'HIGH', 50],
    ['lowers the standard one when coexistence begins', 80, true, 'STANDARD', 20],
    ['lowers an upgraded one when coexistence begins', 1000, true, 'HIGH', 20],
    ['limits an unlimited one when coexistence begins', 0, true, 'STANDARD', 20],
    ['leaves an operator’s lower one when coexistence begins', 5, true, 'STANDARD', 5],
    ['returns to the standard one when coexistence ends', 20, false, 'STANDARD', 80],
    ['returns to the upgraded one when coexistence ends', 20, false, 'HIGH', 1000],
    ['leaves that of coexistence while the network does not say', 20, null, 'STANDARD', 20],
  ])('of throughput %s', (_, current, isCoexisting, level, expected) => {
    expect(throughputFor(current, { isCoexisting, level })).toBe(expected);
  });
});
