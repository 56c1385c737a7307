import { parseTrustedProxies } from './environment-values.js';

describe('TRUST_PROXY', () => {
  it.each([
    ['false', 0],
    ['no', 0],
    ['0', 0],
    ['true', 1],
    ['TRUE', 1],
    ['1', 1],
    ['3', 3],
    ['10.0.0.0/8', ['10.0.0.0/8']],
    ['10.0.0.0/8, 192.0.2.7,2001:db8::/32', ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32']],
  ])('%s is %j', (value, expected) => {
    expect(parseTrustedProxies(value)).toEqual(expected);
  });

  it.each([
    'maybe',
    '-1',
    '101',
    '1.5',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0/8',
    'loopback',
    'a,b',
    ',',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/8,::/00',
  ])('rejects %s in one line that lists the valid formats', (value) => {
    expect(() => parseTrustedProxies(value)).toThrow(
      `must be true, false, a number of proxies from 0 to 100, or their addresses as CIDRs separated by commas, such as 10.0.0.0/8,2001:db8::/32 (got ${value})`,
    );
  });
});
