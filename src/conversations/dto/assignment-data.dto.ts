import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { offsetTimestamp } from '../../values/clock.js';
import type { AssignmentData } from '../assignment-data.js';
import { CONVERSATION_STATUSES, type ConversationStatus } from '../conversation-state.js';

/** Conversation assignment data. All fields except `user_id` are always present, null where they do not apply. */
export class AssignmentRecord {
  @ApiProperty({ type: String, nullable: true, description: 'Contact phone, digits; null for people who hide it' })
  phone_number: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'The network’s user id of the contact; only if there is no number. Null if the contact was erased',
  })
  user_id?: string | null;

  @ApiProperty({ description: 'Business phone of the conversation' })
  waba_phone_id: string;

  @ApiProperty({ type: String, enum: CONVERSATION_STATUSES, nullable: true })
  status: ConversationStatus | null;

  @ApiProperty({ type: String, nullable: true, description: '`user_id` of the agent' })
  assigned_to: string | null;

  @ApiProperty({ type: String, nullable: true })
  assigned_to_name: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  assigned_at: string | null;

  @ApiProperty({ type: Boolean, nullable: true })
  is_reassignment: boolean | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  previous_assignee_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  previous_assignee_name: string | null;

  @ApiProperty({ type: String, nullable: true })
  note: string | null;

  @ApiProperty({
    type: Boolean,
    nullable: true,
    description: 'True if the agent already had the conversation and nothing changed',
  })
  no_op: boolean | null;

  static from(data: AssignmentData): AssignmentRecord {
    const dto: AssignmentRecord = {
      phone_number: data.contact.phoneNumber,
      waba_phone_id: data.wabaPhoneId,
      status: data.status,
      assigned_to: data.assignedTo,
      assigned_to_name: data.assignedToName,
      assigned_at: data.assignedAt && offsetTimestamp(data.assignedAt),
      is_reassignment: data.isReassignment,
      previous_assignee_id: data.previousAssigneeId,
      previous_assignee_name: data.previousAssigneeName,
      note: data.note,
      no_op: data.noOp,
    };
    if (data.contact.phoneNumber === null) dto.user_id = data.contact.userId;
    return dto;
  }
}
