import { Injectable } from '@nestjs/common';
import { type BusinessPhone, BusinessPhonesService } from '../accounts/business-phones.service.js';
import { AgentsService } from '../agents/agents.service.js';
import type { Caller } from '../auth/caller.js';
import { isConflict } from '../database/connections/transient-errors.js';
import { withRetries } from '../database/connections/with-retries.js';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { Outbox } from '../outbox/outbox.js';
import { identityOf } from '../people/contact-identity.queries.js';
import type { ContactIdentity, ContactRef } from '../people/contact-ref.js';
import { ensureContact } from '../people/ensured-contacts.queries.js';
import type { RecordId } from '../values/record-id.js';
import type { ConversationOutcome } from './assignment-data.js';
import { findAssignment } from './conversation.queries.js';
import {
  assign,
  type ConversationState,
  type ConversationTransition,
  reopen,
  resolve,
  unassign,
} from './conversation-state.js';
import { alreadyAssigned, nobodyToAssign, notAnActiveMember } from './conversations.errors.js';
import { createConversation, type LockedConversation, lockConversation } from './transition.queries.js';
import { type Cause, TransitionsService } from './transitions.service.js';

/** Attempts of a change that deadlocks with another one. */
const MAX_TRIES = 3;

/** The caller of a change: the account, its organisation, the user in whose name it is made, and where it comes from. */
export type ApiActor = Pick<Caller, 'accountId' | 'organisationId' | 'userId' | 'source'>;

/** Names a conversation. Without a business phone it is the most recently active one, or else the primary phone's. */
export interface ConversationChoice {
  readonly contact: ContactRef;
  readonly wabaPhoneId: RecordId | null;
}

/** To whom a conversation is assigned. */
export interface NewAssignment {
  readonly userId: RecordId;
  readonly note: string | null;
  /** Whether another agent who has the conversation keeps it. */
  readonly onlyIfUnassigned?: boolean;
}

/**
 * Assigns, unassigns, reopens and resolves conversations for the API. An action without effect stores and emits
 * nothing.
 */
