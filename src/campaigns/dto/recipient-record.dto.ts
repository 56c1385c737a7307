import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { OneOf, Optional } from '../../http/field-rules.js';
import { PageQuery } from '../../http/page.dto.js';
import { PagedResponse } from '../../http/responses.dto.js';
import { fullName } from '../../people/contact-name.js';
import type { Paged } from '../../values/page.js';
import type { Campaign } from '../campaign.entity.js';
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

/** What recipients have in common; they were created with their campaign. */
type RecipientsCampaign = Pick<Campaign, 'content' | 'createdAt' | 'repeatedCodes'>;

/** A recipient of a campaign, with the status of its latest message. */
export class RecipientRecord {
  @ApiProperty({ format: 'uuid' })
  contact_id: string;

  @ApiProperty({ type: String, nullable: true, description: 'Digits; null for people who hide their number' })
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

  @ApiProperty({ type: String, nullable: true, description: 'The latest message; null before the first attempt' })
  message_id: string | null;

  @ApiProperty({ enum: STATUSES, description: 'The status of the message, or `cancelled`' })
  status: RecipientStatus;

  @ApiProperty({ type: 'integer', description: 'Attempts to send the latest message' })
  attempts: number;

  @ApiProperty({ type: 'integer', nullable: true })
  error_code: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why the message failed' })
  error_message: string | null;

  @ApiProperty({
    description:
      'Whether `retry-failed` without a body would send to this recipient again. Never true for AUTHENTICATION templates: one-time codes are not kept',
  })
  retryable: boolean;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  static from(row: RecipientRow, campaign: RecipientsCampaign): RecipientRecord {
    const error = errorOf(row);
    return {
      contact_id: row.contactId,
      contact_phone: row.contactPhone,
      ...(row.contactPhone === null ? { contact_user_id: row.contactUserId } : {}),
      contact_name: fullName(row),
      message_id: row.messageId,
      status: row.status,
      attempts: row.attempts,
      error_code: error?.code ?? null,
      error_message: error?.message ?? null,
      retryable: isRetryable(row, campaign),
      created_at: campaign.createdAt.toISOString(),
    };
  }
}

/** Response of `GET /api/v1/campaigns/{campaign_id}/recipients`. */
export class RecipientListResponse extends PagedResponse {
  @ApiProperty({ type: [RecipientRecord] })
  recipients: RecipientRecord[];

  static from(
    paged: Paged<RecipientRow> & { readonly campaign: RecipientsCampaign },
    query: PageQuery,
  ): RecipientListResponse {
    const recipients = paged.rows.map((row) => RecipientRecord.from(row, paged.campaign));
    return { status: 'success', recipients, ...PagedResponse.paging(paged, query) };
  }
}

/** Query of `GET /api/v1/campaigns/{campaign_id}/recipients`. */
export class RecipientsQuery extends PageQuery {
  @Optional()
  @OneOf(STATUSES)
  status?: RecipientStatus;
}
