import { Injectable } from '@nestjs/common';
import { type ContactIdentity, refOf } from '../contacts/contact-ref.js';
import type { Tx } from '../database/unit-of-work.js';
import { Outbox } from '../outbox/outbox.js';
import { now } from '../values/clock.js';
import type { RecordId } from '../values/record-id.js';
import type { ConversationOutcome } from './assignment-data.js';
import { type AutomaticRule, type ConversationActor, conversationEvent, systemActor } from './conversation-event.js';
import { changeTime, isReassignment, previousAssignee, type Transition } from './conversation-state.js';
import { applyTransition, type LockedConversation } from './transition.queries.js';

/** Who changes a conversation: the account's owner through the API, or an automatic rule. */
export type Cause =
  | {
      readonly source: 'api';
      readonly userId: RecordId;
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

/** Applies transitions: writes state, assignment history and event together, in the caller's transaction. */
@Injectable()
export class TransitionsService {
  constructor(private readonly outbox: Outbox) {}

  /** Applies a transition. @param conversation must be locked by this transaction */
  async apply(
    accountId: string,
    contact: ContactIdentity,
    conversation: LockedConversation,
    transition: Transition,
    cause: Cause,
    tx: Tx,
  ): Promise<TransitionResult> {
    const at = changeTime(now(), conversation.changedAt);
    const reassignment = isReassignment(transition);
    // Notes are only recorded on reassignment.
    const note = cause.source === 'api' && reassignment ? (cause.note ?? null) : null;
    const actorId = cause.source === 'api' ? cause.userId : null;
    const row = await applyTransition(
      accountId,
      conversation,
      transition,
      { source: cause.source, actorId, at, note },
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
    const reason = cause.source === 'api' ? (cause.reason ?? null) : null;
    const actor = actorOf(cause, row.actorName);
    await this.outbox.write(
      [
        conversationEvent(
          `conversation.${transition.kind}`,
          { ...change, contactId: conversation.contactId, reason, actor },
          at,
        ),
      ],
      tx,
    );
    return {
      conversation: { ...conversation, status: change.status, assignedTo: change.assignedTo, changedAt: at },
      outcome: { ...change, changed: true, assignedAt: row.assignedAt },
    };
  }
}

const actorOf = (cause: Cause, name: string | null): ConversationActor =>
  cause.source === 'api' ? { userId: cause.userId, name: name ?? '', source: 'api' } : systemActor(cause.source);
