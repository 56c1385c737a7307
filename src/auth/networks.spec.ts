import { containsAddress, containsNetworks, isNetwork } from './networks.js';

describe('networks', () => {
  it('are addresses and ranges in CIDR notation', () => {
    expect(['203.0.113.0/24', '203.0.113.7', '2001:db8::/32', '::1'].every(isNetwork)).toBe(true);
    expect(['', '203.0.113.0/33', 'example.com', '203.0.113.0/24 ', '1.2.3'].some(isNetwork)).toBe(false);
  });

  it('contain the addresses of their range, mapped IPv4 addresses too', () => {
    expect(containsAddress(['203.0.113.0/24'], '203.0.113.9')).toBe(true);
    expect(containsAddress(['203.0.113.0/24'], '::ffff:203.0.113.9')).toBe(true);
    expect(containsAddress(['2001:db8::/32'], '2001:db8:1::1')).toBe(true);
    expect(containsAddress(['203.0.113.0/24', '::1'], '203.0.114.9')).toBe(false);
    expect(containsAddress(['0.0.0.0/0'], '2001:db8::1')).toBe(false);
    expect(containsAddress(['0.0.0.0/0'], 'unknown')).toBe(false);
    expect(containsAddress(['0.0.0.0/0'], null)).toBe(false);
  });

  it('are IPv4 ranges when they are written as IPv4-mapped ones', () => {
    expect(['::ffff:203.0.113.0/120', '::ffff:203.0.113.9', '::ffff:0:0/96'].every(isNetwork)).toBe(true);
    expect(isNetwork('::ffff:203.0.113.0/64')).toBe(false);
    expect(containsAddress(['::ffff:203.0.113.0/120'], '203.0.113.9')).toBe(true);
    expect(containsAddress(['::ffff:203.0.113.9'], '203.0.113.9')).toBe(true);
    expect(containsAddress(['::ffff:203.0.113.0/120'], '203.0.114.9')).toBe(false);
    expect(containsNetworks(['203.0.113.0/24'], ['::ffff:203.0.113.128/121'])).toBe(true);
  });

  it('lie within others when every one of them does', () => {
    expect(containsNetworks(['10.0.0.0/8', '::1'], ['10.1.0.0/16', '10.0.0.1', '::1'])).toBe(true);
    expect(containsNetworks(['10.0.0.0/8'], ['10.0.0.0/7'])).toBe(false);
    expect(containsNetworks(['10.0.0.0/8'], ['10.1.0.0/16', '192.168.0.1'])).toBe(false);
    expect(containsNetworks([], [])).toBe(true);
  });
});
