import { type ContactIdentity, contactFields } from '../contacts/contact-ref.js';
import type { DomainEvent } from '../outbox/event.js';
import { naiveTimestamp } from '../values/clock.js';
import type { StatusEvent } from './reports/message-status.js';

/** The message that an event is about. */
export interface MessageSubject {
  readonly accountId: string;
  readonly messageId: string;
  readonly contactId: string;
  readonly contact: ContactIdentity;
  readonly contactName: string;
  readonly campaignId: string | null;
  readonly campaignName: string | null;
}

/** Why a message failed, in plain words and with its number. */
export interface MessageError {
  readonly code: number;
  readonly message: string;
}

/** First and last name as one. */
export const fullName = (firstName: string, lastName: string | null): string =>
  lastName === null || lastName === '' ? firstName : `${firstName} ${lastName}`;

/**
 * The webhook of a message status.
 *
 * @param reportedAt when the network says it happened
 * @param at when we tell of it
 */
export function statusEvent(
  subject: MessageSubject,
  { kind, status, previous }: StatusEvent,
  error: MessageError | null,
  reportedAt: Date,
  at: Date,
): DomainEvent {
  return {
    accountId: subject.accountId,
    kind,
    contactId: subject.contactId,
    occurredAt: at,
    payload: {
      event: kind,
      timestamp: naiveTimestamp(at),
      campaign_id: subject.campaignId,
      campaign_name: subject.campaignName,
      message: {
        message_id: subject.messageId,
        ...contactFields(subject.contact),
        contact_name: subject.contactName,
        status,
        previous_status: previous,
        status_timestamp: naiveTimestamp(reportedAt),
        ...(kind === 'message.failed'
          ? { error_message: error?.message ?? 'The network gave no reason.', error_code: error?.code ?? 0 }
          : {}),
      },
    },
  };
}
