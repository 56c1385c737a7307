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

  it('drops the bodies that have been silent longest, as many as it takes', () => {
    const budget = new BodyBudget(100);
    const dropped: string[] = [];
    const shares = ['first', 'second', 'third', 'talking'].map((name) => ({ name, share: budget.open() }));
    for (const { share } of shares) share.resize(25);
    for (const { name, share } of [...shares].reverse()) share.fallSilent(() => dropped.push(name));
    shares[3]?.share.speak();
    shares[2]?.share.speak();
    shares[2]?.share.fallSilent(() => dropped.push('third'));
    const other = budget.open();
    other.resize(30);
    expect(dropped).toEqual(['second', 'first']);
    other.resize(50);
    expect(dropped).toHaveLength(2);
    other.resize(51);
    expect(dropped).toEqual(['second', 'first', 'third']);
    expect(() => other.resize(76)).toThrow(expect.objectContaining(REFUSAL));
  });

  it('drops nothing for a body that is announced, or that would not fit even then', () => {
    const budget = new BodyBudget(100);
    const dropped: string[] = [];
    const [silent, talking, other] = [budget.open(), budget.open(), budget.open()];
    silent.resize(40);
    talking.resize(60);
    silent.fallSilent(() => dropped.push('silent'));
    other.expect(40);
    expect(() => other.expect(41)).toThrow(expect.objectContaining(REFUSAL));
    expect(() => other.resize(41)).toThrow(expect.objectContaining(REFUSAL));
    expect(dropped).toEqual([]);
  });

  it('drops no body that has been released', () => {
    const budget = new BodyBudget(100);
    const [silent, other] = [budget.open(), budget.open()];
    silent.resize(100);
    silent.fallSilent(() => {
      throw new Error('dropped');
    });
    silent.release();
    other.resize(100);
    expect(() => other.resize(101)).toThrow(expect.objectContaining(REFUSAL));
  });
});
