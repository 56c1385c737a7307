import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The bits of an IPv4-mapped IPv6 address that come before the IPv4 address. */
const MAPPED_BITS = 96;

/**
 * An address range in CIDR notation, or null when `text` is none. A plain address is a range of one. A range of
 * IPv4-mapped addresses is one of IPv4 addresses, because callers' addresses are compared as such.
 */
function rangeOf(text: string): [Address, number] | null {
  // The library also accepts abbreviated addresses, such as 10.1.
  if (isIP(text.split('/', 1)[0] ?? '') === 0) return null;
  const [address, bits] = ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : [plain(text), null];
  if (address === null) return null;
  if (!(address instanceof ipaddr.IPv6) || !address.isIPv4MappedAddress()) {
    return [address, bits ?? (address.kind() === 'ipv4' ? 32 : 128)];
  }
  const ipv4Bits = bits === null ? 32 : bits - MAPPED_BITS;
  return ipv4Bits < 0 ? null : [address.toIPv4Address(), ipv4Bits];
}

const plain = (text: string): Address | null => (isIP(text) === 0 ? null : ipaddr.parse(text));

/** Whether `text` is an IP address or an address range in CIDR notation. */
export const isNetwork = (text: string): boolean => rangeOf(text) !== null;

/** Whether one of `networks` contains `address`. An address that cannot be parsed is in none. */
export function containsAddress(networks: readonly string[], address: string | null): boolean {
  if (address === null || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return networks.some((network) => {
    const range = rangeOf(network);
    return range !== null && range[0].kind() === parsed.kind() && parsed.match(range);
  });
}

/** Whether each of `inner` lies within one of `outer`. */
export const containsNetworks = (outer: readonly string[], inner: readonly string[]): boolean =>
  inner.every((network) => {
    const narrow = rangeOf(network);
    return (
      narrow !== null &&
      outer.some((candidate) => {
        const wide = rangeOf(candidate);
        return wide !== null && wide[0].kind() === narrow[0].kind() && wide[1] <= narrow[1] && narrow[0].match(wide);
      })
    );
  });
