import { MESSAGE_ERRORS } from '../../errors/error-catalog.js';
import { SECOND } from '../../values/clock.js';
import type { RecordId } from '../../values/record-id.js';
import { lostAnswer, networkRejected, notSent } from '../messages.errors.js';
import type { MessageRow } from './message-history.queries.js';

/** A message that the network accepted. */
export interface SentMessage {
  readonly messageId: RecordId;
  readonly contactId: RecordId;
  readonly at: Date;
}

type OutcomeRow = Pick<
  MessageRow,
  | 'id'
  | 'contactId'
  | 'status'
  | 'errorCode'
  | 'errorMessage'
  | 'acceptedAt'
  | 'sentAt'
  | 'deliveredAt'
  | 'readAt'
  | 'clickedAt'
>;

const UNSENT: readonly number[] = [MESSAGE_ERRORS.networkUnavailable.code, MESSAGE_ERRORS.retriesExhausted.code];

/**
 * Derives the outcome of a send from its message, for a request whose process died before it could respond.
 *
 * @throws DomainError what the send would have thrown: `network_timeout` (504) if the network's answer is unknown,
 * `network_unavailable` (503), `network_rejected` (400), each with `X-Message-Id`
 */
export function sentMessageOf(row: OutcomeRow): SentMessage {
  const { id: messageId, contactId, errorCode: code } = row;
  const at = row.acceptedAt ?? row.sentAt ?? row.deliveredAt ?? row.readAt ?? row.clickedAt;
  if (at !== null) return { messageId, contactId, at };
  if (row.status === 'pending' || code === null || code === MESSAGE_ERRORS.outcomeUnknown.code) {
    throw lostAnswer(messageId);
  }
  const reason = row.errorMessage ?? 'the network gave no reason';
  throw UNSENT.includes(code) ? notSent(messageId, reason, SECOND) : networkRejected(messageId, reason);
}
