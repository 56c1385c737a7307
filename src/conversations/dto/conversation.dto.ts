import { ApiProperty, OmitType } from '@nestjs/swagger';
import { fullName } from '../../contacts/contact-name.js';
import { offsetTimestamp } from '../../values/clock.js';
import type { ListedConversation } from '../conversation.queries.js';
import { windowExpiry } from '../service-window.js';
import { AssignmentRecord } from './assignment-data.dto.js';

/** A conversation record. Its reassignment fields describe how the current assignee got it. */
export class ConversationRecord extends OmitType(AssignmentRecord, []) {
  @ApiProperty()
  contact_name: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  last_message_at: string | null;

  @ApiProperty({ type: String, nullable: true })
  last_message_preview: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When the 24-hour window closes' })
  window_expires_at: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  static from(row: ListedConversation): ConversationRecord {
    const expiry = windowExpiry(row.lastInboundAt);
    const assignment = AssignmentRecord.from({
      contact: row,
      wabaPhoneId: row.businessPhoneId,
      status: row.status,
      assignedTo: row.assignedTo,
      assignedToName: row.assignedToName,
      assignedAt: row.assignedAt,
      isReassignment: row.assignedTo === null ? null : row.previousAssigneeId !== null,
      previousAssigneeId: row.previousAssigneeId,
      previousAssigneeName: row.previousAssigneeName,
      note: row.note,
      noOp: null,
    });
    // With this many fields, spreading into a literal takes five times as long.
    return Object.assign(assignment, {
      contact_name: fullName(row),
      last_message_at: row.lastMessageAt && offsetTimestamp(row.lastMessageAt),
      last_message_preview: row.lastMessagePreview,
      window_expires_at: expiry && offsetTimestamp(expiry),
      created_at: offsetTimestamp(row.createdAt),
    });
  }
}
