import { nearestName, withNearest } from './nearest.js';

describe('the nearest name', () => {
  const names = ['order_update', 'order_updates_v2', 'welcome'];

  it.each([
    ['order_updat', 'order_update'],
    ['Order_Update', 'order_update'],
    ['welcom', 'welcome'],
    ['invoice', null],
    ['', null],
  ])('of %j is %j', (given, nearest) => {
    expect(nearestName(given, names)).toBe(nearest);
  });

  it('is suggested if there is one', () => {
    expect(withNearest('there is no x', 'welcme', names)).toBe('there is no x. Did you mean "welcome"?');
    expect(withNearest('there is no x', 'zzzzzz', names)).toBe('there is no x');
  });
});
