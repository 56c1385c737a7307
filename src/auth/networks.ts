import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An address range in CIDR notation, or null when `text` is none. A plain address is a range of one. */
function rangeOf(text: string): [Address, number] | null {
  // The library also accepts abbreviated addresses, such as 10.1.
  if (isIP(text.split('/', 1)[0] ?? '') === 0) return null;
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (isIP(text) === 0) return null;
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Whether `text` is an IP address or an address range in CIDR notation. */
export const isNetwork = (text: string): boolean => rangeOf(text) !== null;

/** Whether one of `networks` contains `address`. An address that cannot be parsed is in none. */
export function containsAddress(networks: readonly string[], address: string | undefined): boolean {
  if (address === undefined || !ipaddr.isValid(address)) return false;
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
