import { ApiProperty } from '@nestjs/swagger';
import { PagedResponse, SuccessResponse } from '../../http/responses.dto.js';
import { EVENT_KINDS, type EventKind } from '../../outbox/event.js';
import { now } from '../../values/clock.js';
import type { Page, Paged } from '../../values/page.js';
import type { RecentDeliveries } from '../log/delivery-control.queries.js';
import { ENDPOINT_STATUSES, type EndpointStatus, type WebhookEndpoint } from '../webhook-endpoint.entity.js';
import type { EndpointOverview } from '../webhooks.service.js';
import { ReplayRecord } from './replay.dto.js';

/** A webhook endpoint in responses, without its secret. */
export class WebhookRecord {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty() url: string;
  @ApiProperty({ enum: EVENT_KINDS, isArray: true }) subscribed_events: EventKind[];
  @ApiProperty({ type: 'integer' }) retry_count: number;
  @ApiProperty({ type: 'integer', description: 'Seconds' }) timeout: number;
  @ApiProperty({ enum: ENDPOINT_STATUSES }) status: EndpointStatus;
  @ApiProperty({ type: String, nullable: true }) disabled_reason: string | null;
  @ApiProperty() has_secret: boolean;
  @ApiProperty({ format: 'date-time' }) created_at: string;

  static from(endpoint: WebhookEndpoint): WebhookRecord {
    return {
      id: endpoint.id,
      url: endpoint.url,
      subscribed_events: endpoint.subscribedEvents,
      retry_count: endpoint.retryCount,
      timeout: endpoint.timeout,
      status: endpoint.status,
      disabled_reason: endpoint.disabledReason,
      has_secret: endpoint.secret !== null,
      created_at: endpoint.createdAt.toISOString(),
    };
  }
}

/** Delivery statistics of an endpoint for the last hour. */
export class RecentDeliveriesRecord {
  @ApiProperty({ type: 'integer', description: 'Among the newest 1,000' }) delivered: number;
  @ApiProperty({ type: 'integer', description: 'Among the newest 1,000' }) failed: number;
  @ApiProperty({ type: 'integer', description: 'Among the newest 1,000' }) pending: number;
  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Delivered as a share of delivered and failed, 0 to 1; null if there are none',
    example: 0.998,
  })
  success_rate: number | null;
  @ApiProperty({
    description: 'Milliseconds by which the most overdue delivery is late; 0 if none is due',
  })
  lag_ms: number;

  static from({ delivered, failed, pending, waitsSince }: RecentDeliveries): RecentDeliveriesRecord {
    const over = delivered + failed;
    return {
      delivered,
      failed,
      pending,
      success_rate: over === 0 ? null : Math.round((delivered / over) * 10_000) / 10_000,
      lag_ms: waitsSince === null ? 0 : Math.max(0, now().getTime() - waitsSince.getTime()),
    };
  }
}

/** Response of `GET /api/v1/webhooks/{webhook_id}`. */
export class WebhookResponse extends SuccessResponse {
  @ApiProperty({ type: WebhookRecord }) webhook: WebhookRecord;
  @ApiProperty({ type: RecentDeliveriesRecord }) last_hour: RecentDeliveriesRecord;
  @ApiProperty({ type: ReplayRecord, nullable: true, description: 'The latest replay; null if there was none' })
  replay: ReplayRecord | null;

  static from({ endpoint, recent, replay }: EndpointOverview): WebhookResponse {
    return {
      status: 'success',
      webhook: WebhookRecord.from(endpoint),
      last_hour: RecentDeliveriesRecord.from(recent),
      replay: replay === null ? null : ReplayRecord.from(replay),
    };
  }
}

/** Response of the routes that create or change an endpoint. */
export class WebhookActionResponse extends SuccessResponse {
  @ApiProperty() message: string;
  @ApiProperty({ type: WebhookRecord }) webhook: WebhookRecord;

  static from(message: string, endpoint: WebhookEndpoint): WebhookActionResponse {
    return { status: 'success', message, webhook: WebhookRecord.from(endpoint) };
  }
}

/** Response of `DELETE /api/v1/webhooks/{webhook_id}`. */
export class WebhookDeletedResponse extends SuccessResponse {
  @ApiProperty() message: string;
  @ApiProperty({ format: 'uuid' }) webhook_id: string;

  static from(webhookId: string): WebhookDeletedResponse {
    return { status: 'success', message: 'Webhook deleted', webhook_id: webhookId };
  }
}

/** One page of endpoints. */
export class WebhooksResponse extends PagedResponse {
  @ApiProperty({ type: [WebhookRecord] }) webhooks: WebhookRecord[];

  static from({ rows, total }: Paged<WebhookEndpoint>, { page, limit }: Page): WebhooksResponse {
    return { status: 'success', webhooks: rows.map((endpoint) => WebhookRecord.from(endpoint)), total, page, limit };
  }
}
