import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { MINUTE } from '../values/clock.js';
import { deliveryHeaders } from '../webhooks/delivery/webhook-signature.js';

/** How far `webhook-timestamp` may be off. Limits the replay of a recorded delivery. */
export const TIMESTAMP_TOLERANCE_MS = 5 * MINUTE;

/**
 * Verifies a delivery as its receiver should.
 *
 * @param body the raw bytes
 * @param at when it arrived
 * @returns a short reason why verification failed; null when it succeeded
 */
export function verificationFailure(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secret: string,
  at: Date,
): string | null {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
  if (typeof id !== 'string' || typeof timestamp !== 'string') return 'webhook-id or webhook-timestamp is missing';
  if (!/^\d{1,11}$/.test(timestamp)) return `webhook-timestamp is not a time in Unix seconds ("${timestamp}")`;
  const sentAt = new Date(Number(timestamp) * 1000);
  const expected = deliveryHeaders(id, sentAt, body, { current: secret, replaced: [] });
  // There are several while a secret is being rotated.
  const standard = String(headers['webhook-signature'] ?? '').split(' ');
  if (!standard.some((signature) => isEqual(signature, expected['webhook-signature']))) {
    return 'webhook-signature does not match';
  }
  if (!isEqual(String(headers['x-webhook-signature'] ?? ''), expected['x-webhook-signature'])) {
    return 'X-Webhook-Signature does not match';
  }
  const offMs = Math.abs(at.getTime() - sentAt.getTime());
  return offMs > TIMESTAMP_TOLERANCE_MS ? `webhook-timestamp is ${Math.round(offMs / 1000)} s off` : null;
}

function isEqual(given: string, expected = ''): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
