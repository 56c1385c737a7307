import { callerAddress, countedAddress } from './caller-address.js';

describe('the address that a failure counts for', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['2001:db8:0:7::1', '2001:db8:0:7::/64'],
    ['2001:0DB8::7:ffff:ffff:ffff:ffff', '2001:db8:0:7::/64'],
    ['2001:db8:0:8::1', '2001:db8:0:8::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['192.0.2.7:4711', '192.0.2.7'],
    ['[2001:db8:0:7::1]:4711', '2001:db8:0:7::/64'],
    ['[2001:db8:0:7::1]', '2001:db8:0:7::/64'],
  ])('is, for %s, %s', (text, expected) => {
    expect(countedAddress(text)).toBe(expected);
  });

  it.each(['', 'unknown', '_hidden', '1', '0x7f.1', '192.0.2.7/24', '192.0.2.999', 'example.test', 'x'.repeat(9000)])(
    'is the connection’s own address when a proxy reports %j',
    (reported) => {
      expect(countedAddress(reported)).toBeNull();
      expect(callerAddress({ ip: reported, socket: { remoteAddress: '::ffff:10.0.0.1' } })).toBe('10.0.0.1');
    },
  );

  it('is the same for all requests whose connection is already closed', () => {
    expect(callerAddress({ ip: undefined, socket: {} })).toBe('unknown');
  });
});
