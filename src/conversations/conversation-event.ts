import type { ContactIdentity } from '../people/contact-ref.js';

/** A rule that changes conversations automatically. */
export type AutomaticRule = 'auto_reply' | 'auto_inbound' | 'auto_reopen';

/** The origin of a change. */
export type ChangeSource = 'manual' | 'api' | AutomaticRule;

/** Who changed a conversation. */
export interface ConversationActor {
  /** `user_id`, or the literal `system` for automatic changes. */
  readonly userId: string;
  readonly name: string;
  readonly source: ChangeSource;
}

/** The actor of automatic changes, and of those of an operator. */
export const systemActor = (source: ChangeSource): ConversationActor => ({
  userId: 'system',
  name: 'system',
  source,
});

/** A conversation after a change, as its event describes it. */
export interface ConversationChange {
  readonly accountId: string;
  readonly contactId: string;
  readonly contact: ContactIdentity;
  readonly businessPhoneId: string;
  readonly status: 'open' | 'resolved';
  readonly assignedTo: string | null;
  readonly assignedToName: string | null;
  readonly previousAssigneeId: string | null;
  readonly previousAssigneeName: string | null;
  readonly isReassignment: boolean;
  readonly note: string | null;
  readonly reason: string | null;
  readonly actor: ConversationActor;
}
