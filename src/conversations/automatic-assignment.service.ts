import { Injectable } from '@nestjs/common';
import type { Tx } from '../database/unit-of-work.js';
import { now } from '../values/clock.js';
import type { PhoneNumber } from '../values/phone-number.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import {
  claimReply,
  type InboundMention,
  type InboundThread,
  mentionInbound,
  takeNextAgent,
} from './automatic-rule.queries.js';
import { assign, reopenForCustomer } from './conversation-state.js';
import type { HeldThread } from './transition.queries.js';
import { type Cause, Transitions } from './transitions.service.js';

/** A message that a contact has sent to a business phone. */
export interface ReceivedMessage extends Omit<InboundMention, 'threadId'> {
  readonly contactPhone: PhoneNumber;
}

/** What became of the thread of a received message. */
export interface ReceivedInThread {
  readonly threadId: RecordId;
  /** A text to send in the thread once the transaction has committed, or null. Claimed: nobody else sends it. */
  readonly autoReply: string | null;
}

/**
 * The automatic rules of conversations (D35), all within the transaction that stores an inbound message: whoever commits
 * the message also commits its thread, assignee and events. The caller announces the outbox afterwards.
 */
@Injectable()
export class AutomaticAssignment {
  constructor(private readonly transitions: Transitions) {}

  /**
   * Records the message in its thread and applies the rules in this order: a resolved thread is reopened, a new one is
   * given to the next agent, and one that still nobody holds is replied to. What is no message of the contact's own sets
   * no rule in motion.
   */
  async receive(accountId: string, message: ReceivedMessage, tx: Tx): Promise<ReceivedInThread> {
    const thread = await mentionInbound(accountId, { ...message, threadId: newRecordId() }, tx);
    if (!message.opensWindow) return { threadId: thread.id, autoReply: null };
    const { contactPhone } = message;
    const held = thread.is_new
      ? await this.assignNewThread(accountId, contactPhone, thread, tx)
      : await this.reopen(accountId, contactPhone, thread, tx);
    return { threadId: thread.id, autoReply: await this.claimAutoReply(accountId, contactPhone, held, tx) };
  }

  /** `auto_reopen`: the former assignee keeps the thread if still active (D35). */
  private async reopen(
    accountId: string,
    contactPhone: PhoneNumber,
    thread: InboundThread,
    tx: Tx,
  ): Promise<HeldThread> {
    const state = { status: thread.status, assignedTo: thread.assigned_to };
    const transition = reopenForCustomer(state, thread.assignee_active);
    if (transition === null) return thread;
    const cause: Cause = { source: 'auto_reopen' };
    return (await this.transitions.carryOut(accountId, contactPhone, thread, transition, cause, tx)).thread;
  }

  /** `auto_inbound`: the next active agent is given a new thread, if the organisation has that rule. */
  private async assignNewThread(
    accountId: string,
    contactPhone: PhoneNumber,
    thread: HeldThread,
    tx: Tx,
  ): Promise<HeldThread> {
    const agentId = await takeNextAgent(accountId, tx);
    return agentId === null
      ? thread
      : this.assignTo(accountId, contactPhone, thread, agentId, { source: 'auto_inbound' }, tx);
  }

  /** `auto_reply`: the text that is to be sent, once per window; the rule's agent is given the thread with it. */
  private async claimAutoReply(
    accountId: string,
    contactPhone: PhoneNumber,
    thread: HeldThread,
    tx: Tx,
  ): Promise<string | null> {
    if (thread.assigned_to !== null) return null;
    const claimed = await claimReply(accountId, thread.id, now(), tx);
    if (claimed === null) return null;
    if (claimed.agent_id !== null) {
      await this.assignTo(accountId, contactPhone, thread, claimed.agent_id, { source: 'auto_reply' }, tx);
    }
    return claimed.text;
  }

  private async assignTo(
    accountId: string,
    contactPhone: PhoneNumber,
    thread: HeldThread,
    agentId: RecordId,
    cause: Cause,
    tx: Tx,
  ): Promise<HeldThread> {
    const transition = assign({ status: thread.status, assignedTo: thread.assigned_to }, agentId);
    if (transition === null) return thread;
    return (await this.transitions.carryOut(accountId, contactPhone, thread, transition, cause, tx)).thread;
  }
}
