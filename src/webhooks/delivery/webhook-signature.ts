import { createHmac } from 'node:crypto';
import { STANDARD_PREFIX } from '../endpoints/endpoint-secrets.js';

/** The secrets that sign an endpoint's deliveries. */
export interface SigningSecrets {
  /** The newest secret, as the customer wrote it. */
  readonly current: string;
  /** Those that it replaced recently, newest first. */
  readonly replaced: readonly string[];
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/**
 * The request headers of an attempt, with its signatures.
 *
 * @param eventId stable per event, so that receivers can drop duplicates
 * @param at the time of this attempt; the Standard Webhooks signature covers it, so that receivers can reject replays
 * @param body the raw bytes that are sent
 * @param secrets null: the delivery is not signed
 */
export function deliveryHeaders(
  eventId: string,
  at: Date,
  body: Buffer,
  secrets: SigningSecrets | null,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'Parley-Webhook/1.0',
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
  };
  if (secrets === null) return headers;
  headers['x-webhook-signature'] = plainSignature(body, secrets.current);
  headers['webhook-signature'] = [secrets.current, ...secrets.replaced]
    .map((secret) => standardSignature(eventId, timestamp, body, secret))
    .join(' ');
  return headers;
}

/** `sha256=<hex>` of the raw body, keyed with the literal bytes of the secret, whatever it looks like. */
const plainSignature = (body: Buffer, secret: string): string =>
  `sha256=${createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('hex')}`;

/** `v1,<base64>` over id, timestamp and body, as specified by standardwebhooks.com. */
const standardSignature = (eventId: string, timestamp: string, body: Buffer, secret: string): string =>
  `v1,${createHmac('sha256', standardKey(secret)).update(`${eventId}.${timestamp}.`).update(body).digest('base64')}`;

/**
 * The base64-decoded part of a `whsec_…` secret; the raw bytes of any other, and of one from before such secrets had to
 * be canonical base64.
 */
function standardKey(secret: string): Buffer {
  const encoded = secret.startsWith(STANDARD_PREFIX) ? secret.slice(STANDARD_PREFIX.length) : '';
  return encoded !== '' && BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.from(secret, 'utf8');
}
