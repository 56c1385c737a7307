import { DomainError } from '../errors/domain-error.js';
import type { RecordId } from '../values/record-id.js';

/** 504: the network may have taken the message. */
export const lostAnswer = (messageId: RecordId): DomainError =>
  new DomainError(
    'network_timeout',
    'the network did not say whether it took the message: it stays pending until a status report settles it, and is not sent again',
    { headers: { 'x-message-id': messageId } },
  );

/**
 * 503: the message was provably not sent.
 *
 * @param retryAfterMs when it may be worth another try, milliseconds
 */
export const notSent = (messageId: RecordId, reason: string, retryAfterMs: number): DomainError =>
  new DomainError('network_unavailable', `the message was not sent: ${reason}`, {
    headers: { 'x-message-id': messageId, 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) },
  });

/** 400: the network refused the message; `reason` in plain words. */
export const networkRejected = (messageId: RecordId, reason: string, cause?: unknown): DomainError =>
  new DomainError('network_rejected', reason, { headers: { 'x-message-id': messageId }, cause });
