import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Groups of 16 bits that a provider gives to one customer: a /64. */
const CUSTOMER_GROUPS = 4;

/** What the address of a request is read from. */
interface Connection {
  /** Behind trusted proxies the address that they report, which may be any text. */
  readonly ip: string | undefined;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * Whom a request's failures count for: its IPv4 address, or the /64 of its IPv6 address, whose holder can call from all
 * of it. What is no address at all counts for the connection, thus for the proxy that reported it.
 */
export function callerAddress({ ip, socket }: Connection): string {
  return countedAddress(ip) ?? countedAddress(socket.remoteAddress) ?? 'unknown';
}

/** How `text` is counted, or null when it is no IP address. Some proxies report a port too; it does not matter. */
export function countedAddress(text: string | undefined): string | null {
  if (text === undefined) return null;
  const address = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  if (isIP(address) === 0) return null;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, CUSTOMER_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
