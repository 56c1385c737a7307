import { isPublic, isWithin, parseRanges } from './address-rules.js';

describe('public addresses', () => {
  it.each([
    '1.1.1.1',
    '93.184.216.34',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '169.253.255.255',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001::8a',
    '::ffff:1.1.1.1',
    '64:ff9b::1.1.1.1',
  ])('accepts %s', (address) => {
    expect(isPublic(address)).toBe(true);
  });

  it.each([
    ['this network', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.0.1'],
    ['shared (CGNAT)', '100.64.0.1'],
    ['shared, cloud metadata', '100.100.100.200'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['link-local metadata', '169.254.169.254'],
    ['container metadata', '169.254.170.2'],
    ['cloud control service', '168.63.129.16'],
    ['protocol assignments', '192.0.0.192'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.1'],
    ['6to4 relays', '192.88.99.1'],
    ['benchmarking', '198.18.0.1'],
    ['benchmarking', '198.19.255.255'],
    ['multicast', '224.0.0.1'],
    ['multicast', '239.255.255.250'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['IPv4-compatible', '::1.1.1.1'],
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['mapped loopback in hex', '::ffff:7f00:1'],
    ['mapped metadata', '::ffff:169.254.169.254'],
    ['translated', '::ffff:0:1.1.1.1'],
    ['NAT64 of a private address', '64:ff9b::10.0.0.1'],
    ['NAT64 of metadata', '64:ff9b::a9fe:a9fe'],
    ['local NAT64', '64:ff9b:1::1.1.1.1'],
    ['discard', '100::1'],
    ['protocol assignments', '2001::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['benchmarking', '2001:2::1'],
    ['ORCHID', '2001:20::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['6to4 of loopback', '2002:7f00:1::'],
    ['6to4', '2002:101:101::1'],
    ['segment routing', '5f00::1'],
    ['unique local', 'fc00::1'],
    ['unique local metadata', 'fd00:ec2::254'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['unassigned', '4000::1'],
    ['not an address', 'localhost'],
    ['not an address', ''],
  ])('refuses %s: %s', (_what, address) => {
    expect(isPublic(address)).toBe(false);
  });
});

describe('EGRESS_ALLOW', () => {
  const ranges = parseRanges(['127.0.0.0/8', '10.1.2.3', '::1/128', 'fd00:1::/32']);

  it.each(['127.0.0.1', '127.9.9.9', '::ffff:127.0.0.1', '10.1.2.3', '::1', 'fd00:1::9'])('includes %s', (address) => {
    expect(isWithin(address, ranges)).toBe(true);
  });

  it.each(['128.0.0.1', '10.1.2.4', '::2', 'fd00:2::9', '64:ff9b::127.0.0.1', 'no address'])(
    'does not include %s',
    (address) => {
      expect(isWithin(address, ranges)).toBe(false);
    },
  );
});
