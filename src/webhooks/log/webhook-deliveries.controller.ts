import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
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
import { RecordIdPipe } from '../../http/record-id.pipe.js';
import { Idempotent } from '../../idempotency/idempotent.decorator.js';
import { Manifest } from '../../manifest/manifest.js';
import type { RecordId } from '../../values/record-id.js';
import { DeliveriesQuery } from '../dto/deliveries.query.js';
import { DeliveriesResponse, DeliveryActionResponse } from '../dto/delivery.dto.js';
import { ReplayRequest, ReplayResponse } from '../dto/replay.dto.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';

/** Routes for an endpoint's deliveries: list, test, redeliver, replay and its end. */
@ApiTags('webhooks')
@Controller('api/v1/webhooks/:webhook_id')
export class WebhookDeliveriesController {
  constructor(
    private readonly deliveries: WebhookDeliveriesService,
    private readonly manifest: Manifest,
  ) {}

  @Get('deliveries')
  @RequiresScope('webhooks:read')
  @ApiOperation({
    summary: 'List an endpoint’s deliveries with their attempts, newest first',
    description:
      'Without the read scope of what an event carries, `response` of its attempts is null: receivers may repeat it.',
  })
  @ApiOkResponse({ type: DeliveriesResponse })
  @ApiNotFoundResponse()
  async listDeliveries(
    @CurrentCaller() caller: Caller,
    @Param('webhook_id', RecordIdPipe) webhookId: string,
    @Query() query: DeliveriesQuery,
  ): Promise<DeliveriesResponse> {
    return DeliveriesResponse.from(
      await this.deliveries.list(caller, webhookId, query.toFilter(this.manifest), query),
      query,
    );
  }

  @Post('test')
  @Idempotent({ recover: 'tested' })
  @HttpCode(202)
  @RequiresScope('webhooks:write')
  @ApiOperation({
    summary: 'Send a test event to a webhook endpoint',
    description:
      'Sends `{"event": "webhook.test", "timestamp": …}` like any other event: signed, retried and listed among ' +
      'the deliveries. It goes only to this endpoint, whatever it is subscribed to.',
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

  async tested(deliveryId: RecordId, caller: Caller, webhookId: string): Promise<DeliveryActionResponse> {
    const delivery = await this.deliveries.find(caller, webhookId, deliveryId);
    return DeliveryActionResponse.from('Test event queued', delivery);
  }

  @Post('deliveries/:delivery_id/redeliver')
  @Idempotent({ recover: 'redelivered' })
  @HttpCode(202)
  @RequiresScope('webhooks:write')
  @ApiOperation({
    summary: 'Redeliver an event',
    description:
      'Sends the same bytes with the same `webhook-id` again, with all retries. New attempts are added to the ' +
      'existing ones. The key needs the read scope of what the event carries.',
  })
  @ApiAcceptedResponse({ type: DeliveryActionResponse })
  @ApiNotFoundResponse()
  @ApiConflictResponse({
    description: 'The delivery is still pending, its event is past its retention, or the endpoint is disabled',
  })
  async redeliver(
    @CurrentCaller() caller: Caller,
    @Param('webhook_id', RecordIdPipe) webhookId: string,
    @Param('delivery_id', RecordIdPipe) deliveryId: string,
  ): Promise<DeliveryActionResponse> {
    await this.deliveries.redeliver(caller, webhookId, deliveryId);
    return this.redelivered(deliveryId, caller, webhookId);
  }

  async redelivered(deliveryId: RecordId, caller: Caller, webhookId: string): Promise<DeliveryActionResponse> {
    const delivery = await this.deliveries.find(caller, webhookId, deliveryId);
    return DeliveryActionResponse.from('Delivery queued again', delivery);
  }

  @Post('replay')
  @Idempotent({ recover: 'replayed' })
  @HttpCode(202)
  @RequiresScope('webhooks:write')
  @ApiOperation({
    summary: 'Replay past events',
    description:
      'Delivers every event from `since` until now again, whether it was delivered or not, oldest first and with its ' +
      'original `webhook-id`. The replay runs in the background alongside new events; ' +
      '`GET /api/v1/webhooks/{webhook_id}` shows its progress. An endpoint has one replay at a time. While the ' +
      'endpoint is disabled, its replay is paused. The key needs the read scope of what each replayed event carries.',
  })
  @ApiAcceptedResponse({ type: ReplayResponse })
  @ApiBadRequestResponse({ description: '`since` is in the future, or before the retention period of events' })
  @ApiNotFoundResponse()
  @ApiConflictResponse({ description: 'A replay is already running, or the endpoint is disabled' })
  async replay(
    @CurrentCaller() caller: Caller,
    @Param('webhook_id', RecordIdPipe) webhookId: string,
    @Body() body: ReplayRequest,
  ): Promise<ReplayResponse> {
    return ReplayResponse.from(
      'Replay started',
      await this.deliveries.replay(caller, webhookId, body.sinceTime(), body.kinds(this.manifest)),
    );
  }

  async replayed(webhookId: RecordId, { accountId }: Caller): Promise<ReplayResponse> {
    return ReplayResponse.from('Replay started', await this.deliveries.lastReplay(accountId, webhookId));
  }

  @Delete('replay')
  @RequiresScope('webhooks:write')
  @ApiOperation({
    summary: 'Cancel a replay',
    description: 'It creates no further deliveries; those it has created are delivered. Another one can start.',
  })
  @ApiOkResponse({ type: ReplayResponse })
  @ApiNotFoundResponse()
  @ApiConflictResponse({ description: 'No replay is running' })
  async cancelReplay(
    @CurrentCaller() { accountId }: Caller,
    @Param('webhook_id', RecordIdPipe) webhookId: string,
  ): Promise<ReplayResponse> {
    return ReplayResponse.from('Replay cancelled', await this.deliveries.cancelReplay(accountId, webhookId));
  }
}
