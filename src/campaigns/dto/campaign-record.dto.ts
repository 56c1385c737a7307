import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Id, OneOf, Optional } from '../../http/field-rules.js';
import { QueryTime } from '../../http/log-query.dto.js';
import { type PageQuery, SearchQuery } from '../../http/page.dto.js';
import { PagedResponse, SuccessResponse } from '../../http/responses.dto.js';
import { ButtonParamField, CarouselEntryField, LocationField } from '../../templates/dto/sending-fields.dto.js';
import { now } from '../../values/clock.js';
import { instantOf } from '../../values/local-time.js';
import { maskedContent } from '../authoring/one-time-codes.js';
import { CAMPAIGN_STATUSES, type CampaignStatus, WAITING_REASONS, type WaitingReason } from '../campaign.entity.js';
import type { CampaignContent } from '../campaign.js';
import type { CampaignFilter, CampaignRow, CountedCampaign, ListedCampaigns } from '../campaign-list.queries.js';
import { waitingFor } from '../campaign-wait.js';
import type { PacedCampaign } from '../campaigns.service.js';
import { CampaignActorField } from './campaign-actor.field.js';
import { CampaignStats } from './campaign-responses.dto.js';
import { BODY_DATA_SCHEMA, type BodyDataField, bodyDataOf } from './personal-fields.js';
import { SendWindowField } from './send-window.field.js';

/** Those of a campaign's list who are not among its recipients. */
export class LeftOutField {
  @ApiProperty({ type: 'integer', description: 'Numbers that nobody can have' })
  invalid_phones: number;

  @ApiProperty({ type: 'integer', description: 'People who were listed again, in `contacts` or in a group' })
  duplicates: number;
}

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

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Null unless it is paused' })
  paused_at: string | null;

  @ApiProperty({
    type: CampaignActorField,
    nullable: true,
    description: 'Null unless it is paused, and if it paused itself: then `failure_reason` says why',
  })
  paused_by: CampaignActorField | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why the campaign stopped, and what to do' })
  failure_reason: string | null;

  @ApiProperty({ type: CampaignActorField, nullable: true, description: 'Null for campaigns of earlier releases' })
  created_by: CampaignActorField | null;

  @ApiProperty({
    type: CampaignActorField,
    nullable: true,
    description: 'Null until it is started, and for campaigns of earlier releases',
  })
  started_by: CampaignActorField | null;

  @ApiProperty({ type: [String], description: 'The groups of `group_ids`, as they were called then' })
  group_names: string[];

  @ApiProperty({ type: LeftOutField, nullable: true, description: 'Null for campaigns of earlier releases' })
  left_out: LeftOutField | null;

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
      ...pauseOf(campaign),
      failure_reason: campaign.failureReason,
      created_by: CampaignActorField.from(campaign.createdBy, campaign.createdByName, campaign.createdSource),
      started_by: CampaignActorField.from(campaign.startedBy, campaign.startedByName, campaign.startedSource),
      group_names: campaign.groupNames,
      left_out: leftOutOf(campaign),
    };
  }
}

/** What a campaign waits for, and until when. */
function waitOf(campaign: CampaignRow): Pick<CampaignRecord, 'waiting_until' | 'waiting_reason'> {
  const { until, reason } = waitingFor(campaign, now());
  return { waiting_until: until?.toISOString() ?? null, waiting_reason: reason };
}

/** When and by whom a campaign was paused that still is. */
function pauseOf(campaign: CampaignRow): Pick<CampaignRecord, 'paused_at' | 'paused_by'> {
  if (!campaign.paused) return { paused_at: null, paused_by: null };
  const { pausedAt, pausedBy, pausedByName, pausedSource } = campaign;
  return {
    paused_at: pausedAt?.toISOString() ?? null,
    paused_by: CampaignActorField.from(pausedBy, pausedByName, pausedSource),
  };
}

function leftOutOf({ invalidPhones, duplicates }: CampaignRow): LeftOutField | null {
  return invalidPhones === null || duplicates === null ? null : { invalid_phones: invalidPhones, duplicates };
}

/** A campaign, and how fast it is sent. */
export class PacedCampaignRecord extends CampaignRecord {
  @ApiProperty({
    type: Number,
    nullable: true,
    example: 19.8,
    description: 'Messages that the network accepted per second, over the last ten. Null unless it is running',
  })
  rate_per_second: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Until everybody was sent to, at this rate. Null unless it is sending',
  })
  seconds_left: number | null;
}

/** Response of `GET /api/v1/campaigns/{campaign_id}`. */
export class CampaignResponse extends SuccessResponse {
  @ApiProperty({ type: PacedCampaignRecord })
  campaign: PacedCampaignRecord;

  static from(campaign: PacedCampaign): CampaignResponse {
    const { ratePerSecond, secondsLeft } = campaign.pace;
    const record = { ...CampaignRecord.from(campaign), rate_per_second: ratePerSecond, seconds_left: secondsLeft };
    return { status: 'success', campaign: record };
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

/** How many campaigns have each status. */
export class CampaignStatusCounts implements Readonly<Record<CampaignStatus, number>> {
  @ApiProperty({ type: 'integer' })
  draft: number;

  @ApiProperty({ type: 'integer' })
  scheduled: number;

  @ApiProperty({ type: 'integer' })
  running: number;

  @ApiProperty({ type: 'integer' })
  completed: number;

  @ApiProperty({ type: 'integer' })
  cancelled: number;

  @ApiProperty({ type: 'integer' })
  failed: number;
}

/** Response of `GET /api/v1/campaigns/`. */
export class CampaignListResponse extends PagedResponse {
  @ApiProperty({ type: [CampaignRecord] })
  campaigns: CampaignRecord[];

  @ApiProperty({
    type: CampaignStatusCounts,
    description: 'Of the campaigns that match `search`, `since` and `contact_id`',
  })
  counts: CampaignStatusCounts;

  static from(listed: ListedCampaigns, query: PageQuery): CampaignListResponse {
    return {
      status: 'success',
      campaigns: listed.rows.map((row) => CampaignRecord.from(row)),
      ...PagedResponse.paging(listed, query),
      counts: listed.byStatus,
    };
  }
}

/** Query of `GET /api/v1/campaigns/`. It searches the names of campaigns and templates. */
export class CampaignsQuery extends SearchQuery {
  @Optional()
  @OneOf(CAMPAIGN_STATUSES)
  status?: CampaignStatus;

  @ApiPropertyOptional({
    description: 'Only those created from this time on. UTC unless it has an offset; a date means 00:00',
    example: '2026-01-31',
  })
  @Optional()
  @QueryTime()
  since?: string;

  @ApiPropertyOptional({ description: 'Only campaigns with this contact among their recipients' })
  @Optional()
  @Id()
  contact_id?: string;

  toFilter(): CampaignFilter {
    return {
      status: this.status ?? null,
      search: this.search?.trim() || null,
      since: this.since ? instantOf(this.since) : null,
      contactId: this.contact_id ?? null,
    };
  }
}
