import { ApiProperty, OmitType } from '@nestjs/swagger';
import { wholeName } from '../../contacts/contact-name.js';
import { offsetTimestamp } from '../../values/clock.js';
import type { ConversationRow } from '../conversation.queries.js';
import { windowExpiry } from '../service-window.js';
import { AssignmentDataDto } from './assignment-data.dto.js';

/** A conversation record (D80). Its reassignment fields tell how the present assignee came to it. */
export class ConversationDto extends OmitType(AssignmentDataDto, []) {
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

  static from(row: ConversationRow): ConversationDto {
    const expiry = windowExpiry(row.last_inbound_at);
    const assignment = AssignmentDataDto.from({
      phoneNumber: row.phone_number,
      wabaPhoneId: row.business_phone_id,
      status: row.status,
      assignedTo: row.assigned_to,
      assignedToName: row.assigned_to_name,
      assignedAt: row.assigned_at,
      isReassignment: row.assigned_to === null ? null : row.previous_assignee_id !== null,
      previousAssigneeId: row.previous_assignee_id,
      previousAssigneeName: row.previous_assignee_name,
      note: row.note,
      noOp: null,
    });
    // Spread into a literal, so many fields would take five times as long.
    return Object.assign(assignment, {
      contact_name: wholeName({ firstName: row.first_name, lastName: row.last_name }),
      last_message_at: row.last_message_at && offsetTimestamp(row.last_message_at),
      last_message_preview: row.last_message_preview,
      window_expires_at: expiry && offsetTimestamp(expiry),
      created_at: offsetTimestamp(row.created_at),
    });
  }
}
