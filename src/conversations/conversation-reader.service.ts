import { Injectable } from '@nestjs/common';
import { BusinessPhonesService } from '../accounts/business-phones.service.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { identityOf } from '../people/contact-identity.queries.js';
import type { ContactIdentity } from '../people/contact-ref.js';
import type { Page, Paged } from '../values/page.js';
import type { RecordId } from '../values/record-id.js';
import {
  findAssignment,
  findConversation,
  type ListedConversation,
  listConversations,
} from './conversation.queries.js';
import type { ConversationFilter } from './conversation-filter.js';
import type { ConversationStatus } from './conversation-state.js';
import { conversationNotFound } from './conversations.errors.js';
import type { ConversationChoice } from './conversations.service.js';

/** A conversation's assignee, if the conversation exists. */
export interface AssignmentState {
  readonly contact: ContactIdentity;
  /** Null only if the account has no business phone. */
  readonly businessPhoneId: RecordId | null;
  readonly hasConversation: boolean;
  readonly status: ConversationStatus | null;
  readonly assignedTo: RecordId | null;
  readonly assignedToName: string | null;
  readonly assignedAt: Date | null;
}

/** Reads conversations and their assignment. */
@Injectable()
export class ConversationReaderService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhonesService,
  ) {}

  /**
   * Returns the assignment of a conversation, or `hasConversation: false` if there is none.
   *
   * @throws DomainError 403 when the phone belongs to another account
   */
  async assignment(accountId: string, { contact, wabaPhoneId }: ConversationChoice): Promise<AssignmentState> {
    if (wabaPhoneId !== null) await this.phones.choose(accountId, wabaPhoneId);
    const reads = this.unitOfWork.reads(accountId);
    const row = await findAssignment(accountId, contact, wabaPhoneId, reads);
    return {
      contact: row ?? (await identityOf(accountId, contact, reads)),
      businessPhoneId: row?.businessPhoneId ?? wabaPhoneId ?? (await this.phones.primary(accountId))?.id ?? null,
      hasConversation: row !== null,
      status: row?.status ?? null,
      assignedTo: row?.assignedTo ?? null,
      assignedToName: row?.assignedToName ?? null,
      assignedAt: row?.assignedAt ?? null,
    };
  }

  /** @throws DomainError 404 without a conversation, 403 when the phone belongs to another account */
  async get(accountId: string, { contact, wabaPhoneId }: ConversationChoice): Promise<ListedConversation> {
    if (wabaPhoneId !== null) await this.phones.choose(accountId, wabaPhoneId);
    const found = await findConversation(accountId, contact, wabaPhoneId, this.unitOfWork.reads(accountId));
    if (found === null) throw conversationNotFound(contact);
    return found;
  }

  /** @throws DomainError 403 when the filter names a phone of another account */
  async list(accountId: string, filter: ConversationFilter, page: Page): Promise<Paged<ListedConversation>> {
    if (filter.businessPhoneId) await this.phones.choose(accountId, filter.businessPhoneId);
    return listConversations(accountId, filter, page, this.unitOfWork.reads(accountId));
  }
}