@Injectable()
export class ConversationsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhonesService,
    private readonly agents: AgentsService,
    private readonly transitions: TransitionsService,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Assigns a conversation to an agent, and creates it if necessary.
   *
   * @throws DomainError 400 without an organisation or for a resolved conversation, 404 when the user is not an active
   * member, 403 when the phone belongs to another account, 409 when another agent has the conversation and must keep it
   */
  async assign(
    actor: ApiActor,
    choice: ConversationChoice,
    { userId, note, onlyIfUnassigned = false }: NewAssignment,
  ): Promise<ConversationOutcome> {
    const { accountId, organisationId } = actor;
    if (organisationId === null) throw nobodyToAssign();
    const agent = await this.agents.findActive(organisationId, userId);
    if (agent === null) throw notAnActiveMember(userId);
    const cause: Cause = { source: actor.source, userId: actor.userId, note };
    return this.change(accountId, choice, cause, async (state, _isNew, tx) => {
      const transition = assign(state, agent.userId);
      if (transition !== null && onlyIfUnassigned && state.assignedTo !== null) {
        throw alreadyAssigned(state.assignedTo, await this.agents.find(organisationId, state.assignedTo, tx));
      }
      // Locks the agent: a deactivation since the first check is noticed here, and a later one waits for this
      // assignment.
      if (transition !== null && !(await this.agents.lockActive(organisationId, agent.userId, tx))) {
        throw notAnActiveMember(agent.userId);
      }
      return transition;
    });
  }

  /**
   * Unassigns a conversation. If there is none, it creates nothing.
   *
   * @returns the conversation, and whether it was assigned
   */
  async unassign(
    { accountId, userId, source }: ApiActor,
    choice: ConversationChoice,
  ): Promise<Pick<ConversationOutcome, 'contact' | 'businessPhoneId' | 'changed'>> {
    const { wabaPhoneId } = choice;
    const phone = await this.phones.choose(accountId, wabaPhoneId);
    const outcome = await this.unitOfWork.writes(accountId).transaction(async (tx) => {
      const conversation = await lockConversation(accountId, choice.contact, wabaPhoneId, tx);
      if (conversation === null) {
        const contact = await identityOf(accountId, choice.contact, tx);
        return { contact, businessPhoneId: phone.id, changed: false };
      }
      const contact = contactOf(conversation);
      const transition = unassign(stateOf(conversation));
      if (transition === null) return { contact, businessPhoneId: conversation.businessPhoneId, changed: false };
      const cause: Cause = { source, userId };
      return (await this.transitions.apply(accountId, contact, conversation, transition, cause, tx)).outcome;
    });
    if (outcome.changed) this.outbox.announce();
    return outcome;
  }

  /** Reopens a conversation and assigns it to the caller's user; creates it if there is none. */
  reopen({ accountId, userId, source }: ApiActor, choice: ConversationChoice): Promise<ConversationOutcome> {
    return this.change(accountId, choice, { source, userId }, (state, isNew) => reopen(state, userId, isNew));
  }

  resolve(
    { accountId, userId, source }: ApiActor,
    choice: ConversationChoice,
    { reason }: { readonly reason: string | null },
  ): Promise<ConversationOutcome> {
    return this.change(accountId, choice, { source, userId, reason }, resolve);
  }

  /** Applies the transition that `step` returns; creates the conversation if there is none. */
  private async change(
    accountId: string,
    choice: ConversationChoice,
    cause: Cause,
    step: (
      state: ConversationState,
      isNew: boolean,
      tx: Tx,
    ) => ConversationTransition | null | Promise<ConversationTransition | null>,
  ): Promise<ConversationOutcome> {
    const phone = await this.phones.choose(accountId, choice.wabaPhoneId);
    const once = () =>
      this.unitOfWork.writes(accountId).transaction(async (tx) => {
        const { conversation, isNew } = await this.lockOrCreate(accountId, choice, phone, tx);
        const transition = await step(stateOf(conversation), isNew, tx);
        if (transition === null) return this.unchanged(accountId, choice.contact, conversation, tx);
        return (await this.transitions.apply(accountId, contactOf(conversation), conversation, transition, cause, tx))
          .outcome;
      });
    // A concurrent merge moves the conversation to another contact; the conversation is then locked before
    // that contact.
    const outcome = await withRetries(once, isConflict, MAX_TRIES);
    if (outcome.changed) this.outbox.announce();
    return outcome;
  }

  private async lockOrCreate(
    accountId: string,
    { contact, wabaPhoneId }: ConversationChoice,
    phone: BusinessPhone,
    tx: Tx,
  ): Promise<{ conversation: LockedConversation & ContactIdentity; isNew: boolean }> {
    const present = await lockConversation(accountId, contact, wabaPhoneId, tx);
    if (present !== null) return { conversation: present, isNew: false };
    const { id: contactId } = await ensureContact(accountId, contact, 'api', tx);
    const isNew = await createConversation(accountId, { contactId, businessPhoneId: phone.id }, tx);
    const made = await lockConversation(accountId, contact, phone.id, tx);
    if (made === null) throw new Error(`the conversation with ${contact.value} was neither found nor created`);
    return { conversation: made, isNew };
  }

  private async unchanged(
    accountId: string,
    contact: ContactRef,
    conversation: LockedConversation & ContactIdentity,
    tx: Tx,
  ): Promise<ConversationOutcome> {
    const present = await findAssignment(accountId, contact, conversation.businessPhoneId, tx);
    return {
      contact: contactOf(conversation),
      businessPhoneId: conversation.businessPhoneId,
      changed: false,
      status: conversation.status,
      assignedTo: conversation.assignedTo,
      assignedToName: present?.assignedToName ?? null,
      assignedAt: present?.assignedAt ?? null,
      isReassignment: false,
      previousAssigneeId: null,
      previousAssigneeName: null,
      note: null,
    };
  }
}

const contactOf = ({ phoneNumber, userId }: ContactIdentity): ContactIdentity => ({ phoneNumber, userId });
const stateOf = ({ status, assignedTo }: LockedConversation): ConversationState => ({ status, assignedTo });
