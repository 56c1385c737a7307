import { Injectable } from '@nestjs/common';
import type { Tx } from '../database/unit-of-work.js';
import { Outbox } from '../outbox/outbox.js';
import { now } from '../values/clock.js';
import type { PhoneNumber } from '../values/phone-number.js';
import type { RecordId } from '../values/record-id.js';
import type { ConversationOutcome } from './assignment-data.js';
import { type Actor, conversationEvent, systemActor } from './conversation-event.js';
import { changeTime, isReassignment, previousAssignee, type Transition } from './conversation-state.js';
import { applyTransition, type HeldThread } from './transition.queries.js';

/** By whom a conversation is changed: the account's owner through the API, or an automatic rule (D84). */
export type Cause =
  | {
      readonly source: 'api';
      readonly userId: RecordId;
      readonly note?: string | null;
      readonly reason?: string | null;
    }
  | { readonly source: 'auto_reply' | 'auto_inbound' | 'auto_reopen' };

/** A conversation after a transition. */
export interface CarriedOut {
  /** Still locked, as it is now. */
  readonly thread: HeldThread;
  readonly outcome: ConversationOutcome;
}

/** Carries out transitions: state, assignment history and event together, in the caller's transaction. */
@Injectable()
export class Transitions {
  constructor(private readonly outbox: Outbox) {}

  /** @param thread locked by this transaction */
  async carryOut(
    accountId: string,
    contactPhone: PhoneNumber,
    thread: HeldThread,
    transition: Transition,
    cause: Cause,
    tx: Tx,
  ): Promise<CarriedOut> {
    const at = changeTime(now(), thread.changed_at);
    const reassignment = isReassignment(transition);
    // A note belongs to a reassignment (SPEC §21).
    const note = cause.source === 'api' && reassignment ? (cause.note ?? null) : null;
    const actorId = cause.source === 'api' ? cause.userId : null;
    const row = await applyTransition(
      accountId,
      thread.id,
      transition,
      { source: cause.source, actorId, at, note },
      tx,
    );
    if (row === null) throw new Error(`conversation ${thread.id} changed while it was locked`);
    const change = {
      accountId,
      contactPhone,
      businessPhoneId: thread.business_phone_id,
      status: transition.to.status,
      assignedTo: transition.to.assignedTo,
      assignedToName: row.assigned_to_name,
      previousAssigneeId: previousAssignee(transition),
      previousAssigneeName: row.previous_assignee_name,
      isReassignment: reassignment,
      note,
    };
    const reason = cause.source === 'api' ? (cause.reason ?? null) : null;
    const actor = actorOf(cause, row.actor_name);
    await this.outbox.write(
      [conversationEvent(`conversation.${transition.kind}`, { ...change, reason, actor }, at)],
      tx,
    );
    return {
      thread: { ...thread, status: change.status, assigned_to: change.assignedTo, changed_at: at },
      outcome: { ...change, changed: true, assignedAt: row.assigned_at },
    };
  }
}

const actorOf = (cause: Cause, name: string | null): Actor =>
  cause.source === 'api' ? { userId: cause.userId, name: name ?? '', source: 'api' } : systemActor(cause.source);
