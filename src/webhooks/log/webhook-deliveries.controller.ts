import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../../auth/caller.js';
import { RequiresScope } from '../../auth/scopes.js';
import { PageQuery } from '../../http/page.dto.js';
import { RecordIdPipe } from '../../http/record-id.pipe.js';
import { Idempotent } from '../../idempotency/idempotent.decorator.js';
import type { RecordId } from '../../values/record-id.js';
import { DeliveriesResponse, DeliveryActionResponse } from '../dto/delivery.dto.js';
import { ReplayRequest, ReplayResponse } from '../dto/replay.dto.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';

/** What was delivered to a webhook endpoint, and what is delivered to it on demand. */
@ApiTags('webhooks')
@Controller('api/v1/webhooks/:webhook_id')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveriesService) {}

  @Get('deliveries')
  @RequiresScope('webhooks:read')
  @ApiOperation({ summary: 'List deliveries to a webhook endpoint with their attempts, newest first' })
  @ApiOkResponse({ type: DeliveriesResponse })
  @ApiNotFoundResponse()
  async listDeliveries(
    @CurrentCaller() caller: Caller,
    @Param('webhook_id', RecordIdPipe) webhookId: string,
    @Query() page: PageQuery,
  ): Promise<DeliveriesResponse> {
    return DeliveriesResponse.from(await this.deliveries.list(caller.accountId, webhookId, page), page);
  }

  @Post('test')
  @Idempotent({ recover: 'tested' })
  @HttpCode(202)
  @RequiresScope('webhooks:write')
  @ApiOperation({
    summary: 'Send a test event to a webhook endpoint',
    description:
      'Sends `{"event": "webhook.test", "timestamp": …}` as any other event is sent: signed, retried, and shown among the ' +
      'deliveries. It goes to this endpoint alone, whatever it has subscribed to.',
  })
  @ApiAcceptedResponse({ type: DeliveryActionResponse })
  @ApiNotFoundResponse()
  @ApiConflictResponse({ description: 'The endpoint is disabled' })
  async test(
    @CurrentCaller() caller: Caller,
    @Param('webhook_id', RecordIdPipe) webhookId: string,
  ): Promise<DeliveryActionResponse> {
    return this.tested(await this.deliveries.test(caller.accountId, webhookId), caller, webhookId);
  }

  async tested(deliveryId: RecordId, { accountId }: Caller, webhookId: string): Promise<DeliveryActionResponse> {
    const delivery = await this.deliveries.find(accountId, webhookId, deliveryId);
    return DeliveryActionResponse.told('Test event queued', delivery);
  }

  @Post('deliveries/:delivery_id/redeliver')
  @Idempotent({ recover: 'redelivered' })
  @HttpCode(202)
  @RequiresScope('webhooks:write')
  @ApiOperation({
    summary: 'Make a delivery once more',
    description:
      'The same bytes under the same `webhook-id`, with all retries. Its attempts are added to those that it has already had.',
  })
  @ApiAcceptedResponse({ type: DeliveryActionResponse })
  @ApiNotFoundResponse()
  @ApiConflictResponse({
    description: 'The delivery is still pending, its event is no longer kept, or the endpoint is disabled',
  })
  async redeliver(
    @CurrentCaller() caller: Caller,
    @Param('webhook_id', RecordIdPipe) webhookId: string,
    @Param('delivery_id', RecordIdPipe) deliveryId: string,
  ): Promise<DeliveryActionResponse> {
    await this.deliveries.redeliver(caller.accountId, webhookId, deliveryId);
    return this.redelivered(deliveryId, caller, webhookId);
  }

  async redelivered(deliveryId: RecordId, { accountId }: Caller, webhookId: string): Promise<DeliveryActionResponse> {
    const delivery = await this.deliveries.find(accountId, webhookId, deliveryId);
    return DeliveryActionResponse.told('Delivery queued again', delivery);
  }

  @Post('replay')
  @Idempotent({ recover: 'replayed' })
  @HttpCode(202)
  @RequiresScope('webhooks:write')
  @ApiOperation({
    summary: 'Deliver past events once more',
    description:
      'Everything that happened from `since` until now, delivered or not, oldest first, under the `webhook-id`s that receivers ' +
      'know. It goes on in the background, beside what happens meanwhile; `GET /api/v1/webhooks/{webhook_id}` shows how far ' +
      'it has come. An endpoint has one replay at a time; while it is disabled, its replay rests.',
  })
  @ApiAcceptedResponse({ type: ReplayResponse })
  @ApiBadRequestResponse({ description: '`since` lies ahead, or before the events that are kept' })
  @ApiNotFoundResponse()
  @ApiConflictResponse({ description: 'A replay is under way, or the endpoint is disabled' })
  async replay(
    @CurrentCaller() caller: Caller,
    @Param('webhook_id', RecordIdPipe) webhookId: string,
    @Body() body: ReplayRequest,
  ): Promise<ReplayResponse> {
    const { accountId } = caller;
    return ReplayResponse.from(
      await this.deliveries.replay(accountId, webhookId, body.sinceTime(), body.events ?? null),
    );
  }

  async replayed(webhookId: RecordId, { accountId }: Caller): Promise<ReplayResponse> {
    return ReplayResponse.from(await this.deliveries.lastReplay(accountId, webhookId));
  }
}
