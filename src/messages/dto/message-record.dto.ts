import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { fullName } from '../../contacts/contact-name.js';
import { PagedResponse, SuccessResponse } from '../../http/responses.dto.js';
import { type Page, type Paged } from '../../values/page.js';
import type { MessageRow } from '../history/message-history.queries.js';
import { timelineOf } from '../history/message-timeline.js';
import type { Pricing } from '../reports/message-report.js';

/** A status a message reached, and when. */
export class TimelineEntry {
  @ApiProperty()
  status: string;

  @ApiProperty({ format: 'date-time' })
  at: string;
}

/** The network's pricing of a message, in its own terms. */
export class MessagePricing {
  @ApiProperty({ type: String, nullable: true, example: 'utility' })
  category: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'PMP' })
  pricing_model: string | null;

  @ApiProperty({ type: Boolean, nullable: true })
  billable: boolean | null;

  @ApiProperty({ type: String, nullable: true, example: 'regular' })
  type: string | null;

  static from({ category, pricing_model, billable, type }: Pricing): MessagePricing {
    return {
      category: category ?? null,
      pricing_model: pricing_model ?? null,
      billable: billable ?? null,
      type: type ?? null,
    };
  }
}

/** A message as the API returns it. */
export class MessageRecord {
  @ApiProperty({ format: 'uuid' })
  message_id: string;

  @ApiProperty({ enum: ['in', 'out'] })
  direction: 'in' | 'out';

  @ApiProperty({ format: 'uuid' })
  contact_id: string;

  @ApiProperty({ type: String, nullable: true, description: 'Digits; null if the contact hides their number' })
  contact_phone: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description:
      'The network’s id of the contact; present only if there is no phone number. Null if the contact was erased',
  })
  contact_user_id?: string | null;

  @ApiProperty()
  contact_name: string;

  @ApiProperty({ format: 'uuid' })
  waba_phone_id: string;

  @ApiProperty()
  message_type: string;

  @ApiProperty()
  content: string;

  @ApiProperty({ type: String, nullable: true })
  template_name: string | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  campaign_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  campaign_name: string | null;

  @ApiProperty({ description: '`received` for inbound messages' })
  status: string;

  @ApiProperty({ type: String, nullable: true, description: 'The network’s own id' })
  network_message_id: string | null;

  @ApiProperty({ type: 'integer', nullable: true })
  error_code: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'Human-readable' })
  error_message: string | null;

  @ApiProperty({
    type: MessagePricing,
    nullable: true,
    description: 'What the network charges; null until a status report contains it',
  })
  pricing: MessagePricing | null;

  @ApiProperty({ type: [TimelineEntry] })
  timeline: TimelineEntry[];

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  static from(row: MessageRow): MessageRecord {
    return {
      message_id: row.id,
      direction: row.direction,
      contact_id: row.contactId,
      contact_phone: row.contactPhone,
      ...(row.contactPhone === null ? { contact_user_id: row.contactUserId } : {}),
      contact_name: fullName(row),
      waba_phone_id: row.businessPhoneId,
      message_type: row.messageType,
      content: row.content,
      template_name: row.templateName,
      campaign_id: row.campaignId,
      campaign_name: row.campaignName,
      status: row.status,
      network_message_id: row.networkMessageId,
      error_code: row.errorCode,
      error_message: row.errorMessage,
      pricing: row.pricing === null ? null : MessagePricing.from(row.pricing),
      timeline: timelineOf(row).map(({ status, at }) => ({ status, at: at.toISOString() })),
      created_at: row.createdAt.toISOString(),
    };
  }
}

/** Response of `GET /api/v1/messages/{message_id}`. */
export class MessageResponse extends SuccessResponse {
  @ApiProperty({ type: MessageRecord })
  message_record: MessageRecord;

  static from(row: MessageRow): MessageResponse {
    return { status: 'success', message_record: MessageRecord.from(row) };
  }
}

/** Response of `GET /api/v1/messages/` and of a conversation's messages. */
export class MessageListResponse extends PagedResponse {
  @ApiProperty({ type: [MessageRecord] })
  messages: MessageRecord[];

  static from({ rows, total }: Paged<MessageRow>, { page, limit }: Page): MessageListResponse {
    return { status: 'success', messages: rows.map((row) => MessageRecord.from(row)), total, page, limit };
  }
}
