import type { ContactIdentity } from '../people/contact-ref.js';
import type { ReadMessage } from './inbound-kinds.js';
import type { MessageParts } from './message-parts.js';

/** Whom an event names. */
export interface NamedContact {
  readonly contact: ContactIdentity;
  readonly contactName: string;
}

/** The campaign that the message of an event belongs to, if any. */
export interface OfCampaign {
  readonly campaignId: string | null;
  readonly campaignName: string | null;
}

/** The message that the event of a status is about. */
export interface MessageSubject extends NamedContact, OfCampaign {
  readonly accountId: string;
  readonly messageId: string;
  readonly contactId: string;
  /** What the caller calls it; null: nothing. */
  readonly reference: string | null;
}

/** Why a message failed: the error code and a human-readable reason. */
export interface MessageError {
  readonly code: number;
  readonly message: string;
}

/** A message of a contact. */
export interface ReceivedMessage extends NamedContact {
  /** Our id for the message. */
  readonly messageId: string;
  readonly businessPhoneId: string;
  readonly message: {
    readonly read: Pick<ReadMessage, 'content' | 'messageType'>;
    readonly at: Date;
    readonly isFromAd: boolean;
  };
  readonly parts: MessageParts;
}

/** Our message that a contact answered. */
export interface AnsweredMessage extends OfCampaign {
  readonly id: string;
  /** What the caller calls it; null: nothing. */
  readonly reference: string | null;
  readonly sentAt: Date;
}
