import { Injectable } from '@nestjs/common';
import { type BusinessPhone, BusinessPhones } from '../accounts/business-phones.service.js';
import { Agents } from '../agents/agents.service.js';
import { ensureContacts } from '../contacts/ensured-contacts.queries.js';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { Outbox } from '../outbox/outbox.js';
import type { PhoneNumber } from '../values/phone-number.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import type { ConversationOutcome } from './assignment-data.js';
import { findAssignment } from './conversation.queries.js';
import { assign, type ConversationState, reopen, resolve, type Transition, unassign } from './conversation-state.js';
import { noOrganisation, notAnActiveMember } from './conversations.errors.js';
import { type HeldThread, holdThread, makeThread } from './transition.queries.js';
import { type Cause, Transitions } from './transitions.service.js';

/** Who asks for a change: the account, its organisation, and the owner in whose name the API acts (D84). */
export interface ApiActor {
  readonly accountId: string;
  readonly organisationId: string | null;
  readonly ownerId: RecordId;
}

/** Which conversation is meant: without a business phone the most recently active one, else the primary's (D34). */
export interface ConversationChoice {
  readonly contactPhone: PhoneNumber;
  readonly wabaPhoneId: RecordId | null;
}

/** Assigns, releases, reopens and resolves conversations for the API. What is so already is left alone (D34). */
@Injectable()
export class Conversations {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhones,
    private readonly agents: Agents,
    private readonly transitions: Transitions,
    private readonly outbox: Outbox,
  ) {}

  /**
   * @throws DomainError 400 without organisation or for a resolved conversation, 404 when the user is not an active
   * member, 403 for a foreign phone
   */
  async assign(
    actor: ApiActor,
    choice: ConversationChoice,
    order: { readonly userId: RecordId; readonly note: string | null },
  ): Promise<ConversationOutcome> {
    const { accountId, organisationId, ownerId } = actor;
    if (organisationId === null) throw noOrganisation();
    const agent = await this.agents.findActive(organisationId, order.userId);
    if (agent === null) throw notAnActiveMember(order.userId);
    const cause: Cause = { source: 'api', userId: ownerId, note: order.note };
    return this.change(accountId, choice, cause, async (state, _isNew, tx) => {
      const transition = assign(state, agent.userId);
      // They may have been deactivated since; from here on that waits until they hold the conversation.
      if (transition !== null && !(await this.agents.holdActive(organisationId, agent.userId, tx))) {
        throw notAnActiveMember(agent.userId);
      }
      return transition;
    });
  }

  /**
   * Nothing is created where there is no conversation (D34).
   *
   * @returns which conversation it was, and whether anybody held it
   */
  async unassign(
    { accountId, ownerId }: ApiActor,
    choice: ConversationChoice,
  ): Promise<Pick<ConversationOutcome, 'contactPhone' | 'businessPhoneId' | 'changed'>> {
    const { contactPhone, wabaPhoneId } = choice;
    const phone = await this.phones.choose(accountId, wabaPhoneId);
    const outcome = await this.unitOfWork.transaction(async (tx) => {
      const thread = await holdThread(accountId, contactPhone, wabaPhoneId, tx);
      if (thread === null) return { contactPhone, businessPhoneId: phone.id, changed: false };
      const transition = unassign(stateOf(thread));
      if (transition === null) return { contactPhone, businessPhoneId: thread.business_phone_id, changed: false };
      const cause: Cause = { source: 'api', userId: ownerId };
      return (await this.transitions.carryOut(accountId, contactPhone, thread, transition, cause, tx)).outcome;
    });
    if (outcome.changed) this.outbox.announce();
    return outcome;
  }

  /** Reopens a conversation in the name of the account's owner; one that is made here is theirs as well (D76). */
  reopen({ accountId, ownerId }: ApiActor, choice: ConversationChoice): Promise<ConversationOutcome> {
    const cause: Cause = { source: 'api', userId: ownerId };
    return this.change(accountId, choice, cause, (state, isNew) => reopen(state, ownerId, isNew));
  }

  resolve(
    { accountId, ownerId }: ApiActor,
    choice: ConversationChoice,
    { reason }: { readonly reason: string | null },
  ): Promise<ConversationOutcome> {
    return this.change(accountId, choice, { source: 'api', userId: ownerId, reason }, resolve);
  }

  /** Makes the conversation if there is none, and takes it to where `step` leads. */
  private async change(
    accountId: string,
    choice: ConversationChoice,
    cause: Cause,
    step: (state: ConversationState, isNew: boolean, tx: Tx) => Transition | null | Promise<Transition | null>,
  ): Promise<ConversationOutcome> {
    const phone = await this.phones.choose(accountId, choice.wabaPhoneId);
    const outcome = await this.unitOfWork.transaction(async (tx) => {
      const { thread, isNew } = await this.holdOrMake(accountId, choice, phone, tx);
      const transition = await step(stateOf(thread), isNew, tx);
      if (transition === null) return this.unchanged(accountId, choice.contactPhone, thread, tx);
      return (await this.transitions.carryOut(accountId, choice.contactPhone, thread, transition, cause, tx)).outcome;
    });
    if (outcome.changed) this.outbox.announce();
    return outcome;
  }

  private async holdOrMake(
    accountId: string,
    { contactPhone, wabaPhoneId }: ConversationChoice,
    phone: BusinessPhone,
    tx: Tx,
  ): Promise<{ thread: HeldThread; isNew: boolean }> {
    const present = await holdThread(accountId, contactPhone, wabaPhoneId, tx);
    if (present !== null) return { thread: present, isNew: false };
    const [contact] = await ensureContacts(accountId, [{ phoneNumber: contactPhone, name: null }], 'api', tx);
    if (contact === undefined) throw new Error(`contact ${contactPhone} was not stored`);
    const place = { id: newRecordId(), contactId: contact.id, businessPhoneId: phone.id };
    const isNew = await makeThread(accountId, place, tx);
    const made = await holdThread(accountId, contactPhone, phone.id, tx);
    if (made === null) throw new Error(`the conversation with ${contactPhone} was neither found nor made`);
    return { thread: made, isNew };
  }

  private async unchanged(
    accountId: string,
    contactPhone: PhoneNumber,
    thread: HeldThread,
    tx: Tx,
  ): Promise<ConversationOutcome> {
    const present = await findAssignment(accountId, contactPhone, thread.business_phone_id, tx);
    return {
      contactPhone,
      businessPhoneId: thread.business_phone_id,
      changed: false,
      status: thread.status,
      assignedTo: thread.assigned_to,
      assignedToName: present?.assigned_to_name ?? null,
      assignedAt: present?.assigned_at ?? null,
      isReassignment: false,
      previousAssigneeId: null,
      previousAssigneeName: null,
      note: null,
    };
  }
}

const stateOf = ({ status, assigned_to }: HeldThread): ConversationState => ({ status, assignedTo: assigned_to });
