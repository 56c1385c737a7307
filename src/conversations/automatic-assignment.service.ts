import { Injectable } from '@nestjs/common';
import type { Tx } from '../database/unit-of-work.js';
import type { ContactIdentity } from '../people/contact-ref.js';
import { now } from '../values/clock.js';
import type { RecordId } from '../values/record-id.js';
import {
  type ArrivedSummary,
  claimReply,
  type InboundConversation,
  recordInbound,
  takeNextAgent,
} from './automatic-rule.queries.js';
import { assign, reopenForCustomer } from './conversation-state.js';
import type { LockedConversation } from './transition.queries.js';
import { type Cause, TransitionsService } from './transitions.service.js';

/** A message from a contact to a business phone. */
export interface ReceivedMessage extends ArrivedSummary {
  readonly contact: ContactIdentity;
  /** Whether the automatic reply may answer it. */
  readonly isAnswered: boolean;
}

/** What the caller must do after a received message. */
export interface ReceivedInConversation {
  /** A text to send in the conversation after the commit, or null. It is claimed, so no other process sends it. */
  readonly autoReply: string | null;
}

/**
 * Applies the automatic rules of conversations within the transaction that stores an inbound message, so that the
 * message commits together with its conversation, assignee and events. The caller announces the outbox afterwards.
 */
@Injectable()
export class AutomaticAssignmentService {
  constructor(private readonly transitions: TransitionsService) {}

  /**
   * Records the message in its conversation and applies the rules in this order: a resolved conversation is reopened; one
   * in which the contact writes for the first time and that nobody holds is assigned to the next agent, whoever opened
   * it; one that is still unassigned gets the automatic reply.
   */
  async receive(accountId: string, message: ReceivedMessage, tx: Tx): Promise<ReceivedInConversation> {
    const conversation = await recordInbound(accountId, message, tx);
    const { contact } = message;
    const open = await this.reopen(accountId, contact, conversation, tx);
    const held = conversation.isFirst ? await this.assignToNext(accountId, contact, open, tx) : open;
    return { autoReply: message.isAnswered ? await this.claimAutoReply(accountId, contact, held, tx) : null };
  }

  /** `auto_reopen`: the former assignee keeps the conversation if still active. */
  private async reopen(
    accountId: string,
    contact: ContactIdentity,
    conversation: InboundConversation,
    tx: Tx,
  ): Promise<LockedConversation> {
    const state = { status: conversation.status, assignedTo: conversation.assignedTo };
    const transition = reopenForCustomer(state, conversation.assigneeActive);
    if (transition === null) return conversation;
    const cause: Cause = { source: 'auto_reopen' };
    return (await this.transitions.apply(accountId, contact, conversation, transition, cause, tx)).conversation;
  }

  /** `auto_inbound`: assigns a conversation that nobody holds to the next active agent, if the organisation has the rule. */
  private async assignToNext(
    accountId: string,
    contact: ContactIdentity,
    conversation: LockedConversation,
    tx: Tx,
  ): Promise<LockedConversation> {
    if (conversation.assignedTo !== null) return conversation;
    const agentId = await takeNextAgent(accountId, tx);
    return agentId === null
      ? conversation
      : this.assignTo(accountId, contact, conversation, agentId, { source: 'auto_inbound' }, tx);
  }

  /** `auto_reply`: claims the text to send, once per window, and assigns the conversation to the rule's agent. */
  private async claimAutoReply(
    accountId: string,
    contact: ContactIdentity,
    conversation: LockedConversation,
    tx: Tx,
  ): Promise<string | null> {
    if (conversation.assignedTo !== null) return null;
    const claimed = await claimReply(accountId, conversation, now(), tx);
    if (claimed === null) return null;
    if (claimed.agentId !== null) {
      await this.assignTo(accountId, contact, conversation, claimed.agentId, { source: 'auto_reply' }, tx);
    }
    return claimed.text;
  }

  private async assignTo(
    accountId: string,
    contact: ContactIdentity,
    conversation: LockedConversation,
    agentId: RecordId,
    cause: Cause,
    tx: Tx,
  ): Promise<LockedConversation> {
    const transition = assign({ status: conversation.status, assignedTo: conversation.assignedTo }, agentId);
    if (transition === null) return conversation;
    return (await this.transitions.apply(accountId, contact, conversation, transition, cause, tx)).conversation;
  }
}
