import { Injectable } from '@nestjs/common';
import { BusinessPhones } from '../accounts/business-phones.service.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { Page, Paged } from '../values/page.js';
import type { RecordId } from '../values/record-id.js';
import {
  type ConversationFilter,
  type ConversationRow,
  findAssignment,
  listConversations,
} from './conversation.queries.js';
import type { ConversationStatus } from './conversation-state.js';
import type { ConversationChoice } from './conversations.service.js';

/** Who holds a conversation, if there is one (SPEC §24). */
export interface AssignmentState {
  readonly contactPhone: string;
  /** Null only where the account has no business phone at all. */
  readonly businessPhoneId: RecordId | null;
  readonly hasConversation: boolean;
  readonly status: ConversationStatus | null;
  readonly assignedTo: RecordId | null;
  readonly assignedToName: string | null;
  readonly assignedAt: Date | null;
}

/** Tells how conversations stand; changes nothing. */
@Injectable()
export class ConversationReader {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhones,
  ) {}

  /** Never a 404: no conversation is an answer too (SPEC §24). @throws DomainError 403 for a foreign phone */
  async assignment(accountId: string, { contactPhone, wabaPhoneId }: ConversationChoice): Promise<AssignmentState> {
    if (wabaPhoneId !== null) await this.phones.choose(accountId, wabaPhoneId);
    const row = await findAssignment(accountId, contactPhone, wabaPhoneId, this.unitOfWork.autocommit);
    return {
      contactPhone,
      businessPhoneId: row?.business_phone_id ?? wabaPhoneId ?? (await this.phones.primary(accountId))?.id ?? null,
      hasConversation: row !== null,
      status: row?.status ?? null,
      assignedTo: row?.assigned_to ?? null,
      assignedToName: row?.assigned_to_name ?? null,
      assignedAt: row?.assigned_at ?? null,
    };
  }

  list(accountId: string, filter: ConversationFilter, page: Page): Promise<Paged<ConversationRow>> {
    return listConversations(accountId, filter, page, this.unitOfWork.autocommit);
  }
}
