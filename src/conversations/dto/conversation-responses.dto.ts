import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { PageQuery } from '../../http/page.dto.js';
import { LogPageResponse, SuccessResponse } from '../../http/responses.dto.js';
import { offsetTimestamp } from '../../values/clock.js';
import type { Paged } from '../../values/page.js';
import type { AssignmentData } from '../assignment-data.js';
import type { ListedConversation } from '../conversation.queries.js';
import type { AssignmentState } from '../conversation-reader.service.js';
import { CONVERSATION_STATUSES, type ConversationStatus } from '../conversation-state.js';
import { AssignmentRecord } from './assignment-data.dto.js';
import { ConversationRecord } from './conversation.dto.js';

/** Response to assign, unassign, reopen and resolve. */
export class ConversationActionResponse extends SuccessResponse {
  @ApiProperty()
  message: string;

  @ApiProperty({ type: AssignmentRecord })
  data: AssignmentRecord;

  static from(data: AssignmentData, message: string): ConversationActionResponse {
    return { status: 'success', message, data: AssignmentRecord.from(data) };
  }
}

/** The assignment of a conversation. */
export class AssignmentStateRecord {
  @ApiProperty({ type: String, nullable: true, description: 'Contact phone, digits; null for people who hide it' })
  phone_number: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'The network’s user id of the contact; only if there is no number. Null if the contact was erased',
  })
  user_id?: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Null only if the account has no business phone' })
  waba_phone_id: string | null;

  @ApiProperty()
  has_conversation: boolean;

  @ApiProperty({ type: String, enum: CONVERSATION_STATUSES, nullable: true })
  status: ConversationStatus | null;

  @ApiProperty({ type: String, nullable: true })
  assigned_to: string | null;

  @ApiProperty({ type: String, nullable: true })
  assigned_to_name: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  assigned_at: string | null;

  static from(state: AssignmentState): AssignmentStateRecord {
    return {
      phone_number: state.contact.phoneNumber,
      ...(state.contact.phoneNumber === null ? { user_id: state.contact.userId } : {}),
      waba_phone_id: state.businessPhoneId,
      has_conversation: state.hasConversation,
      status: state.status,
      assigned_to: state.assignedTo,
      assigned_to_name: state.assignedToName,
      assigned_at: state.assignedAt && offsetTimestamp(state.assignedAt),
    };
  }
}

/** Response with the assignment of a conversation. */
export class AssignmentStateResponse extends SuccessResponse {
  @ApiProperty({ type: AssignmentStateRecord })
  data: AssignmentStateRecord;

  static from(state: AssignmentState): AssignmentStateResponse {
    return { status: 'success', data: AssignmentStateRecord.from(state) };
  }
}

/** A page of conversations. */
export class ConversationsResponse extends LogPageResponse {
  @ApiProperty({
    type: 'integer',
    description:
      'Matching conversations on all pages. Exact for lists by `status`, `assigned_to` and `unassigned` only; with any ' +
      'other filter or order at most 10,000',
  })
  declare total: number;

  @ApiProperty({ type: [ConversationRecord] })
  conversations: ConversationRecord[];

  static from(paged: Paged<ListedConversation>, query: PageQuery): ConversationsResponse {
    return {
      status: 'success',
      conversations: paged.rows.map((row) => ConversationRecord.from(row)),
      ...LogPageResponse.paging(paged, query),
    };
  }
}

/** Response of `GET /api/v1/conversations/{contact_phone}`. */
export class ConversationResponse extends SuccessResponse {
  @ApiProperty({ type: ConversationRecord })
  conversation: ConversationRecord;

  static from(row: ListedConversation): ConversationResponse {
    return { status: 'success', conversation: ConversationRecord.from(row) };
  }
}
