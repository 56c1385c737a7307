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

/** Why a message failed: the error code and a human-readable reason. */
export interface MessageError {
  readonly code: number;
  readonly message: string;
}

/**
 * Builds the webhook event of a message status.
 *
 * @param reportedAt when it happened, by the network's clock
 * @param at the time of the event
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
