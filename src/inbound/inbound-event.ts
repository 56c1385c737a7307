import type { Message } from '../messages/message.entity.js';
import type { MessageParts } from '../messages/message-parts.js';
import type { ContactIdentity } from '../people/contact-ref.js';
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
  readonly parts: MessageParts;
}

/** A message that an inbound one answers or names. */
export interface OriginalMessage {
  readonly id: string;
  readonly direction: Message['direction'];
  /** The contact of its campaign's recipient; it may have been merged into the one that answers. */
  readonly contactId: string;
  readonly campaignId: string | null;
  readonly campaignName: string | null;
  /** What the caller calls it; null: nothing. */
  readonly reference: string | null;
  readonly sentAt: Date;
}
