import type { Tx } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';

/** A message from a contact, as it was stored. */
export interface InboundFacts {
  readonly messageId: RecordId;
  readonly contactId: RecordId;
  readonly businessPhoneId: RecordId;
  /** The network's type, such as `text`; `system` for notices that the network sends on a contact's behalf. */
  readonly messageType: string;
  readonly content: string;
  /** When it was written. */
  readonly at: Date;
  /** Our message that it answers, or null. */
  readonly answers: RecordId | null;
  /** The campaign of the message that it answers, or null. */
  readonly campaignId: RecordId | null;
}

/** A tap on a button of one of our messages. */
export interface TapFacts extends InboundFacts {
  readonly answers: RecordId;
  readonly button: { readonly id: string; readonly text: string };
}

/** A message that its sender has edited, as it is now. */
export interface EditFacts {
  readonly messageId: RecordId;
  readonly contactId: RecordId;
  readonly businessPhoneId: RecordId;
  readonly messageType: string;
  readonly content: string;
  /** When it was edited. */
  readonly at: Date;
}

/** A message that its sender has deleted, or a reaction that was taken back. Its contents are gone. */
export type RevokeFacts = Omit<EditFacts, 'content'>;

/**
 * Hears of messages from contacts, each once, and of what contacts change in them. Notices of the network are messages
 * too.
 */
export abstract class InboundListener {
  onMessage?(accountId: string, message: InboundFacts, tx: Tx): Promise<void>;
  /** After {@link onMessage} for the same message. */
  onTap?(accountId: string, tap: TapFacts, tx: Tx): Promise<void>;
  onEdit?(accountId: string, edit: EditFacts, tx: Tx): Promise<void>;
  onRevoke?(accountId: string, revocation: RevokeFacts, tx: Tx): Promise<void>;
}
