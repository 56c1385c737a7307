import { ApiProperty } from '@nestjs/swagger';
import type { PageQuery } from '../../http/page.dto.js';
import { PagedResponse, SuccessResponse } from '../../http/responses.dto.js';
import { now } from '../../values/clock.js';
import type { Paged } from '../../values/page.js';
import { WebhookRecord } from '../endpoint-record.js';
import type { RecentDeliveries } from '../endpoints/endpoint-traffic.queries.js';
import type { WebhookEndpoint } from '../webhook-endpoint.entity.js';
import type { EndpointOverview } from '../webhooks.service.js';
import { ReplayRecord } from './replay.dto.js';

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

  static from(paged: Paged<WebhookEndpoint>, query: PageQuery): WebhooksResponse {
    return {
      status: 'success',
      webhooks: paged.rows.map((endpoint) => WebhookRecord.from(endpoint)),
      ...PagedResponse.paging(paged, query),
    };
  }
}
