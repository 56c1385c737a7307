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

/** The counted form of an address, or null when `text` is not one. A port, as some proxies report it, is ignored. */
export function countedAddress(text: string | undefined): string | null {
  if (text === undefined) return null;
  const address = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  if (isIP(address) === 0) return null;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, CUSTOMER_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
