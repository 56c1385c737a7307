import { MESSAGE_ERRORS } from '../errors/error-catalog.js';
import { SECOND } from '../values/clock.js';
import type { RecordId } from '../values/record-id.js';
import type { MessageRow } from './message-history.queries.js';
import { lostAnswer, networkRejected, notSent } from './messages.errors.js';

/** A message that the network accepted. */
export interface SentMessage {
  readonly messageId: RecordId;
  readonly contactId: RecordId;
  readonly at: Date;
}

const UNSENT: readonly number[] = [MESSAGE_ERRORS.networkUnavailable.code, MESSAGE_ERRORS.retriesExhausted.code];

/**
 * What a send came to, told from the message alone: for a request whose process died before it could answer (D9).
 *
 * @throws DomainError what the send would have thrown: `network_timeout` (504) where the network's answer is not known,
 * `network_unavailable` (503), `network_rejected` (400), each with `X-Message-Id`
 */
export function sentMessageOf(row: MessageRow): SentMessage {
  const { id: messageId, contact_id: contactId, error_code: code } = row;
  const at = row.accepted_at ?? row.sent_at ?? row.delivered_at ?? row.read_at ?? row.clicked_at;
  if (at !== null) return { messageId, contactId, at };
  if (row.status === 'pending' || code === null || code === MESSAGE_ERRORS.outcomeUnknown.code) {
    throw lostAnswer(messageId);
  }
  const reason = row.error_message ?? 'the network gave no reason';
  throw UNSENT.includes(code) ? notSent(messageId, reason, SECOND) : networkRejected(messageId, reason);
}
