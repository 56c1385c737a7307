import { ApiProperty } from '@nestjs/swagger';
import { OneOf, Optional } from '../../http/field-rules.js';
import { PageQuery } from '../../http/page.dto.js';
import { PagedResponse, SuccessResponse } from '../../http/responses.dto.js';
import { ButtonParamField, CarouselEntryField, LocationField } from '../../templates/dto/sending-fields.dto.js';
import { now } from '../../values/clock.js';
import type { Paged } from '../../values/page.js';
import { maskedContent } from '../authoring/one-time-codes.js';
import { CAMPAIGN_STATUSES, type CampaignStatus, WAITING_REASONS, type WaitingReason } from '../campaign.entity.js';
import type { CampaignContent } from '../campaign.js';
import type { CampaignRow, CountedCampaign } from '../campaign.queries.js';
import { waitingFor } from '../campaign-wait.js';
import { CampaignStats } from './campaign-responses.dto.js';
import { BODY_DATA_SCHEMA, type BodyDataField, bodyDataOf } from './personal-fields.js';
import { SendWindowField } from './send-window.field.js';

/** A campaign: everything it was created with except its recipients, and its progress. */
export class CampaignRecord extends CampaignStats {
  @ApiProperty({ type: String, nullable: true })
  description: string | null;

  @ApiProperty()
  template_name: string;

  @ApiProperty()
  template_language: string;

  @ApiProperty({ format: 'uuid' })
  waba_phone_id: string;

  @ApiProperty({ ...BODY_DATA_SCHEMA, description: 'A one-time code is shown as `•`' })
  body_data: BodyDataField;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  header_data: Readonly<Record<string, string>>;

  @ApiProperty({ type: String, nullable: true })
  media_url: string | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  media_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  filename: string | null;

  @ApiProperty({ type: LocationField, nullable: true })
  location: LocationField | null;

  @ApiProperty({ type: [ButtonParamField] })
  button_params: ButtonParamField[];

  @ApiProperty({ type: [CarouselEntryField], nullable: true })
  carousel_data: CarouselEntryField[] | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Epoch milliseconds' })
  expiration_time_ms: number | null;

  @ApiProperty({ type: String, nullable: true })
  scheduled_timezone: string | null;

  @ApiProperty({ type: SendWindowField, nullable: true, description: 'Hours of the day when the campaign may send' })
  send_window: SendWindowField | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Recipients not sent to by then are cancelled',
  })
  send_before: string | null;

  @ApiProperty({ type: 'integer', description: '0: it never pauses itself' })
  max_failure_percent: number;

  @ApiProperty({
    type: 'integer',
    description: 'Accepted and counted in `sent_count`, but held back by the network to check the quality',
  })
  held_count: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'When the next recipient that waits may be sent to; null if none waits, or nobody can say when',
  })
  waiting_until: string | null;

  @ApiProperty({
    enum: WAITING_REASONS,
    nullable: true,
    example: 'send_window',
    description:
      'What that recipient waits for, while the others are sent to: for the end of a restriction of the business phone, ' +
      'for `send_window`, or for the messaging limit of the portfolio. `phone` and `network`: the whole campaign waits. ' +
      'Null if none waits',
  })
  waiting_reason: WaitingReason | null;

  @ApiProperty({ description: 'Whether the campaign is running but paused' })
  paused: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'Why the campaign stopped, and what to do' })
  failure_reason: string | null;

  static from(counted: CountedCampaign): CampaignRecord {
    const { campaign } = counted;
    // A campaign without template values stores an empty object.
    const content: Partial<CampaignContent> =
      campaign.content.code === 'shared' ? maskedContent(campaign.content) : campaign.content;
    return {
      ...CampaignStats.of(counted),
      description: campaign.description,
      template_name: campaign.templateName,
      template_language: campaign.templateLanguage,
      waba_phone_id: campaign.businessPhoneId,
      body_data: bodyDataOf(content.bodyData ?? {}),
      header_data: content.headerData ?? {},
      media_url: content.mediaUrl ?? null,
      media_id: content.mediaId ?? null,
      filename: content.filename ?? null,
      location: content.location ? LocationField.from(content.location) : null,
      button_params: (content.buttonParams ?? []).map(ButtonParamField.from),
      carousel_data: content.carouselData?.map(CarouselEntryField.from) ?? null,
      expiration_time_ms: content.expirationTimeMs ?? null,
      scheduled_timezone: campaign.scheduledTimezone,
      send_window: campaign.sendWindow,
      send_before: campaign.sendBefore?.toISOString() ?? null,
      max_failure_percent: campaign.maxFailurePercent ?? 0,
      held_count: counted.counts.held,
      ...waitOf(campaign),
      paused: campaign.paused,
      failure_reason: campaign.failureReason,
    };
  }
}

/** What a campaign waits for, and until when. */
function waitOf(campaign: CampaignRow): Pick<CampaignRecord, 'waiting_until' | 'waiting_reason'> {
  const { until, reason } = waitingFor(campaign, now());
  return { waiting_until: until?.toISOString() ?? null, waiting_reason: reason };
}

/** Response of `GET /api/v1/campaigns/{campaign_id}`. */
export class CampaignResponse extends SuccessResponse {
  @ApiProperty({ type: CampaignRecord })
  campaign: CampaignRecord;

  static from(campaign: CountedCampaign): CampaignResponse {
    return { status: 'success', campaign: CampaignRecord.from(campaign) };
  }
}

/** Response of the actions on a campaign: cancel, pause, resume, retry-failed. */
export class CampaignActionResponse extends SuccessResponse {
  @ApiProperty()
  message: string;

  @ApiProperty({ type: CampaignRecord })
  campaign: CampaignRecord;

  static from(campaign: CountedCampaign, message: string): CampaignActionResponse {
    return { status: 'success', message, campaign: CampaignRecord.from(campaign) };
  }
}

/** Response of `GET /api/v1/campaigns/`. */
export class CampaignListResponse extends PagedResponse {
  @ApiProperty({ type: [CampaignRecord] })
  campaigns: CampaignRecord[];

  static from(paged: Paged<CountedCampaign>, query: PageQuery): CampaignListResponse {
    return {
      status: 'success',
      campaigns: paged.rows.map((row) => CampaignRecord.from(row)),
      ...PagedResponse.paging(paged, query),
    };
  }
}

/** Query of `GET /api/v1/campaigns/`. */
export class CampaignsQuery extends PageQuery {
  @Optional()
  @OneOf(CAMPAIGN_STATUSES)
  status?: CampaignStatus;
}
