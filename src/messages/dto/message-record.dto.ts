import { ApiProperty } from '@nestjs/swagger';
import { PagedResponse, SuccessResponse } from '../../http/responses.dto.js';
import { type Page, type Paged } from '../../values/page.js';
import { fullName } from '../message-event.js';
import type { MessageRow } from '../message-history.queries.js';
import { timelineOf } from '../message-timeline.js';

/** One step of a message's life. */
export class TimelineEntry {
  @ApiProperty()
  status: string;

  @ApiProperty()
  at: string;
}

/** A message (D80). */
export class MessageRecord {
  @ApiProperty()
  message_id: string;

  @ApiProperty({ enum: ['in', 'out'] })
  direction: 'in' | 'out';

  @ApiProperty()
  contact_id: string;

  @ApiProperty()
  contact_phone: string;

  @ApiProperty()
  contact_name: string;

  @ApiProperty()
  waba_phone_id: string;

  @ApiProperty()
  message_type: string;

  @ApiProperty()
  content: string;

  @ApiProperty({ type: String, nullable: true })
  template_name: string | null;

  @ApiProperty({ type: String, nullable: true })
  campaign_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  campaign_name: string | null;

  @ApiProperty({ description: '`received` for inbound messages' })
  status: string;

  @ApiProperty({ type: String, nullable: true, description: 'The network’s own id (D13)' })
  network_message_id: string | null;

  @ApiProperty({ type: Number, nullable: true })
  error_code: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'In plain words' })
  error_message: string | null;

  @ApiProperty({ type: [TimelineEntry] })
  timeline: TimelineEntry[];

  @ApiProperty()
  created_at: string;

  static from(row: MessageRow): MessageRecord {
    return {
      message_id: row.id,
      direction: row.direction,
      contact_id: row.contact_id,
      contact_phone: row.contact_phone,
      contact_name: fullName(row.first_name, row.last_name),
      waba_phone_id: row.business_phone_id,
      message_type: row.message_type,
      content: row.content,
      template_name: row.template_name,
      campaign_id: row.campaign_id,
      campaign_name: row.campaign_name,
      status: row.status,
      network_message_id: row.network_message_id,
      error_code: row.error_code,
      error_message: row.error_message,
      timeline: timelineOf(row).map(({ status, at }) => ({ status, at: at.toISOString() })),
      created_at: row.created_at.toISOString(),
    };
  }
}

/** Answer of `GET /api/v1/messages/{message_id}`. */
export class MessageResponse extends SuccessResponse {
  @ApiProperty({ type: MessageRecord })
  message_record: MessageRecord;

  static from(row: MessageRow): MessageResponse {
    return { status: 'success', message_record: MessageRecord.from(row) };
  }
}

/** Answer of `GET /api/v1/messages/`. */
export class MessageListResponse extends PagedResponse {
  @ApiProperty({ type: [MessageRecord] })
  messages: MessageRecord[];

  static from({ rows, total }: Paged<MessageRow>, { page, limit }: Page): MessageListResponse {
    return { status: 'success', messages: rows.map((row) => MessageRecord.from(row)), total, page, limit };
  }
}
