import { DomainError, notFound } from '../errors/domain-error.js';
import type { RecordId } from '../values/record-id.js';

/** 504: the network may have accepted the message. */
export const lostAnswer = (messageId: RecordId): DomainError =>
  new DomainError(
    'network_timeout',
    'the network did not say whether it accepted the message: it stays pending until a status report settles it, and it is not sent again',
    { headers: { 'x-message-id': messageId } },
  );

/**
 * 503: the message was provably not sent.
 *
 * @param retryAfterMs how long to wait before a retry makes sense, milliseconds
 */
export const notSent = (messageId: RecordId, reason: string, retryAfterMs: number): DomainError =>
  new DomainError('network_unavailable', `the message was not sent: ${reason}`, {
    headers: { 'x-message-id': messageId, 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) },
  });

/** 400: the network refused the message; `reason` is human-readable. */
export const networkRejected = (messageId: RecordId, reason: string, cause?: unknown): DomainError =>
  new DomainError('network_rejected', reason, { headers: { 'x-message-id': messageId }, cause });

export const messageNotFound = (messageId: string): DomainError => notFound(`message ${messageId} not found`);
