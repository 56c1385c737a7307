import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequiresScope } from '../auth/scopes.js';
import { RecordIdPipe } from '../http/record-id.pipe.js';
import { AcceptsBody, MIB } from '../http/request-body.interceptor.js';
import { Idempotent } from '../idempotency/idempotent.decorator.js';
import { now } from '../values/clock.js';
import type { RecordId } from '../values/record-id.js';
import { CampaignsService } from './campaigns.service.js';
import {
  CampaignActionResponse,
  CampaignListResponse,
  CampaignResponse,
  CampaignsQuery,
} from './dto/campaign-record.dto.js';
import { CampaignStatsResponse, SendCampaignResponse } from './dto/campaign-responses.dto.js';
import { CreateCampaignRequest, CreateCampaignResponse } from './dto/create-campaign.dto.js';
import { CampaignLifecycleService } from './lifecycle/campaign-lifecycle.service.js';

/** Campaigns over HTTP. */
@ApiTags('campaigns')
@Controller('api/v1/campaigns')
export class CampaignsController {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly lifecycle: CampaignLifecycleService,
  ) {}

  @Post()
  @Idempotent({ recover: 'created' })
  @HttpCode(200)
  @RequiresScope('campaigns:write')
  @AcceptsBody({ limit: 4 * MIB })
  @ApiOperation({ summary: 'Create a campaign' })
  @ApiOkResponse({ type: CreateCampaignResponse })
  async create(@CurrentCaller() caller: Caller, @Body() body: CreateCampaignRequest): Promise<CreateCampaignResponse> {
    const created = await this.campaigns.create(caller, {
      name: body.name,
      description: body.description ?? null,
      templateName: body.template_name,
      templateLanguage: body.template_language ?? null,
      recipients: body.toRecipients(),
      groupIds: body.group_ids ?? [],
      wabaPhoneId: body.waba_phone_id ?? null,
      scheduledAt: body.scheduled_at ?? null,
      scheduledTimezone: body.scheduled_timezone ?? null,
      content: body.toContent(),
      sendWindow: body.send_window ?? null,
      sendBefore: body.send_before ?? null,
      maxFailurePercent: body.max_failure_percent ?? null,
    });
    return CreateCampaignResponse.from(created, created.invalidPhones);
  }

  async created(
    campaignId: RecordId,
    { accountId }: Caller,
    body: CreateCampaignRequest,
  ): Promise<CreateCampaignResponse> {
    const created = await this.campaigns.recoverCreated(accountId, campaignId, body.toRecipients());
    return CreateCampaignResponse.from(created, created.invalidPhones);
  }

  @Post(':campaign_id/send')
  @Idempotent({ recover: 'started' })
  @HttpCode(202)
  // The precheck refuses a suspended account, as a 400.
  @RequiresScope('campaigns:write', { whileSuspended: true })
  @ApiOperation({ summary: 'Send a draft campaign' })
  @ApiResponse({ status: 202, type: SendCampaignResponse })
  async send(
    @CurrentCaller() caller: Caller,
    @Param('campaign_id', RecordIdPipe) campaignId: string,
  ): Promise<SendCampaignResponse> {
    const taskId = await this.lifecycle.send(caller, campaignId);
    return SendCampaignResponse.from(campaignId, taskId, now());
  }

  /** The process that started it may have died before it woke the workers; waking them twice does nothing. */
  async started(campaignId: RecordId, { accountId }: Caller): Promise<SendCampaignResponse> {
    return SendCampaignResponse.from(campaignId, await this.lifecycle.wake(accountId, campaignId), now());
  }

  @Get(':campaign_id/stats')
  @RequiresScope('campaigns:read')
  @ApiOperation({ summary: 'Read a campaign’s statistics' })
  @ApiOkResponse({ type: CampaignStatsResponse })
  async stats(
    @CurrentCaller() caller: Caller,
    @Param('campaign_id', RecordIdPipe) campaignId: string,
  ): Promise<CampaignStatsResponse> {
    return CampaignStatsResponse.from(await this.campaigns.getWithCounts(caller.accountId, campaignId));
  }

  @Get()
  @RequiresScope('campaigns:read')
  @ApiOperation({ summary: 'List campaigns, newest first' })
  @ApiOkResponse({ type: CampaignListResponse })
  async list(@CurrentCaller() { accountId }: Caller, @Query() query: CampaignsQuery): Promise<CampaignListResponse> {
    return CampaignListResponse.from(await this.campaigns.list(accountId, query.status ?? null, query), query);
  }

  @Get(':campaign_id')
  @RequiresScope('campaigns:read')
  @ApiOperation({ summary: 'Get a campaign' })
  @ApiOkResponse({ type: CampaignResponse })
  @ApiNotFoundResponse()
  async get(
    @CurrentCaller() { accountId }: Caller,
    @Param('campaign_id', RecordIdPipe) campaignId: string,
  ): Promise<CampaignResponse> {
    return CampaignResponse.from(await this.campaigns.getWithCounts(accountId, campaignId));
  }

  @Post(':campaign_id/cancel')
  @Idempotent({ recover: 'cancelled' })
  @HttpCode(200)
  @RequiresScope('campaigns:write')
  @ApiOperation({
    summary: 'Cancel a campaign',
    description: 'A draft, scheduled or running one, for good. Credits of those who were not sent to come back.',
  })
  @ApiOkResponse({ type: CampaignActionResponse })
  @ApiBadRequestResponse({ description: 'The campaign is over' })
  @ApiNotFoundResponse()
  async cancel(
    @CurrentCaller() caller: Caller,
    @Param('campaign_id', RecordIdPipe) campaignId: string,
  ): Promise<CampaignActionResponse> {
    await this.lifecycle.cancel(caller.accountId, campaignId);
    return this.cancelled(campaignId, caller);
  }

  cancelled(campaignId: RecordId, caller: Caller): Promise<CampaignActionResponse> {
    return this.acted(campaignId, caller, 'Campaign cancelled');
  }

  @Post(':campaign_id/pause')
  @Idempotent({ recover: 'paused' })
  @HttpCode(200)
  @RequiresScope('campaigns:write')
  @ApiOperation({ summary: 'Pause a running campaign', description: 'It stays `running` with `paused` true.' })
  @ApiOkResponse({ type: CampaignActionResponse })
  @ApiBadRequestResponse({ description: 'The campaign is not running, or paused already' })
  @ApiNotFoundResponse()
  async pause(
    @CurrentCaller() caller: Caller,
    @Param('campaign_id', RecordIdPipe) campaignId: string,
  ): Promise<CampaignActionResponse> {
    await this.lifecycle.pause(caller.accountId, campaignId);
    return this.paused(campaignId, caller);
  }

  paused(campaignId: RecordId, caller: Caller): Promise<CampaignActionResponse> {
    return this.acted(campaignId, caller, 'Campaign paused');
  }

  @Post(':campaign_id/resume')
  @Idempotent({ recover: 'resumed' })
  @HttpCode(200)
  @RequiresScope('campaigns:write')
  @ApiOperation({
    summary: 'Resume a campaign that is paused or has failed',
    description: 'One that has failed is checked as by send, and its credits are reserved again.',
  })
  @ApiOkResponse({ type: CampaignActionResponse })
  @ApiBadRequestResponse({ description: 'The campaign is in another state, a check failed, or credits are lacking' })
  @ApiNotFoundResponse()
  async resume(
    @CurrentCaller() caller: Caller,
    @Param('campaign_id', RecordIdPipe) campaignId: string,
  ): Promise<CampaignActionResponse> {
    await this.lifecycle.resume(caller.accountId, campaignId);
    return this.resumed(campaignId, caller);
  }

  resumed(campaignId: RecordId, caller: Caller): Promise<CampaignActionResponse> {
    return this.acted(campaignId, caller, 'Campaign resumed');
  }

  @Post(':campaign_id/retry-failed')
  @Idempotent({ recover: 'retried' })
  @HttpCode(200)
  @RequiresScope('campaigns:write')
  @ApiOperation({
    summary: 'Send once more to failed recipients',
    description:
      'Only to those who are `retryable`. The campaign must be completed or failed, and runs again; one that has failed ' +
      'goes on with its untouched recipients as well. The credits of all of them are reserved.',
  })
  @ApiOkResponse({ type: CampaignActionResponse })
  @ApiBadRequestResponse({
    description: 'The campaign is in another state, nobody is retryable, a check failed, or credits are lacking',
  })
  @ApiNotFoundResponse()
  async retryFailed(
    @CurrentCaller() caller: Caller,
    @Param('campaign_id', RecordIdPipe) campaignId: string,
  ): Promise<CampaignActionResponse> {
    await this.lifecycle.retryFailed(caller.accountId, campaignId);
    return this.retried(campaignId, caller);
  }

  retried(campaignId: RecordId, caller: Caller): Promise<CampaignActionResponse> {
    return this.acted(campaignId, caller, 'Failed recipients are sent to once more');
  }

  private async acted(campaignId: RecordId, { accountId }: Caller, message: string): Promise<CampaignActionResponse> {
    return CampaignActionResponse.from(await this.campaigns.getWithCounts(accountId, campaignId), message);
  }
}
