import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Number of 16-bit groups in the /64 that a provider assigns to one customer. */
const CUSTOMER_GROUPS = 4;

/** The parts of a request that give its address. */
interface Connection {
  /** Behind trusted proxies, the address that they report. It can be any text. */
  readonly ip: string | undefined;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * The address that a request's failures count for: its IPv4 address, or the /64 of its IPv6 address, because one
 * customer holds all of it. If a proxy reports something that is not an address, they count for the proxy.
 */
export function callerAddress({ ip, socket }: Connection): string {
  return countedAddress(ip) ?? countedAddress(socket.remoteAddress) ?? 'unknown';
}

/**
 * The plain form of an address, or null when `text` is not one: without the port that some proxies report, and as IPv4
 * if it is an IPv4 address mapped to IPv6.
 */
export const plainAddress = (text: string | undefined): string | null => parseAddress(text)?.toString() ?? null;

/** The counted form of an address, or null when `text` is not one. */
export function countedAddress(text: string | undefined): string | null {
  const parsed = parseAddress(text);
  if (parsed === null || parsed instanceof ipaddr.IPv4) return parsed?.toString() ?? null;
  const groups = parsed.parts.slice(0, CUSTOMER_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}

function parseAddress(text: string | undefined): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (text === undefined) return null;
  const address = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(address) === 0 ? null : ipaddr.process(address);
}
