import { Injectable } from '@nestjs/common';
import type { ContactIdentity } from '../contacts/contact-ref.js';
import type { Tx } from '../database/unit-of-work.js';
import { now } from '../values/clock.js';
import type { RecordId } from '../values/record-id.js';
import {
  claimReply,
  type InboundSummary,
  type InboundThread,
  recordInbound,
  takeNextAgent,
} from './automatic-rule.queries.js';
import { assign, reopenForCustomer } from './conversation-state.js';
import type { LockedThread } from './transition.queries.js';
import { type Cause, TransitionsService } from './transitions.service.js';

/** A message from a contact to a business phone. */
export interface ReceivedMessage extends InboundSummary {
  readonly contact: ContactIdentity;
}

/** What the caller must do after a received message. */
export interface ReceivedInThread {
  /** A text to send in the thread after the commit, or null. It is claimed, so no other process sends it. */
  readonly autoReply: string | null;
}

/**
 * Applies the automatic rules of conversations within the transaction that stores an inbound message, so that the
 * message commits together with its thread, assignee and events. The caller announces the outbox afterwards.
 */
@Injectable()
export class AutomaticAssignmentService {
  constructor(private readonly transitions: TransitionsService) {}

  /**
   * Records the message in its thread and applies the rules: a resolved thread is reopened, a new one is assigned to
   * the next agent, and a thread that is still unassigned gets the automatic reply. System notices don't trigger rules.
   */
  async receive(accountId: string, message: ReceivedMessage, tx: Tx): Promise<ReceivedInThread> {
    const thread = await recordInbound(accountId, message, tx);
    if (!message.opensWindow) return { autoReply: null };
    const { contact } = message;
    const held = thread.isNew
      ? await this.assignNewThread(accountId, contact, thread, tx)
      : await this.reopen(accountId, contact, thread, tx);
    return { autoReply: await this.claimAutoReply(accountId, contact, held, tx) };
  }

  /** `auto_reopen`: the former assignee keeps the thread if still active. */
  private async reopen(
    accountId: string,
    contact: ContactIdentity,
    thread: InboundThread,
    tx: Tx,
  ): Promise<LockedThread> {
    const state = { status: thread.status, assignedTo: thread.assignedTo };
    const transition = reopenForCustomer(state, thread.assigneeActive);
    if (transition === null) return thread;
    const cause: Cause = { source: 'auto_reopen' };
    return (await this.transitions.apply(accountId, contact, thread, transition, cause, tx)).thread;
  }

  /** `auto_inbound`: assigns a new thread to the next active agent, if the organisation has the rule. */
  private async assignNewThread(
    accountId: string,
    contact: ContactIdentity,
    thread: LockedThread,
    tx: Tx,
  ): Promise<LockedThread> {
    const agentId = await takeNextAgent(accountId, tx);
    return agentId === null
      ? thread
      : this.assignTo(accountId, contact, thread, agentId, { source: 'auto_inbound' }, tx);
  }

  /** `auto_reply`: claims the text to send, once per window, and assigns the thread to the rule's agent. */
  private async claimAutoReply(
    accountId: string,
    contact: ContactIdentity,
    thread: LockedThread,
    tx: Tx,
  ): Promise<string | null> {
    if (thread.assignedTo !== null) return null;
    const claimed = await claimReply(accountId, thread, now(), tx);
    if (claimed === null) return null;
    if (claimed.agentId !== null) {
      await this.assignTo(accountId, contact, thread, claimed.agentId, { source: 'auto_reply' }, tx);
    }
    return claimed.text;
  }

  private async assignTo(
    accountId: string,
    contact: ContactIdentity,
    thread: LockedThread,
    agentId: RecordId,
    cause: Cause,
    tx: Tx,
  ): Promise<LockedThread> {
    const transition = assign({ status: thread.status, assignedTo: thread.assignedTo }, agentId);
    if (transition === null) return thread;
    return (await this.transitions.apply(accountId, contact, thread, transition, cause, tx)).thread;
  }
}
