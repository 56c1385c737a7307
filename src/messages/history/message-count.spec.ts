import { countOf } from './message-count.js';

const AMOUNTS = new Map([
  ['', 100],
  ['sent', 40],
  ['read', 20],
  ['failed', 3],
  ['received', 30],
]);
const any = { direction: null, status: null };

describe('the count of messages', () => {
  it('follows the direction', () => {
    expect(countOf(AMOUNTS, any)).toBe(100);
    expect(countOf(AMOUNTS, { ...any, direction: 'in' })).toBe(30);
    expect(countOf(AMOUNTS, { ...any, direction: 'out' })).toBe(70);
  });

  it('follows the status; messages in no other counter are pending', () => {
    expect(countOf(AMOUNTS, { ...any, status: 'sent' })).toBe(40);
    expect(countOf(AMOUNTS, { ...any, status: 'clicked' })).toBe(0);
    expect(countOf(AMOUNTS, { ...any, status: 'pending' })).toBe(7);
  });

  it('is 0 for a status that the direction does not have', () => {
    expect(countOf(AMOUNTS, { direction: 'in', status: 'sent' })).toBe(0);
    expect(countOf(AMOUNTS, { direction: 'out', status: 'received' })).toBe(0);
    expect(countOf(AMOUNTS, { direction: 'out', status: 'sent' })).toBe(40);
    expect(countOf(AMOUNTS, { direction: 'in', status: 'received' })).toBe(30);
  });
});
