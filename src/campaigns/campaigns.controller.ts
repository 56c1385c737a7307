import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequiresScope } from '../auth/scopes.js';
import { RecordIdPipe } from '../http/record-id.pipe.js';
import { AcceptsBody, MIB } from '../http/request-body.interceptor.js';
import { Idempotent } from '../idempotency/idempotent.decorator.js';
import { now } from '../values/clock.js';
import type { RecordId } from '../values/record-id.js';
import { CampaignLifecycle } from './campaign-lifecycle.service.js';
import { CampaignsService } from './campaigns.service.js';
import { CampaignStatsResponse, SendCampaignResponse } from './dto/campaign-responses.dto.js';
import { CreateCampaignRequest, CreateCampaignResponse } from './dto/create-campaign.dto.js';

/** Campaigns over HTTP. */
@ApiTags('campaigns')
@Controller('api/v1/campaigns')
export class CampaignsController {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly lifecycle: CampaignLifecycle,
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
      contacts: body.contacts,
      wabaPhoneId: body.waba_phone_id ?? null,
      content: body.toSendingInput(),
      timezone: body.scheduled_timezone ?? null,
      sendWindow: body.send_window ?? null,
      sendBefore: body.send_before ?? null,
      maxFailurePercent: body.max_failure_percent ?? null,
    });
    return CreateCampaignResponse.from(created, created.invalidPhones);
  }

  async created(
    campaignId: RecordId,
    { accountId }: Caller,
    { contacts }: CreateCampaignRequest,
  ): Promise<CreateCampaignResponse> {
    const created = await this.campaigns.created(accountId, campaignId, contacts);
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
    const { campaign, counts } = await this.campaigns.stats(caller.accountId, campaignId);
    return CampaignStatsResponse.from(campaign, counts);
  }
}
