import { ApiProperty } from '@nestjs/swagger';
import { MAX_URL_CHARACTERS } from '../../egress/url-rules.js';
import { Optional, Text, WholeNumber } from '../../http/field-rules.js';
import { type EventKind } from '../../outbox/event.js';
import { type EndpointSettings, RETRY_COUNT, TIMEOUT } from '../endpoints/endpoint-rules.js';
import { EventNames, SigningSecret } from './webhook-fields.js';

/** Body of `POST /api/v1/webhooks/`. */
export class CreateWebhookRequest {
  @ApiProperty({ example: 'https://example.com/webhooks', description: 'A public https URL' })
  @Text({ max: MAX_URL_CHARACTERS })
  url: string;

  @ApiProperty({ description: 'Signs deliveries. Write-only' })
  @Optional()
  @SigningSecret()
  secret?: string | null;

  @ApiProperty({ description: 'Default: all' })
  @Optional()
  @EventNames()
  subscribed_events?: EventKind[] | null;

  @ApiProperty({ default: RETRY_COUNT.default })
  @Optional()
  @WholeNumber(RETRY_COUNT.min, RETRY_COUNT.max)
  retry_count?: number | null;

  @ApiProperty({ default: TIMEOUT.default, description: 'Seconds' })
  @Optional()
  @WholeNumber(TIMEOUT.min, TIMEOUT.max)
  timeout?: number | null;

  settings(): EndpointSettings & { readonly url: string } {
    return {
      url: this.url,
      secret: this.secret ?? null,
      subscribedEvents: this.subscribed_events ?? undefined,
      retryCount: this.retry_count ?? undefined,
      timeout: this.timeout ?? undefined,
    };
  }
}
