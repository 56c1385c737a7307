import { type ContactIdentity, contactFields } from '../contacts/contact-ref.js';
import type { DomainEvent } from '../outbox/event.js';
import { offsetTimestamp } from '../values/clock.js';

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

/** The actor of automatic changes. */
export const systemActor = (source: AutomaticRule): ConversationActor => ({
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

/** Builds a `conversation.*` event. Its timestamp includes the UTC offset. */
export function conversationEvent(
  kind: 'conversation.assigned' | 'conversation.unassigned' | 'conversation.resolved' | 'conversation.reopened',
  change: ConversationChange,
  at: Date,
): DomainEvent {
  return {
    accountId: change.accountId,
    kind,
    contactId: change.contactId,
    occurredAt: at,
    payload: {
      event: kind,
      timestamp: offsetTimestamp(at),
      conversation: {
        ...contactFields(change.contact),
        waba_phone_id: change.businessPhoneId,
        status: change.status,
        assigned_to: change.assignedTo,
        assigned_to_name: change.assignedToName,
        previous_assignee_id: change.previousAssigneeId,
        previous_assignee_name: change.previousAssigneeName,
        is_reassignment: change.isReassignment,
        note: change.note,
        reason: change.reason,
        actor: { user_id: change.actor.userId, name: change.actor.name, source: change.actor.source },
      },
    },
  };
}
