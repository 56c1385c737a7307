import { isIP } from 'node:net';
import { urlOrNull } from '../values/parse-url.js';
import { quoted, shownText } from '../values/shown-text.js';
import { edgeFault } from '../values/url-encoding.js';
import { EgressError } from './egress-error.js';

/** The limit of browsers, proxies and the network itself. */
export const MAX_URL_CHARACTERS = 2048;

/** Ports above 1023 used by databases, queues, caches and control planes, but not by web servers. */
const SERVICE_PORTS = new Set([
  1080, 1433, 1434, 1521, 1719, 1720, 1723, 1883, 2049, 2181, 2375, 2376, 2377, 2379, 2380, 3268, 3269, 3306, 3389,
  3659, 4045, 4190, 4222, 4369, 5060, 5061, 5222, 5269, 5432, 5433, 5671, 5672, 5900, 5901, 5984, 5985, 5986, 6000,
  6379, 6380, 6432, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 7000, 7001, 7199, 7687, 8125, 8883, 9042,
  9092, 9160, 9200, 9300, 10080, 10250, 10255, 10256, 11211, 15672, 25672, 26379, 27017, 27018, 27019, 61613, 61616,
]);

/** Whether a customer's web server may use `port`: 80, 443, or a high port that is not known for another service. */
export const isWebPort = (port: number): boolean =>
  port === 80 || port === 443 || (port >= 1024 && !SERVICE_PORTS.has(port));

/** The port of `url`, or its scheme's default. */
export const portOf = (url: { readonly protocol: string; readonly port: string }): number =>
  url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);

/** A URL's host without the brackets around an IPv6 address. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');

/**
 * A header's value with every byte above 127 percent-encoded, as a URL may have none. Servers write paths and hosts in UTF-8
 * there; a URL's host is decoded again, so it becomes the same name as when the customer writes it.
 *
 * @param header in Latin-1, a character for each byte
 */
export const encodedBytes = (header: string): string =>
  header.replace(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);

/** Whether `host` always means this machine, whatever DNS says (RFC 6761). */
export const isLocalhost = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/**
 * Parses a customer's URL and refuses other schemes than http(s), a user name or password, and invalid host names. IPv4
 * addresses in decimal, octal, hex or short form are normalised to dotted form, and a trailing dot of a host name is
 * dropped, so that we check, resolve and connect to the same spelling.
 *
 * @throws EgressError `bad_url`
 */
export function parseEgressUrl(raw: string): URL {
  // Code points, as in all other limits.
  const found = [...raw].length;
  if (found > MAX_URL_CHARACTERS) {
    throw badUrl(`must have at most ${MAX_URL_CHARACTERS} characters (found ${found})`);
  }
  return parse(raw);
}

/**
 * The URL as it will be requested, which is one spelling for all that lead to the same request: ASCII, without a default
 * port, dots in the path, or a fragment. Its length counts, not that of the spelling that was given.
 *
 * @throws EgressError `bad_url`
 */
export function canonicalUrl(raw: string): string {
  const { origin, pathname, search } = parse(raw);
  const canonical = origin + pathname + search;
  if (canonical.length <= MAX_URL_CHARACTERS) return canonical;
  throw badUrl(
    `must have at most ${MAX_URL_CHARACTERS} bytes, other characters than ASCII encoded (found ${canonical.length})`,
  );
}

function parse(raw: string): URL {
  const edge = edgeFault(raw);
  if (edge !== null) throw badUrl(`${edge} (got ${shownText(raw)})`);
  const isHttp = /^https?:\/\//i.test(raw);
  const unfit = isHttp ? unfitIn(raw) : null;
  if (unfit !== null) throw badUrl(`${unfit} (got ${shownText(raw)})`);
  const url = isHttp ? urlOrNull(raw) : null;
  if (url === null) throw badUrl('must be a valid URL that starts with http:// or https://');
  if (url.username !== '' || url.password !== '') throw badUrl('must not contain a user name or password');
  const host = bareHost(url.hostname);
  if (isIP(host) !== 0) return url;
  if (host.endsWith('.')) url.hostname = host.slice(0, -1);
  if (!isHostName(url.hostname)) throw badUrl('must have a valid host name');
  return url;
}

/** What is wrong with a URL in which a character stands that the URL parser silently strips or rewrites; others read another host. */
function unfitIn(url: string): string | null {
  const [unfit] = /[\u0000-\u0020\u007f\\]/.exec(url) ?? [];
  if (unfit === undefined) return null;
  const [authority = ''] = /^https?:\/\/[^/?#]*/i.exec(url) ?? [];
  const isInPath = unfit === ' ' && !authority.includes(unfit);
  return isInPath ? 'must have " " percent-encoded, as %20' : `must not contain ${quoted(unfit)}`;
}

/** At most 253 characters, in labels of 1 to 63 characters (RFC 1035); underscores occur in practice. */
const isHostName = (host: string): boolean =>
  host.length <= 253 && host.split('.').every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(label));

const badUrl = (message: string): EgressError => new EgressError('bad_url', message);
