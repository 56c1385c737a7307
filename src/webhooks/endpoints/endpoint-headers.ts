import type { SealedColumn } from '../../database/secrets/sealed-column.js';
import type { SecretPlace } from '../../database/secrets/secret-box.js';
import { isPlainObject } from '../../http/field-rules.js';

/** Bounds of the headers that an endpoint adds to its deliveries; lengths in characters, which are all ASCII. */
export const OWN_HEADERS = { max: 10, nameLength: 100, valueLength: 1000 } as const;

/** What {@link headersFault} checks, as the API description says it. */
export const HEADERS_SCHEMA = {
  type: 'object',
  propertyNames: { maxLength: OWN_HEADERS.nameLength },
  additionalProperties: { type: 'string', minLength: 1, maxLength: OWN_HEADERS.valueLength },
  maxProperties: OWN_HEADERS.max,
} as const;

/** Headers that an endpoint adds to its deliveries, by name. */
export type OwnHeaders = Readonly<Record<string, string>>;

/** A header name (RFC 9110), and a value that no part of HTTP reads differently: printable ASCII, no blanks around it. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;

/** Headers that Parley sets itself. */
const OURS = [
  'content-length',
  'content-type',
  'host',
  'user-agent',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
  'x-webhook-signature',
];
/** Headers that concern one connection, or what it carries and how, and not the receiver (RFC 9110, 7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'content-encoding',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/**
 * What is wrong with an endpoint's headers, as a sentence about `field`; null if nothing is. Names appear in it, values
 * never, because they are passwords.
 */
export function headersFault(field: string, given: unknown): string | null {
  if (!isPlainObject(given)) return `${field} must be an object of header names and values`;
  const names = Object.keys(given);
  const { max, nameLength, valueLength } = OWN_HEADERS;
  if (names.length > max) return `${field} must have at most ${max} headers (got ${names.length})`;
  const seen = new Set<string>();
  for (const name of names) {
    const known = name.toLowerCase();
    if (name.length > nameLength) return `${field} must have names of at most ${nameLength} characters`;
    if (!NAME.test(name)) return `${field} must have valid header names (got ${JSON.stringify(name)})`;
    if (OURS.includes(known)) return `${field} must not have ${name}, which Parley sets itself`;
    if (HOP_BY_HOP.includes(known)) return `${field} must not have ${name}, which belongs to the connection`;
    if (seen.has(known)) return `${field} must have each header once (got ${name} twice)`;
    seen.add(known);
    const value = given[name];
    if (typeof value !== 'string' || value.length > valueLength || !VALUE.test(value)) {
      return `${field}.${name} must be 1 to ${valueLength} printable ASCII characters, without blanks around them`;
    }
  }
  return null;
}

/** The headers with their names in lower case. */
export const normalHeaders = (given: OwnHeaders): OwnHeaders =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));

/** The place an endpoint's headers are sealed for. */
export const headersPlace = (accountId: string, endpointId: string): SecretPlace => ({
  accountId,
  rowId: endpointId,
  column: 'webhook_endpoints.headers',
});

/** The column with sealed headers, a JSON object. */
export const HEADERS_COLUMN: SealedColumn = {
  table: 'webhook_endpoints',
  column: 'headers',
  key: [['id', 'uuid']],
  place: (accountId, [endpointId = '']) => headersPlace(accountId, endpointId),
};
