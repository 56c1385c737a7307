import { ApiProperty } from '@nestjs/swagger';
import { OneOf, Optional } from '../../http/field-rules.js';
import { PageQuery } from '../../http/page.dto.js';
import { PagedResponse, SuccessResponse } from '../../http/responses.dto.js';
import { ButtonParamField, CarouselEntryField, LocationField } from '../../templates/dto/sending-fields.dto.js';
import { now } from '../../values/clock.js';
import type { Page, Paged } from '../../values/page.js';
import type { CampaignContent } from '../authoring/campaign-content.js';
import { CAMPAIGN_STATUSES, type CampaignStatus } from '../campaign.entity.js';
import type { CampaignRow, CountedCampaign } from '../campaign.queries.js';
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

  @ApiProperty(BODY_DATA_SCHEMA)
  body_data: BodyDataField;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  header_data: Readonly<Record<string, string>>;

  @ApiProperty({ type: String, nullable: true })
  media_url: string | null;

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

  @ApiProperty({ type: 'integer', nullable: true })
  max_failure_percent: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'When the next recipient waiting for the send window or the messaging limit may be sent to; null if none waits',
  })
  waiting_until: string | null;

  @ApiProperty({ description: 'Whether the campaign is running but paused' })
  paused: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'Why the campaign stopped, and what to do' })
  failure_reason: string | null;

  static from(counted: CountedCampaign): CampaignRecord {
    const { campaign } = counted;
    // A campaign without template values stores an empty object.
    const content: Partial<CampaignContent> = campaign.content;
    return {
      ...CampaignStats.of(counted),
      description: campaign.description,
      template_name: campaign.templateName,
      template_language: campaign.templateLanguage,
      waba_phone_id: campaign.businessPhoneId,
      body_data: bodyDataOf(content.bodyData ?? {}),
      header_data: content.headerData ?? {},
      media_url: content.mediaUrl ?? null,
      filename: content.filename ?? null,
      location: content.location ? LocationField.from(content.location) : null,
      button_params: (content.buttonParams ?? []).map(ButtonParamField.from),
      carousel_data: content.carouselData?.map(CarouselEntryField.from) ?? null,
      expiration_time_ms: content.expirationTimeMs ?? null,
      scheduled_timezone: campaign.scheduledTimezone,
      send_window: campaign.sendWindow,
      send_before: campaign.sendBefore?.toISOString() ?? null,
      max_failure_percent: campaign.maxFailurePercent,
      waiting_until: waitingUntil(campaign)?.toISOString() ?? null,
      paused: campaign.paused,
      failure_reason: campaign.failureReason,
    };
  }
}

/** Hides the stored time once it has passed or the campaign is not running. */
const waitingUntil = ({ status, waitingUntil: until }: CampaignRow): Date | null =>
  status === 'running' && until !== null && until > now() ? until : null;

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

  static from({ rows, total }: Paged<CountedCampaign>, { page, limit }: Page): CampaignListResponse {
    return { status: 'success', campaigns: rows.map((row) => CampaignRecord.from(row)), total, page, limit };
  }
}

/** Query of `GET /api/v1/campaigns/`. */
export class CampaignsQuery extends PageQuery {
  @Optional()
  @OneOf(CAMPAIGN_STATUSES)
  status?: CampaignStatus;
}
