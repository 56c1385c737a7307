import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { FromQueryNumber, OneOf, Optional, WholeNumber } from '../../http/field-rules.js';
import { SearchQuery } from '../../http/page.dto.js';
import { PagedResponse } from '../../http/responses.dto.js';
import { type ReachedTimes, reachedTimes } from '../../messages/history/message-timeline.js';
import { fullName } from '../../people/contact-name.js';
import type { Campaign } from '../campaign.entity.js';
import { errorOf, isRetryable } from '../progress/recipient-errors.js';
import {
  RECIPIENT_ORDERS,
  RECIPIENT_STATUSES,
  RECIPIENT_STEPS,
  type RecipientFilter,
  type RecipientOrder,
  type RecipientStatus,
  type RecipientStep,
} from '../progress/recipient-filter.js';
import type { RecipientCounts, RecipientPage, RecipientRow } from '../progress/recipient-list.queries.js';

/** The largest code that the database stores. */
const MAX_CODE = 2 ** 31 - 1;

const TimeOrNull = (description?: string): PropertyDecorator =>
  ApiProperty({ type: String, format: 'date-time', nullable: true, ...(description && { description }) });

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

  @ApiProperty({ enum: RECIPIENT_STATUSES, description: 'The status of the message, or `cancelled`' })
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

  @TimeOrNull('When the network accepted the latest message, also if it failed it later')
  sent_at: string | null;

  @TimeOrNull('A later step implies an earlier one that was not reported, and gives it its time')
  delivered_at: string | null;

  @TimeOrNull()
  read_at: string | null;

  @TimeOrNull('When a button of the latest message was tapped')
  clicked_at: string | null;

  @TimeOrNull('When they first replied to the campaign; null also for replies before Parley noted the time')
  replied_at: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  static from(row: RecipientRow, campaign: RecipientsCampaign): RecipientRecord {
    const error = errorOf(row);
    const times = timesOf(row);
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
      sent_at: iso(times.accepted),
      delivered_at: iso(times.delivered),
      read_at: iso(times.read),
      clicked_at: iso(times.clicked),
      replied_at: iso(row.repliedAt),
      created_at: campaign.createdAt.toISOString(),
    };
  }
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

function timesOf({ attemptedAt, seen, ...times }: RecipientRow): ReachedTimes {
  if (attemptedAt === null || seen === null) return { accepted: null, delivered: null, read: null, clicked: null };
  return reachedTimes({ ...times, seen, createdAt: attemptedAt });
}

/** How many recipients have each status. */
export class RecipientCountsField implements RecipientCounts {
  @ApiProperty({ type: 'integer' })
  pending: number;

  @ApiProperty({ type: 'integer' })
  accepted: number;

  @ApiProperty({ type: 'integer' })
  sent: number;

  @ApiProperty({ type: 'integer' })
  delivered: number;

  @ApiProperty({ type: 'integer' })
  read: number;

  @ApiProperty({ type: 'integer' })
  clicked: number;

  @ApiProperty({ type: 'integer' })
  failed: number;

  @ApiProperty({ type: 'integer' })
  cancelled: number;
}

/** Response of `GET /api/v1/campaigns/{campaign_id}/recipients`. */
export class RecipientListResponse extends PagedResponse {
  @ApiProperty({ type: [RecipientRecord] })
  recipients: RecipientRecord[];

  @ApiProperty({
    type: RecipientCountsField,
    nullable: true,
    description:
      'How many recipients have each status: all, or those that `search` finds, whatever else is filtered by. Null with ' +
      '`cursor`',
  })
  counts: RecipientCountsField | null;

  static from(
    paged: RecipientPage & { readonly campaign: RecipientsCampaign },
    query: RecipientsQuery,
  ): RecipientListResponse {
    const recipients = paged.rows.map((row) => RecipientRecord.from(row, paged.campaign));
    return { status: 'success', recipients, counts: paged.counts, ...PagedResponse.paging(paged, query) };
  }
}

/** Query of `GET /api/v1/campaigns/{campaign_id}/recipients`. */
export class RecipientsQuery extends SearchQuery {
  @Optional()
  @OneOf(RECIPIENT_STATUSES)
  status?: RecipientStatus;

  @ApiProperty({
    description:
      'Only recipients who got at least that far with the latest message: `sent` (accepted by the network, also if it ' +
      'failed later), `delivered`, `read`; or who have ever `clicked` a button or `replied`',
  })
  @Optional()
  @OneOf(RECIPIENT_STEPS)
  reached?: RecipientStep;

  @ApiProperty({ description: 'Only failed recipients with this code, as `failures` counts them', example: 131026 })
  @Optional()
  @FromQueryNumber()
  @WholeNumber(0, MAX_CODE)
  error_code?: number;

  @ApiProperty({
    description:
      'Default: sending order, in which nothing moves. `name`: by `contact_name`, without case and accents. ' +
      '`last_activity`: by the latest time of the recipient, newest first, people without any last; a recipient moves to ' +
      'the front with each report and reply, so that a walk with `cursor` may miss those that move, or meet them twice',
  })
  @Optional()
  @OneOf(RECIPIENT_ORDERS)
  order?: RecipientOrder;

  toFilter(): RecipientFilter {
    return {
      status: this.status ?? null,
      reached: this.reached ?? null,
      errorCode: this.error_code ?? null,
      search: this.search ?? null,
      order: this.order ?? null,
    };
  }
}
