import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A range of addresses: its first address and the bits of its prefix. */
export type AddressRange = readonly [Address, number];

/** IPv6 addresses are handed out to the public from here alone (RFC 4291). */
const GLOBAL_UNICAST: AddressRange = [ipaddr.parse('2000::'), 3];

/** The well-known prefix behind which a NAT64 gateway reaches IPv4 (RFC 6052). */
const NAT64: AddressRange = [ipaddr.parse('64:ff9b::'), 96];

/** Public by its number, but the metadata and control service of a cloud when seen from inside it. */
const METADATA = new Set(['168.63.129.16']);

/** Reads `EGRESS_ALLOW`, whose entries are CIDRs or single addresses (checked at start). */
export const parseRanges = (cidrs: readonly string[]): AddressRange[] =>
  cidrs.map((cidr) => {
    const [address = '', bits] = cidr.split('/');
    const parsed = ipaddr.parse(address);
    return [parsed, bits === undefined ? parsed.toByteArray().length * 8 : Number(bits)];
  });

/** Whether `address` lies in one of `ranges`. An IPv4-mapped address is the IPv4 address that it stands for. */
export function isWithin(address: string, ranges: readonly AddressRange[]): boolean {
  const parsed = parseAddress(address);
  return parsed !== null && ranges.some((range) => contains(range, parsed));
}

/**
 * Whether `address` belongs to the public internet. Everything that the IANA registries set apart is refused:
 * private, shared (CGNAT), loopback, link-local (and with it the metadata services), multicast, broadcast,
 * documentation, benchmarking, reserved, unspecified; for IPv6 all that is not global unicast, and every form that
 * carries an IPv4 address inside (6to4, Teredo, translated), as the inner address is where the packet ends. Only
 * IPv4-mapped and NAT64 addresses are judged by what they carry: hosts without IPv4 meet them every day.
 */
export function isPublic(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === null) return false;
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast' && !METADATA.has(parsed.toString());
  if (contains(NAT64, parsed)) return isPublic(ipaddr.fromByteArray(parsed.toByteArray().slice(12)).toString());
  return parsed.range() === 'unicast' && contains(GLOBAL_UNICAST, parsed);
}

function parseAddress(address: string): Address | null {
  // A zone (fe80::1%eth0) names an interface of ours, so it is no address that a customer may give.
  if (address.includes('%') || !ipaddr.isValid(address)) return null;
  // The library takes the obsolete ::1.2.3.4 for an IPv4-mapped address, which it is not.
  if (/^::\d+\./.test(address)) return null;
  return ipaddr.process(address);
}

const contains = ([first, bits]: AddressRange, address: Address): boolean =>
  first.kind() === address.kind() && address.match(first, bits);
