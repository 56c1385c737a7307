import { ApiProperty, OmitType } from '@nestjs/swagger';
import { fullName } from '../../people/contact-name.js';
import { offsetTimestamp } from '../../values/clock.js';
import type { ListedConversation } from '../conversation.queries.js';
import { windowExpiry } from '../service-window.js';
import { AssignmentRecord } from './assignment-data.dto.js';

/** A conversation record. Its reassignment fields describe how the current assignee got it. */
export class ConversationRecord extends OmitType(AssignmentRecord, []) {
  @ApiProperty({ format: 'uuid' })
  contact_id: string;

  @ApiProperty()
  contact_name: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  last_message_at: string | null;

  @ApiProperty({ type: String, nullable: true })
  last_message_preview: string | null;

  @ApiProperty({
    type: String,
    enum: ['in', 'out'],
    nullable: true,
    description: 'Null where no message is stored any more',
  })
  last_message_direction: 'in' | 'out' | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'received',
    description: '`received` if the contact wrote last',
  })
  last_message_status: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'The time of the contact’s first message that nobody has answered; null if the contact waits for nothing. Reactions, ' +
      'campaigns and automatic replies change nothing, and whoever was answered by a message that failed waits as before',
  })
  waiting_since: string | null;

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
      contact_id: row.contactId,
      contact_name: fullName(row),
      last_message_at: row.lastMessageAt && offsetTimestamp(row.lastMessageAt),
      // Older releases stored an empty one for most kinds of messages.
      last_message_preview: row.lastMessagePreview === '' ? 'Message' : row.lastMessagePreview,
      last_message_direction: row.lastMessageDirection,
      last_message_status: row.lastMessageStatus,
      waiting_since: row.waitingSince && offsetTimestamp(row.waitingSince),
      window_expires_at: expiry && offsetTimestamp(expiry),
      created_at: offsetTimestamp(row.createdAt),
    });
  }
}
