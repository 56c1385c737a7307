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
import { AcceptsBody, MIB } from '../http/accepted-body.js';
import { RecordIdPipe } from '../http/record-id.pipe.js';
import { Idempotent } from '../idempotency/idempotent.decorator.js';
import { now } from '../values/clock.js';
import { readCountry } from '../values/numbering-plans.js';
import type { RecordId } from '../values/record-id.js';
import { DEFAULT_MAX_FAILURE_PERCENT } from './campaign.js';
import { CampaignsService } from './campaigns.service.js';
import { CampaignControlService } from './control/campaign-control.service.js';
import {
  CampaignActionResponse,
  CampaignListResponse,
  CampaignResponse,
  CampaignsQuery,
} from './dto/campaign-record.dto.js';
import { CampaignStatsResponse, SendCampaignResponse } from './dto/campaign-responses.dto.js';
import { CreateCampaignRequest, CreateCampaignResponse } from './dto/create-campaign.dto.js';
import { RetryFailedRequest } from './dto/retry-failed.dto.js';

/** Routes for campaigns: create, read, send, cancel, pause, resume, retry. */
@ApiTags('campaigns')
@Controller('api/v1/campaigns')
export class CampaignsController {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly control: CampaignControlService,
  ) {}

  @Post()
  @Idempotent({ recover: 'created' })
  @HttpCode(200)
  @RequiresScope('campaigns:write')
  @AcceptsBody({ limit: 4 * MIB, longList: 'contacts' })
  @ApiOperation({ summary: 'Create a campaign' })
  @ApiOkResponse({ type: CreateCampaignResponse })
  @ApiNotFoundResponse({ description: 'Some groups or the template are unknown; the message names them' })
  async create(@CurrentCaller() caller: Caller, @Body() body: CreateCampaignRequest): Promise<CreateCampaignResponse> {
    const created = await this.campaigns.create(caller, {
      name: body.name,
      description: body.description ?? null,
      templateName: body.template_name,
      templateLanguage: body.template_language ?? null,
      recipients: await body.toRecipients(),
      defaultCountry: readCountry(body.default_country),
      groupIds: body.group_ids ?? [],
      wabaPhoneId: body.waba_phone_id ?? null,
      scheduledAt: body.scheduled_at ?? null,
      scheduledTimezone: body.scheduled_timezone ?? null,
      content: body.toContent(),
      sendWindow: body.send_window ?? null,
      sendBefore: body.send_before ?? null,
      maxFailurePercent: body.max_failure_percent ?? DEFAULT_MAX_FAILURE_PERCENT,
    });
    return CreateCampaignResponse.from(created, created.invalidPhones);
  }

  async created(
    campaignId: RecordId,
    { accountId }: Caller,
    body: CreateCampaignRequest,
  ): Promise<CreateCampaignResponse> {
    const created = await this.campaigns.recoverCreated(
      accountId,
      campaignId,
      await body.toRecipients(),
      readCountry(body.default_country),
    );
    return CreateCampaignResponse.from(created, created.invalidPhones);
  }

  @Post(':campaign_id/send')
  @Idempotent({ recover: 'started' })
  @HttpCode(202)
  // Suspended accounts get past the guard: the service rejects them itself, with a 400.
  @RequiresScope('campaigns:write', { whileSuspended: true })
  @ApiOperation({ summary: 'Send a draft campaign' })
  @ApiResponse({ status: 202, type: SendCampaignResponse })
  async send(
    @CurrentCaller() caller: Caller,
    @Param('campaign_id', RecordIdPipe) campaignId: string,
  ): Promise<SendCampaignResponse> {
    const taskId = await this.control.send(caller, campaignId);
    return SendCampaignResponse.from(campaignId, taskId, now());
  }

  /** Wakes the workers again: the first process may have died before it did. Waking them twice is harmless. */
  async started(campaignId: RecordId, { accountId }: Caller): Promise<SendCampaignResponse> {
    return SendCampaignResponse.from(campaignId, await this.control.wake(accountId, campaignId), now());
  }

  @Get(':campaign_id/stats')
  @RequiresScope('campaigns:read')
  @ApiOperation({ summary: 'Get a campaign’s statistics' })
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
    return CampaignListResponse.from(await this.campaigns.list(accountId, query.toFilter(), query), query);
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
    return CampaignResponse.from(await this.campaigns.getWithPace(accountId, campaignId));
  }

  @Post(':campaign_id/cancel')
  @Idempotent({ recover: 'cancelled' })
  @HttpCode(200)
  @RequiresScope('campaigns:write')
  @ApiOperation({
    summary: 'Cancel a campaign',
    description:
      'Cancels a draft, scheduled or running campaign permanently. Credits of unsent recipients are refunded.',
  })
  @ApiOkResponse({ type: CampaignActionResponse })
  @ApiBadRequestResponse({ description: 'The campaign has already ended' })
  @ApiNotFoundResponse()
  async cancel(
    @CurrentCaller() caller: Caller,
    @Param('campaign_id', RecordIdPipe) campaignId: string,
  ): Promise<CampaignActionResponse> {
    await this.control.cancel(caller.accountId, campaignId);
    return this.cancelled(campaignId, caller);
  }

  cancelled(campaignId: RecordId, caller: Caller): Promise<CampaignActionResponse> {
    return this.actionResponse(campaignId, caller, 'Campaign cancelled');
  }

  @Post(':campaign_id/pause')
  @Idempotent({ recover: 'paused' })
  @HttpCode(200)
  @RequiresScope('campaigns:write')
  @ApiOperation({
    summary: 'Pause a running campaign',
    description: 'Its status stays `running`, and `paused` becomes true.',
  })
  @ApiOkResponse({ type: CampaignActionResponse })
  @ApiBadRequestResponse({ description: 'The campaign is not running, or is already paused' })
  @ApiNotFoundResponse()
  async pause(
    @CurrentCaller() caller: Caller,
    @Param('campaign_id', RecordIdPipe) campaignId: string,
  ): Promise<CampaignActionResponse> {
    await this.control.pause(caller, campaignId);
    return this.paused(campaignId, caller);
  }

  paused(campaignId: RecordId, caller: Caller): Promise<CampaignActionResponse> {
    return this.actionResponse(campaignId, caller, 'Campaign paused');
  }

  @Post(':campaign_id/resume')
  @Idempotent({ recover: 'resumed' })
  @HttpCode(200)
  @RequiresScope('campaigns:write')
  @ApiOperation({
    summary: 'Resume a paused or failed campaign',
    description: 'A failed campaign must pass the same checks as when it was sent, and its credits are reserved again.',
  })
  @ApiOkResponse({ type: CampaignActionResponse })
  @ApiBadRequestResponse({
    description: 'The campaign is neither paused nor failed, a check failed, or the wallet has too few credits',
  })
  @ApiNotFoundResponse()
  async resume(
    @CurrentCaller() caller: Caller,
    @Param('campaign_id', RecordIdPipe) campaignId: string,
  ): Promise<CampaignActionResponse> {
    await this.control.resume(caller.accountId, campaignId);
    return this.resumed(campaignId, caller);
  }

  resumed(campaignId: RecordId, caller: Caller): Promise<CampaignActionResponse> {
    return this.actionResponse(campaignId, caller, 'Campaign resumed');
  }

  @Post(':campaign_id/retry-failed')
  @Idempotent({ recover: 'retried' })
  @HttpCode(200)
  @RequiresScope('campaigns:write')
  @ApiOperation({
    summary: 'Retry failed recipients',
    description:
      'Runs a completed or failed campaign again for its `retryable` recipients. A failed campaign also continues ' +
      'with the recipients it had not reached. Credits are reserved for all of them. Recipients of an AUTHENTICATION ' +
      'template cannot be retried, because one-time codes are not kept. Who failed with 131049 (too much marketing) is ' +
      'retried only with `include`, once, and not before 24 hours have passed: the network punishes more.',
  })
  @ApiOkResponse({ type: CampaignActionResponse })
  @ApiBadRequestResponse({
    description:
      'The campaign is neither completed nor failed, no recipient is retryable, `error_codes` names a code that is not, ' +
      'a check failed, or the wallet has too few credits',
  })
  @ApiNotFoundResponse()
  async retryFailed(
    @CurrentCaller() caller: Caller,
    @Param('campaign_id', RecordIdPipe) campaignId: string,
    @Body() body: RetryFailedRequest,
  ): Promise<CampaignActionResponse> {
    await this.control.retryFailed(caller.accountId, campaignId, body.toChoice());
    return this.retried(campaignId, caller);
  }

  retried(campaignId: RecordId, caller: Caller): Promise<CampaignActionResponse> {
    return this.actionResponse(campaignId, caller, 'Retrying failed recipients');
  }

  private async actionResponse(
    campaignId: RecordId,
    { accountId }: Caller,
    message: string,
  ): Promise<CampaignActionResponse> {
    return CampaignActionResponse.from(await this.campaigns.getWithCounts(accountId, campaignId), message);
  }
}
