import { ApiProperty } from '@nestjs/swagger';
import { AbsenceMeansMore, Optional, Text, WholeNumber } from '../../http/field-rules.js';
import type { Manifest } from '../../manifest/manifest.js';
import { normalHeaders } from '../endpoints/endpoint-headers.js';
import { type NewEndpoint, namedEvents, RETRY_COUNT, TIMEOUT } from '../endpoints/endpoint-rules.js';
import {
  EndpointHeaders,
  EventNames,
  MAX_GIVEN_URL,
  SigningSecret,
  SUBSCRIPTIONS_DESCRIPTION,
} from './webhook-fields.js';

/** Body of `POST /api/v1/webhooks/`. */
export class CreateWebhookRequest {
  @ApiProperty({
    example: 'https://example.com/webhooks',
    description: 'A public https URL; its canonical spelling is kept, of at most 2,048 bytes',
  })
  @Text({ max: MAX_GIVEN_URL })
  url: string;

  @ApiProperty({ description: 'Signs deliveries. Write-only' })
  @AbsenceMeansMore()
  @Optional()
  @SigningSecret()
  secret?: string | null;

  @ApiProperty({ description: SUBSCRIPTIONS_DESCRIPTION })
  @AbsenceMeansMore()
  @Optional()
  @EventNames()
  subscribed_events?: string[] | null;

  @ApiProperty({ default: RETRY_COUNT.default })
  @Optional()
  @WholeNumber(RETRY_COUNT.min, RETRY_COUNT.max)
  retry_count?: number | null;

  @ApiProperty({ default: TIMEOUT.default, description: 'Seconds' })
  @Optional()
  @WholeNumber(TIMEOUT.min, TIMEOUT.max)
  timeout?: number | null;

  @ApiProperty({
    description: 'Sent with every delivery besides Parley’s own, for receivers that ask for a login. Write-only',
    example: { authorization: 'Bearer 2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d' },
  })
  @Optional()
  @EndpointHeaders()
  headers?: Record<string, string> | null;

  /** @throws DomainError `bad_request` for an unknown event */
  settings(manifest: Manifest): NewEndpoint {
    return {
      url: this.url,
      secret: this.secret ?? null,
      headers: normalHeaders(this.headers ?? {}),
      subscribedEvents: namedEvents('subscribed_events', this.subscribed_events, manifest) ?? manifest.usualEvents,
      retryCount: this.retry_count ?? undefined,
      timeout: this.timeout ?? undefined,
    };
  }
}
