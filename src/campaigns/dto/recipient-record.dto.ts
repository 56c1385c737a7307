import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { OneOf, Optional } from '../../http/field-rules.js';
import { PageQuery } from '../../http/page.dto.js';
import { PagedResponse } from '../../http/responses.dto.js';
import { fullName } from '../../messages/message-event.js';
import type { Page, Paged } from '../../values/page.js';
import { errorOf, isRetryable } from '../progress/recipient-errors.js';
import type { RecipientRow, RecipientStatus } from '../progress/recipient-list.queries.js';

const STATUSES: readonly RecipientStatus[] = [
  'pending',
  'accepted',
  'sent',
  'delivered',
  'read',
  'clicked',
  'failed',
  'cancelled',
];

/** A contact that a campaign is for, and what became of its latest message. */
export class RecipientRecord {
  @ApiProperty({ format: 'uuid' })
  contact_id: string;

  @ApiProperty({ type: String, nullable: true, description: 'Digits; null for people who hide their number' })
  contact_phone: string | null;

  @ApiPropertyOptional({ type: String, description: 'The network’s id of the contact; only where there is no number' })
  contact_user_id?: string | null;

  @ApiProperty()
  contact_name: string;

  @ApiProperty({ type: String, nullable: true, description: 'The latest message; null until there is one' })
  message_id: string | null;

  @ApiProperty({ enum: STATUSES, description: 'The status of the message, or `cancelled`' })
  status: RecipientStatus;

  @ApiProperty({ type: 'integer', description: 'Attempts at the latest message' })
  attempts: number;

  @ApiProperty({ type: 'integer', nullable: true })
  error_code: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'In plain words' })
  error_message: string | null;

  @ApiProperty({ description: 'Whether retry-failed would send to it again' })
  retryable: boolean;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  /** @param createdAt when the campaign was made, and its recipients with it */
  static from(row: RecipientRow, createdAt: Date): RecipientRecord {
    const error = errorOf(row);
    return {
      contact_id: row.contactId,
      contact_phone: row.contactPhone,
      ...(row.contactPhone === null ? { contact_user_id: row.contactUserId } : {}),
      contact_name: fullName(row.firstName, row.lastName),
      message_id: row.messageId,
      status: row.status,
      attempts: row.attempts,
      error_code: error?.code ?? null,
      error_message: error?.message ?? null,
      retryable: isRetryable(row),
      created_at: createdAt.toISOString(),
    };
  }
}

/** Answer of `GET /api/v1/campaigns/{campaign_id}/recipients`. */
export class RecipientListResponse extends PagedResponse {
  @ApiProperty({ type: [RecipientRecord] })
  recipients: RecipientRecord[];

  static from(
    { rows, total, createdAt }: Paged<RecipientRow> & { readonly createdAt: Date },
    { page, limit }: Page,
  ): RecipientListResponse {
    const recipients = rows.map((row) => RecipientRecord.from(row, createdAt));
    return { status: 'success', recipients, total, page, limit };
  }
}

/** Query of `GET /api/v1/campaigns/{campaign_id}/recipients`. */
export class RecipientsQuery extends PageQuery {
  @Optional()
  @OneOf(STATUSES)
  status?: RecipientStatus;
}
