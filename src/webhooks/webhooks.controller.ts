import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequiresScope } from '../auth/scopes.js';
import { PageQuery } from '../http/page.dto.js';
import { RecordIdPipe } from '../http/record-id.pipe.js';
import { Idempotent } from '../idempotency/idempotent.decorator.js';
import { Manifest } from '../manifest/manifest.js';
import type { RecordId } from '../values/record-id.js';
import { CreateWebhookRequest } from './dto/create-webhook.dto.js';
import { RotateSecretRequest, RotateSecretResponse } from './dto/rotate-secret.dto.js';
import { UpdateWebhookRequest } from './dto/update-webhook.dto.js';
import { WebhookActionResponse, WebhookDeletedResponse, WebhookResponse, WebhooksResponse } from './dto/webhook.dto.js';
import { WebhooksService } from './webhooks.service.js';

const READS = 'the read scope of what each subscribed event carries (`messages:read`, `conversations:read`, …)';
const READS_PENDING = `${READS}, and of what is still to be sent`;

/** Routes for the account's webhook endpoints. */
@ApiTags('webhooks')
@Controller('api/v1/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly manifest: Manifest,
  ) {}

  @Get()
  @RequiresScope('webhooks:read')
  @ApiOperation({ summary: 'List webhook endpoints, newest first' })
  @ApiOkResponse({ type: WebhooksResponse })
  async list(@CurrentCaller() caller: Caller, @Query() page: PageQuery): Promise<WebhooksResponse> {
    return WebhooksResponse.from(await this.webhooks.list(caller.accountId, page), page);
  }

  @Post()
  @Idempotent({ recover: 'created' })
  @RequiresScope('webhooks:write')
  @ApiOperation({
    summary: 'Register a webhook endpoint',
    description: `The key needs ${READS}. So does one that names no events: they are the eleven usual ones.`,
  })
  @ApiCreatedResponse({ type: WebhookActionResponse })
  @ApiConflictResponse({ description: 'The account has the maximum number of webhooks, or one with this URL' })
  async create(@CurrentCaller() caller: Caller, @Body() body: CreateWebhookRequest): Promise<WebhookActionResponse> {
    return WebhookActionResponse.from(
      'Webhook created',
      await this.webhooks.register(caller, body.settings(this.manifest)),
    );
  }

  async created(webhookId: RecordId, { accountId }: Caller): Promise<WebhookActionResponse> {
    return WebhookActionResponse.from('Webhook created', await this.webhooks.find(accountId, webhookId));
  }

  @Get(':webhook_id')
  @RequiresScope('webhooks:read')
  @ApiOperation({ summary: 'Get a webhook endpoint and its statistics for the last hour' })
  @ApiOkResponse({ type: WebhookResponse })
  async get(
    @CurrentCaller() caller: Caller,
    @Param('webhook_id', RecordIdPipe) webhookId: string,
  ): Promise<WebhookResponse> {
    return WebhookResponse.from(await this.webhooks.overview(caller.accountId, webhookId));
  }

  @Patch(':webhook_id')
  @RequiresScope('webhooks:write')
  @ApiOperation({
    summary: 'Update, disable or enable a webhook endpoint',
    description: `The key needs ${READS_PENDING}, before and after the change, unless it only disables the endpoint.`,
  })
  @ApiOkResponse({ type: WebhookActionResponse })
  @ApiConflictResponse({ description: 'Another webhook of the account has this URL' })
  async change(
    @CurrentCaller() caller: Caller,
    @Param('webhook_id', RecordIdPipe) webhookId: string,
    @Body() body: UpdateWebhookRequest,
  ): Promise<WebhookActionResponse> {
    const endpoint = await this.webhooks.change(caller, webhookId, body.settings(this.manifest));
    return WebhookActionResponse.from('Webhook updated', endpoint);
  }

  @Post(':webhook_id/rotate-secret')
  @Idempotent({ recover: 'rotated' })
  @HttpCode(200)
  @RequiresScope('webhooks:write')
  @ApiOperation({
    summary: 'Rotate a webhook endpoint’s secret',
    description:
      'From the next attempt on, `X-Webhook-Signature` uses the new secret. `webhook-signature` has a signature with ' +
      'the new secret and with each one that was replaced in the last 24 hours, at most five together. Rotating to the ' +
      `present secret changes nothing. The key needs ${READS_PENDING}.`,
  })
  @ApiOkResponse({ type: RotateSecretResponse })
  @ApiNotFoundResponse()
  @ApiConflictResponse({ description: 'Five secrets of the webhook sign already' })
  async rotateSecret(
    @CurrentCaller() caller: Caller,
    @Param('webhook_id', RecordIdPipe) webhookId: string,
    @Body() body: RotateSecretRequest,
  ): Promise<RotateSecretResponse> {
    const rotated = await this.webhooks.rotateSecret(caller, webhookId, body.secret ?? null);
    return RotateSecretResponse.rotated(rotated);
  }

  async rotated(webhookId: RecordId, { accountId }: Caller): Promise<RotateSecretResponse> {
    return RotateSecretResponse.rotated(await this.webhooks.rotatedSecret(accountId, webhookId));
  }

  @Delete(':webhook_id')
  @RequiresScope('webhooks:write')
  @ApiOperation({ summary: 'Delete a webhook endpoint and its pending deliveries' })
  @ApiOkResponse({ type: WebhookDeletedResponse })
  async delete(
    @CurrentCaller() caller: Caller,
    @Param('webhook_id', RecordIdPipe) webhookId: string,
  ): Promise<WebhookDeletedResponse> {
    await this.webhooks.remove(caller.accountId, webhookId);
    return WebhookDeletedResponse.from(webhookId);
  }
}
