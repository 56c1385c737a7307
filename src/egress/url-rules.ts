import { isIP } from 'node:net';
import { parseUrl } from '../values/parse-url.js';
import { EgressError } from './egress-error.js';

/** Characters of a URL at most: what browsers, proxies and the network itself take. */
export const MAX_URL_CHARACTERS = 2048;

/** Ports above 1023 where databases, queues, caches and control planes listen, never web servers. */
const SERVICE_PORTS = new Set([
  1080, 1433, 1434, 1521, 1719, 1720, 1723, 1883, 2049, 2181, 2375, 2376, 2377, 2379, 2380, 3268, 3269, 3306, 3389,
  3659, 4045, 4190, 4222, 4369, 5060, 5061, 5222, 5269, 5432, 5433, 5671, 5672, 5900, 5901, 5984, 5985, 5986, 6000,
  6379, 6380, 6432, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 7000, 7001, 7199, 7687, 8125, 8883, 9042,
  9092, 9160, 9200, 9300, 10080, 10250, 10255, 10256, 11211, 15672, 25672, 26379, 27017, 27018, 27019, 61613, 61616,
]);

/** Whether a web server of a customer may listen on `port`: 80, 443, or a high port that no other service is known by. */
export const isWebPort = (port: number): boolean =>
  port === 80 || port === 443 || (port >= 1024 && !SERVICE_PORTS.has(port));

/** The port of `url`, also when it is the scheme's own. */
export const portOf = (url: { readonly protocol: string; readonly port: string }): number =>
  url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);

/** The host of a URL without the brackets of an IPv6 address. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** Whether `host` names this machine, whatever a DNS server says (RFC 6761). */
export const isLocalhost = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/**
 * Parses a customer's URL and refuses what is wrong with it by itself: not http(s), a user name or password, a host
 * that no DNS server could know. Addresses in decimal, octal, hex or shortened form come out in dotted form, and the
 * final dot of a host name is dropped, so that one spelling is judged, resolved and connected to.
 *
 * @throws EgressError `bad_url`
 */
export function parseEgressUrl(raw: string): URL {
  if (raw.length > MAX_URL_CHARACTERS) {
    throw badUrl(`must have at most ${MAX_URL_CHARACTERS} characters (found ${raw.length})`);
  }
  // The URL standard strips or rewrites these silently; other parsers on the way may read another host.
  const url = /[\u0000-\u0020\u007f\\]/.test(raw) || !/^https?:\/\//i.test(raw) ? null : parseUrl(raw);
  if (url === null) throw badUrl('must be a valid URL that starts with http:// or https://');
  if (url.username !== '' || url.password !== '') throw badUrl('must not hold a user name or password');
  const host = bareHost(url.hostname);
  if (isIP(host) !== 0) return url;
  if (host.endsWith('.')) url.hostname = host.slice(0, -1);
  if (!isHostName(url.hostname)) throw badUrl('must have a valid host name');
  return url;
}

/** At most 253 characters in labels of 1 to 63 characters (RFC 1035); underscores are seen in practice. */
const isHostName = (host: string): boolean =>
  host.length <= 253 && host.split('.').every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(label));

const badUrl = (message: string): EgressError => new EgressError('bad_url', message);
