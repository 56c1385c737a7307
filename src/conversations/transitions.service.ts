import { Injectable } from '@nestjs/common';
import type { Tx } from '../database/unit-of-work.js';
import { ConversationListener } from '../hooks/conversation-listener.js';
import { notify } from '../hooks/notify.js';
import { Outbox } from '../outbox/outbox.js';
import { type ContactIdentity, refOf } from '../people/contact-ref.js';
import { now } from '../values/clock.js';
import type { RecordId } from '../values/record-id.js';
import type { ConversationOutcome } from './assignment-data.js';
import { type AutomaticRule, type ConversationActor, systemActor } from './conversation-event.js';
import { type ConversationTransition, changeTime, isReassignment, previousAssignee } from './conversation-state.js';
import { conversationEvent } from './conversations.events.js';
import { applyTransition, type LockedConversation } from './transition.queries.js';

/** Who changes a conversation: a user through the API or by hand, an automatic rule, or an operator, who is unknown. */
export type Cause =
  | {
      readonly source: 'api' | 'manual';
      /** Null: an operator. */
      readonly userId: RecordId | null;
      readonly note?: string | null;
      readonly reason?: string | null;
    }
  | { readonly source: AutomaticRule };

/** A conversation after a transition. */
export interface TransitionResult {
  /** The conversation after the transition, still locked. */
  readonly conversation: LockedConversation;
  readonly outcome: ConversationOutcome;
}

/** Applies transitions: writes state, assignment history, timeline and event together, in the caller's transaction. */
@Injectable()
export class TransitionsService {
  constructor(private readonly outbox: Outbox) {}

  /** Applies a transition. @param conversation must be locked by this transaction */
  async apply(
    accountId: string,
    contact: ContactIdentity,
    conversation: LockedConversation,
    transition: ConversationTransition,
    cause: Cause,
    tx: Tx,
  ): Promise<TransitionResult> {
    const at = changeTime(now(), conversation.changedAt);
    const reassignment = isReassignment(transition);
    const given = 'note' in cause ? (cause.note ?? null) : null;
    // Events and assignments have the note of a reassignment only, the timeline any.
    const note = reassignment ? given : null;
    const reason = 'reason' in cause ? (cause.reason ?? null) : null;
    const actorId = 'userId' in cause ? cause.userId : null;
    const row = await applyTransition(
      accountId,
      conversation,
      transition,
      { source: cause.source, actorId, at, note, entry: { note: given, reason } },
      tx,
    );
    if (row === null) throw new Error(`conversation with ${refOf(contact).value} changed while it was locked`);
    const change = {
      accountId,
      contact,
      businessPhoneId: conversation.businessPhoneId,
      status: transition.to.status,
      assignedTo: transition.to.assignedTo,
      assignedToName: row.assignedToName,
      previousAssigneeId: previousAssignee(transition),
      previousAssigneeName: row.previousAssigneeName,
      isReassignment: reassignment,
      note,
    };
    const actor = actorOf(cause, row.actorName);
    await this.outbox.write(
      [conversationEvent(transition.kind, { ...change, contactId: conversation.contactId, reason, actor }, at)],
      tx,
    );
    tellListeners(accountId, conversation, transition, { source: cause.source, at }, tx);
    return {
      conversation: { ...conversation, status: change.status, assignedTo: change.assignedTo, changedAt: at },
      outcome: { ...change, changed: true, assignedAt: row.assignedAt },
    };
  }
}

const HOOKS = { assigned: 'onAssigned', resolved: 'onResolved', reopened: 'onReopened', unassigned: null } as const;

function tellListeners(
  accountId: string,
  { contactId, businessPhoneId }: LockedConversation,
  transition: ConversationTransition,
  { source, at }: { readonly source: string; readonly at: Date },
  tx: Tx,
): void {
  const hook = HOOKS[transition.kind];
  if (hook === null) return;
  const facts = { contactId, businessPhoneId, ...transition.to, previousAssignee: previousAssignee(transition) };
  notify(ConversationListener, hook, accountId, { ...facts, source, at }, tx);
}

const actorOf = (cause: Cause, name: string | null): ConversationActor => {
  const { source } = cause;
  return 'userId' in cause && cause.userId !== null
    ? { userId: cause.userId, name: name ?? '', source }
    : systemActor(source);
};
