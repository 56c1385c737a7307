import { maskIdentifiers } from './person-identifiers.js';
import { newRecordId } from './record-id.js';

describe('maskIdentifiers', () => {
  it.each([
    newRecordId(),
    '12345678-1234-4234-8234-123456789012',
    '4bf92f3577b34da6a3ce929d0e0e4736',
    'order-4711',
    'trace-2026',
    'a'.repeat(128),
    'index.html',
    'v1.2',
    '@9',
    'ada@',
    'k%C3%BCche%20%40',
    '100%',
  ])('keeps %s', (text) => {
    expect(maskIdentifiers(text)).toBe(text);
  });

  it.each([
    ['4915112345678', '*****78'],
    ['order-4915112345678-2', 'order-*****-2'],
    ['49-151-12345678', '*****78'],
    ['%2B49%20(0)%20-%20151%2012345678', '%2B*****78'],
    ['US.13491208655302741918', '*****18'],
    ['US.AbCdEfGh', '*****Gh'],
    ['US%2EAbCdEfGh', '*****Gh'],
    ['12345678901234567890123456789012', '*****12'],
    ['bo@example.test', '*****st'],
    ['mailto:bo@example.test;x', 'mailto:*****st;x'],
    ['bo%40example.test', '*****st'],
    ['%22%62o%40example%2Etes%74%22', '%22*****s%74%22'],
    ['j%C3%BCrg@example.test', '*****st'],
    ['%F0%9F%94%91%20bo@example.%F0%9F%94%91', '%F0%9F%94%91%20*****%F0%9F%94%91'],
    ['%2B491511234567', '%2B*****67'],
    ['%34%39151123%34%35', '*****%34%35'],
    ['k%C3%BCche-%20US.1349', 'k%C3%BCche-%20*****49'],
    ['100%1234567', '100%*****67'],
  ])('masks %s as %s', (text, expected) => {
    expect(maskIdentifiers(text)).toBe(expected);
  });
});
