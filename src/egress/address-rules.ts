import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An address range: its first address and prefix length in bits. */
export type AddressRange = readonly [Address, number];

/** The only block from which public IPv6 addresses are assigned (RFC 4291). */
const GLOBAL_UNICAST: AddressRange = [ipaddr.parse('2000::'), 3];

/** The well-known prefix through which NAT64 gateways reach IPv4 (RFC 6052). */
const NAT64: AddressRange = [ipaddr.parse('64:ff9b::'), 96];

/** A public address, but from inside one cloud it is that cloud's metadata and control service. */
const METADATA = new Set(['168.63.129.16']);

/** Parses `EGRESS_ALLOW`: CIDRs or single addresses, validated at startup. */
export const parseRanges = (cidrs: readonly string[]): AddressRange[] =>
  cidrs.map((cidr) => {
    const [address = '', bits] = cidr.split('/');
    const parsed = ipaddr.parse(address);
    return [parsed, bits === undefined ? parsed.toByteArray().length * 8 : Number(bits)];
  });

/** Whether `address` is in one of `ranges`. An IPv4-mapped address counts as its IPv4 address. */
export function isWithin(address: string, ranges: readonly AddressRange[]): boolean {
  const parsed = parseAddress(address);
  return parsed !== null && ranges.some((range) => contains(range, parsed));
}

/**
 * Whether `address` is on the public internet. Everything that the IANA registries list as special is refused: private,
 * shared (CGNAT), loopback, link-local (including metadata services), multicast, broadcast, documentation,
 * benchmarking, reserved, unspecified. For IPv6, also everything that is not global unicast, and every form that embeds
 * an IPv4 address (6to4, Teredo, translated), because packets end up at the embedded address. IPv4-mapped and NAT64
 * addresses are common on hosts without IPv4, so they are judged by the address they embed.
 */
export function isPublic(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === null) return false;
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast' && !METADATA.has(parsed.toString());
  if (contains(NAT64, parsed)) return isPublic(ipaddr.fromByteArray(parsed.toByteArray().slice(12)).toString());
  return parsed.range() === 'unicast' && contains(GLOBAL_UNICAST, parsed);
}

function parseAddress(address: string): Address | null {
  // A zone (fe80::1%eth0) names one of our own interfaces, so customers may not use one.
  if (address.includes('%') || !ipaddr.isValid(address)) return null;
  // The library treats the obsolete ::1.2.3.4 as IPv4-mapped, which it is not.
  if (/^::\d+\./.test(address)) return null;
  return ipaddr.process(address);
}

const contains = ([first, bits]: AddressRange, address: Address): boolean =>
  first.kind() === address.kind() && address.match(first, bits);
