import { ApiProperty } from '@nestjs/swagger';
import { EVENT_KINDS, type EventKind } from '../../outbox/event.js';
import type { Page, Paged } from '../../values/page.js';
import { ENDPOINT_STATUSES, type EndpointStatus, type WebhookEndpoint } from '../webhook-endpoint.entity.js';

/** A webhook endpoint as the API shows it; its secret is never shown. */
export class WebhookRecord {
  @ApiProperty() id: string;
  @ApiProperty() url: string;
  @ApiProperty({ enum: EVENT_KINDS, isArray: true }) subscribed_events: EventKind[];
  @ApiProperty() retry_count: number;
  @ApiProperty({ description: 'Seconds' }) timeout: number;
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

/** Answer to a GET of one endpoint. */
export class WebhookResponse {
  @ApiProperty({ enum: ['success'] }) status: 'success';
  @ApiProperty({ type: WebhookRecord }) webhook: WebhookRecord;

  static from(endpoint: WebhookEndpoint): WebhookResponse {
    return { status: 'success', webhook: WebhookRecord.from(endpoint) };
  }
}

/** Answer to what makes or changes an endpoint. */
export class WebhookActionResponse extends WebhookResponse {
  @ApiProperty() message: string;

  static told(message: string, endpoint: WebhookEndpoint): WebhookActionResponse {
    return { status: 'success', message, webhook: WebhookRecord.from(endpoint) };
  }
}

/** Answer to a DELETE. */
export class WebhookDeletedResponse {
  @ApiProperty({ enum: ['success'] }) status: 'success';
  @ApiProperty() message: string;
  @ApiProperty() webhook_id: string;

  static from(webhookId: string): WebhookDeletedResponse {
    return { status: 'success', message: 'Webhook deleted', webhook_id: webhookId };
  }
}

/** One page of endpoints. */
export class WebhooksResponse {
  @ApiProperty({ enum: ['success'] }) status: 'success';
  @ApiProperty({ type: [WebhookRecord] }) webhooks: WebhookRecord[];
  @ApiProperty() total: number;
  @ApiProperty() page: number;
  @ApiProperty() limit: number;

  static from({ rows, total }: Paged<WebhookEndpoint>, { page, limit }: Page): WebhooksResponse {
    return { status: 'success', webhooks: rows.map((endpoint) => WebhookRecord.from(endpoint)), total, page, limit };
  }
}
