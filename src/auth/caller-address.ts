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
  return formsOf(ip).counted ?? formsOf(socket.remoteAddress).counted ?? 'unknown';
}

/** Texts whose forms are kept: parsing costs more than all other work of the guards, and callers come again. */
const MAX_KEPT = 1000;
/** Characters of a kept text; a proxy may report any. */
const MAX_KEPT_LENGTH = 64;

interface AddressForms {
  readonly plain: string | null;
  readonly counted: string | null;
}

const NO_ADDRESS: AddressForms = { plain: null, counted: null };
const kept = new Map<string, AddressForms>();

/**
 * The plain form of an address, or null when `text` is not one: without the port that some proxies report, and as IPv4
 * if it is an IPv4 address mapped to IPv6.
 */
export const plainAddress = (text: string | undefined): string | null => formsOf(text).plain;

/** The counted form of an address, or null when `text` is not one. */
export const countedAddress = (text: string | undefined): string | null => formsOf(text).counted;

function formsOf(text: string | undefined): AddressForms {
  if (text === undefined) return NO_ADDRESS;
  const known = kept.get(text);
  if (known !== undefined) return known;
  const forms = readForms(text);
  if (kept.size >= MAX_KEPT) kept.clear();
  if (forms !== NO_ADDRESS && text.length <= MAX_KEPT_LENGTH) kept.set(text, forms);
  return forms;
}

function readForms(text: string): AddressForms {
  const address = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  if (isIP(address) === 0) return NO_ADDRESS;
  const parsed = ipaddr.process(address);
  const plain = parsed.toString();
  if (parsed instanceof ipaddr.IPv4) return { plain, counted: plain };
  const groups = parsed.parts.slice(0, CUSTOMER_GROUPS).map((group) => group.toString(16));
  return { plain, counted: `${groups.join(':')}::/64` };
}
