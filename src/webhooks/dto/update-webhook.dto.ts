import { ApiProperty } from '@nestjs/swagger';
import { MAX_URL_CHARACTERS } from '../../egress/url-rules.js';
import { OneOf, Optional, Text, WholeNumber } from '../../http/field-rules.js';
import { type EventKind } from '../../outbox/event.js';
import { type EndpointSettings, RETRY_COUNT, TIMEOUT } from '../endpoints/endpoint-rules.js';
import { ENDPOINT_STATUSES, type EndpointStatus } from '../webhook-endpoint.entity.js';
import { EventNames, SigningSecret } from './webhook-fields.js';

/** Body of `PATCH /api/v1/webhooks/{id}`; absent fields stay unchanged. */
export class UpdateWebhookRequest {
  @ApiProperty({ description: 'A public https URL' })
  @Optional()
  @Text({ max: MAX_URL_CHARACTERS })
  url?: string | null;

  @ApiProperty({
    description: 'Replaces the secret immediately, without the overlap of a rotation. Null: deliveries are not signed',
  })
  @Optional()
  @SigningSecret()
  secret?: string | null;

  @Optional()
  @EventNames()
  subscribed_events?: EventKind[] | null;

  @Optional()
  @WholeNumber(RETRY_COUNT.min, RETRY_COUNT.max)
  retry_count?: number | null;

  @ApiProperty({ description: 'Seconds' })
  @Optional()
  @WholeNumber(TIMEOUT.min, TIMEOUT.max)
  timeout?: number | null;

  @ApiProperty({ description: 'While an endpoint is disabled, its deliveries stay pending' })
  @Optional()
  @OneOf(ENDPOINT_STATUSES)
  status?: EndpointStatus | null;

  settings(): EndpointSettings {
    return {
      url: this.url ?? undefined,
      secret: this.secret,
      subscribedEvents: this.subscribed_events ?? undefined,
      retryCount: this.retry_count ?? undefined,
      timeout: this.timeout ?? undefined,
      status: this.status ?? undefined,
    };
  }
}
