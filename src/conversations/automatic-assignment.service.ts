import { Injectable } from '@nestjs/common';
import type { ContactIdentity } from '../contacts/contact-ref.js';
import type { Tx } from '../database/unit-of-work.js';
import { now } from '../values/clock.js';
import type { RecordId } from '../values/record-id.js';
import {
  claimReply,
  type InboundConversation,
  type InboundSummary,
  recordInbound,
  takeNextAgent,
} from './automatic-rule.queries.js';
import { assign, reopenForCustomer } from './conversation-state.js';
import type { LockedConversation } from './transition.queries.js';
import { type Cause, TransitionsService } from './transitions.service.js';

/** A message from a contact to a business phone. */
export interface ReceivedMessage extends InboundSummary {
  readonly contact: ContactIdentity;
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
   * Records the message in its conversation and applies the rules: a resolved conversation is reopened, a new one is
   * assigned to the next agent, and a conversation that is still unassigned gets the automatic reply. System notices
   * don't trigger rules.
   */
  async receive(accountId: string, message: ReceivedMessage, tx: Tx): Promise<ReceivedInConversation> {
    const conversation = await recordInbound(accountId, message, tx);
    if (!message.opensWindow) return { autoReply: null };
    const { contact } = message;
    const held = conversation.isNew
      ? await this.assignNewConversation(accountId, contact, conversation, tx)
      : await this.reopen(accountId, contact, conversation, tx);
    return { autoReply: await this.claimAutoReply(accountId, contact, held, tx) };
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

  /** `auto_inbound`: assigns a new conversation to the next active agent, if the organisation has the rule. */
  private async assignNewConversation(
    accountId: string,
    contact: ContactIdentity,
    conversation: LockedConversation,
    tx: Tx,
  ): Promise<LockedConversation> {
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
