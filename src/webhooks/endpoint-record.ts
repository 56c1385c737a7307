import { ApiProperty } from '@nestjs/swagger';
import { declaredValues } from '../manifest/declared-values.js';
import { ENDPOINT_STATUSES, type EndpointStatus, type WebhookEndpoint } from './webhook-endpoint.entity.js';

/** A webhook endpoint in responses and events, without its secret. */
export class WebhookRecord {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty() url: string;
  @ApiProperty({
    type: Boolean,
    required: false,
    example: true,
    description: 'True if another webhook already had this URL in a different spelling; absent otherwise',
  })
  is_duplicate?: true;
  @ApiProperty({ type: 'array', items: { type: 'string', ...declaredValues('subscriptions') } })
  subscribed_events: string[];
  @ApiProperty({ type: 'integer' }) retry_count: number;
  @ApiProperty({ type: 'integer', description: 'Seconds' }) timeout: number;
  @ApiProperty({ enum: ENDPOINT_STATUSES }) status: EndpointStatus;
  @ApiProperty({ type: String, nullable: true }) disabled_reason: string | null;
  @ApiProperty() has_secret: boolean;
  @ApiProperty({
    type: [String],
    required: false,
    description: 'The names of its own headers, in lower case; absent when it has none',
    example: ['authorization'],
  })
  header_names?: string[];
  @ApiProperty({ format: 'date-time' }) created_at: string;

  static from(endpoint: WebhookEndpoint): WebhookRecord {
    return {
      id: endpoint.id,
      url: endpoint.url,
      ...(endpoint.isDuplicate && { is_duplicate: true as const }),
      subscribed_events: endpoint.subscribedEvents,
      retry_count: endpoint.retryCount,
      timeout: endpoint.timeout,
      status: endpoint.status,
      disabled_reason: endpoint.disabledReason,
      has_secret: endpoint.secret !== null,
      ...(endpoint.headerNames.length > 0 && { header_names: endpoint.headerNames }),
      created_at: endpoint.createdAt.toISOString(),
    };
  }
}
