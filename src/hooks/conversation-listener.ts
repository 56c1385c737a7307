import type { Tx } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';

/** A conversation after a change of its state. */
export interface ConversationFacts {
  readonly contactId: RecordId;
  readonly businessPhoneId: RecordId;
  readonly status: 'open' | 'resolved';
  /** The assignee's `user_id`, or null. */
  readonly assignedTo: RecordId | null;
  /** Who lost the conversation in this change, or null. */
  readonly previousAssignee: RecordId | null;
  /** `api`, or the automatic rule that changed it. */
  readonly source: string;
  readonly at: Date;
}

/** Hears of conversations that change hands or state. */
export abstract class ConversationListener {
  onAssigned?(accountId: string, conversation: ConversationFacts, tx: Tx): Promise<void>;
  onResolved?(accountId: string, conversation: ConversationFacts, tx: Tx): Promise<void>;
  /** A reopened conversation may have another assignee than before. */
  onReopened?(accountId: string, conversation: ConversationFacts, tx: Tx): Promise<void>;
}
