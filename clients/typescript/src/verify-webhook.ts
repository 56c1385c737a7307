import type { webhooks } from './generated/schema.js';

/** The names of the events, such as `message.delivered`. */
export type WebhookEventName = keyof webhooks;

/** The body of one event, by its name. */
export type WebhookEventOf<Name extends WebhookEventName> =
  webhooks[Name]['post']['requestBody']['content']['application/json'];

/** The body of any event; `event` tells which one it is. Newer versions of Parley may send events not listed here. */
export type WebhookEvent = { [Name in WebhookEventName]: WebhookEventOf<Name> }[WebhookEventName];

/** A delivery as it arrived. */
export interface UnverifiedWebhook {
  /** The raw body. A body that was parsed and serialised again does not match its signature. */
  readonly body: Uint8Array | string;
  /** Of a Node request (`request.headers`), or of a `Request` (`Headers`). */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The endpoint's secret. While it is being rotated, the old and the new one. */
  readonly secret: string | readonly string[];
  /** How far `webhook-timestamp` may be off, seconds. Limits the replay of a recorded delivery. Default: 300. */
  readonly toleranceSeconds?: number | undefined;
}

/** A genuine delivery. */
export interface VerifiedWebhook {
  /** The event's id, the same on every attempt and repetition: skip those that you have processed. */
  readonly id: string;
  /** When this attempt was made. */
  readonly sentAt: Date;
  readonly event: WebhookEvent;
}

/** Why a delivery is not trusted. */
export type WebhookFault =
  | 'missing_header'
  | 'malformed_timestamp'
  | 'expired_timestamp'
  | 'wrong_signature'
  | 'malformed_body';

/** A delivery that must not be trusted. Answer 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  constructor(
    readonly fault: WebhookFault,
    message: string,
  ) {
    super(message);
  }
}

const DEFAULT_TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/**
 * Verifies a delivery by its `webhook-signature` and parses it.
 *
 * @throws WebhookVerificationError when it is not genuine or too old
 * @throws TypeError without a secret
 * @throws Error in a browser: a page that knows the secret has published it
 */
export function verifyWebhook({
  body,
  headers,
  secret,
  toleranceSeconds = DEFAULT_TOLERANCE_SECONDS,
}: UnverifiedWebhook): VerifiedWebhook {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (secrets.length === 0 || secrets.includes('')) throw new TypeError('secret must not be empty');
  const id = required(headers, 'webhook-id');
  const timestamp = required(headers, 'webhook-timestamp');
  // There are several while Parley rotates the secret.
  const signatures = required(headers, 'webhook-signature').split(' ');
  if (!/^\d{1,11}$/.test(timestamp)) {
    throw new WebhookVerificationError('malformed_timestamp', `webhook-timestamp is not Unix seconds ("${timestamp}")`);
  }
  const { createHmac } = nodeCrypto();
  const isGenuine = secrets.some((one) => {
    const digest = createHmac('sha256', keyOf(one)).update(`${id}.${timestamp}.`).update(body).digest('base64');
    return signatures.some((signature) => isEqual(signature, `v1,${digest}`));
  });
  if (!isGenuine) {
    throw new WebhookVerificationError('wrong_signature', 'webhook-signature does not match the body and the secret');
  }
  const offSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(offSeconds <= toleranceSeconds)) {
    throw new WebhookVerificationError(
      'expired_timestamp',
      `webhook-timestamp is ${Math.round(offSeconds)} s off; at most ${toleranceSeconds} s are accepted`,
    );
  }
  return { id, sentAt: new Date(Number(timestamp) * 1000), event: parsed(body) };
}

function required(headers: UnverifiedWebhook['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : plainHeader(headers, name);
  if (value) return value;
  throw new WebhookVerificationError('missing_header', `${name} is missing: has the endpoint a secret?`);
}

/** Node gives names in lower case; others may not. */
function plainHeader(headers: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = headers[name] ?? Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : null;
}

/** The base64-decoded part of a `whsec_…` secret; the bytes of any other. */
function keyOf(secret: string): Buffer {
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : '';
  return encoded !== '' && BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.from(secret, 'utf8');
}

/** In constant time. */
function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && nodeCrypto().timingSafeEqual(one, other);
}

/** Not imported, so that pages can bundle the rest of the client. */
function nodeCrypto(): typeof import('node:crypto') {
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto');
  if (crypto === undefined) throw new Error('verifyWebhook needs Node.js 20.16 or newer: verify webhooks on a server');
  return crypto;
}

function parsed(body: Uint8Array | string): WebhookEvent {
  let event: { event?: unknown } | null;
  try {
    event = JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString('utf8'));
  } catch (error) {
    throw new WebhookVerificationError('malformed_body', `the body is not JSON: ${(error as Error).message}`);
  }
  if (typeof event?.event === 'string') return event as WebhookEvent;
  throw new WebhookVerificationError('malformed_body', 'the body is not an event: its field event must be a string');
}
