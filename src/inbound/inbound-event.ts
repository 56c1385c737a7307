import { type ContactIdentity, contactFields } from '../contacts/contact-ref.js';
import type { DomainEvent } from '../outbox/event.js';
import { naiveTimestamp } from '../values/clock.js';
import type { InboundMessage } from './inbound-message.js';

/** A stored inbound message with its sender and business phone. */
export interface StoredInbound {
  readonly accountId: string;
  /** Our id for the message. */
  readonly messageId: string;
  readonly contactId: string;
  readonly contact: ContactIdentity;
  readonly contactName: string;
  readonly businessPhoneId: string;
  readonly message: InboundMessage;
}

/** Our message that an inbound one answers. */
export interface OriginalMessage {
  readonly id: string;
  readonly campaignId: string | null;
  readonly campaignName: string | null;
  readonly sentAt: Date;
}

/** `message.received`: a contact wrote. */
export function receivedEvent(inbound: StoredInbound, isReply: boolean, at: Date): DomainEvent {
  const { message } = inbound;
  return event(inbound, 'message.received', at, {
    message: {
      message_id: inbound.messageId,
      ...contactFields(inbound.contact),
      contact_name: inbound.contactName,
      content: message.content,
      message_type: message.messageType,
      timestamp: naiveTimestamp(message.at),
      waba_phone_id: inbound.businessPhoneId,
      is_reply: isReply,
      is_from_ad: message.isFromAd,
    },
  });
}

/** `message.reply`: a contact answered one of our messages. */
export function replyEvent(inbound: StoredInbound, original: OriginalMessage, at: Date): DomainEvent {
  const { message } = inbound;
  return event(inbound, 'message.reply', at, {
    campaign_id: original.campaignId,
    campaign_name: original.campaignName,
    original_message: {
      message_id: original.id,
      ...contactFields(inbound.contact),
      contact_name: inbound.contactName,
      sent_at: naiveTimestamp(original.sentAt),
    },
    reply: {
      message_id: inbound.messageId,
      ...contactFields(inbound.contact),
      contact_name: inbound.contactName,
      content: message.content,
      message_type: message.messageType,
      timestamp: naiveTimestamp(message.at),
    },
  });
}

/** `button.clicked`: a contact tapped a quick reply of one of our messages. */
export function clickedEvent(
  inbound: StoredInbound,
  original: OriginalMessage,
  button: { id: string; text: string },
  at: Date,
): DomainEvent {
  return event(inbound, 'button.clicked', at, {
    campaign_id: original.campaignId,
    campaign_name: original.campaignName,
    message: {
      message_id: original.id,
      ...contactFields(inbound.contact),
      contact_name: inbound.contactName,
    },
    button: { id: button.id, text: button.text, type: 'quick_reply' },
  });
}

const event = (
  { accountId, contactId }: StoredInbound,
  kind: DomainEvent['kind'],
  at: Date,
  payload: Record<string, unknown>,
): DomainEvent => ({
  accountId,
  kind,
  contactId,
  occurredAt: at,
  payload: { event: kind, timestamp: naiveTimestamp(at), ...payload },
});
