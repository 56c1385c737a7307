import { BodyBudget } from './body-budget.js';

const REFUSAL = { code: 'unavailable', headers: { 'retry-after': '5' } };

describe('the body budget', () => {
  it('counts the bytes of all requests and refuses those beyond the budget', () => {
    const budget = new BodyBudget(100);
    const [one, other] = [budget.open(), budget.open()];
    one.resize(60);
    other.resize(40);
    expect(() => other.resize(41)).toThrow(expect.objectContaining(REFUSAL));
    one.resize(59);
    other.resize(41);
  });

  it('refuses an announced body that does not fit, and does not count one that does', () => {
    const budget = new BodyBudget(100);
    const [one, other] = [budget.open(), budget.open()];
    one.expect(100);
    other.resize(10);
    expect(() => one.expect(91)).toThrow(expect.objectContaining(REFUSAL));
    one.expect(90);
  });

  it('frees the bytes of a released request, only once', () => {
    const budget = new BodyBudget(100);
    const [one, other] = [budget.open(), budget.open()];
    one.resize(100);
    one.release();
    one.release();
    other.resize(100);
    expect(() => one.resize(1)).toThrow(expect.objectContaining(REFUSAL));
  });
});
