import { ApiProperty } from '@nestjs/swagger';
import { isAbsent, OneOf, Optional, Text, WholeNumber } from '../../http/field-rules.js';
import type { Manifest } from '../../manifest/manifest.js';
import { normalHeaders } from '../endpoints/endpoint-headers.js';
import { type EndpointSettings, namedEvents, RETRY_COUNT, TIMEOUT } from '../endpoints/endpoint-rules.js';
import { ENDPOINT_STATUSES, type EndpointStatus } from '../webhook-endpoint.entity.js';
import {
  EndpointHeaders,
  EventNames,
  MAX_GIVEN_URL,
  SigningSecret,
  SUBSCRIPTIONS_DESCRIPTION,
} from './webhook-fields.js';

/** Body of `PATCH /api/v1/webhooks/{id}`; absent fields stay unchanged. */
export class UpdateWebhookRequest {
  @ApiProperty({ description: 'A public https URL; its canonical spelling is kept, of at most 2,048 bytes' })
  @Optional()
  @Text({ max: MAX_GIVEN_URL })
  url?: string | null;

  @ApiProperty({
    description: 'Replaces the secret immediately, without the overlap of a rotation. Null: deliveries are not signed',
  })
  @Optional()
  @SigningSecret()
  secret?: string | null;

  @ApiProperty({ description: SUBSCRIPTIONS_DESCRIPTION })
  @Optional()
  @EventNames()
  subscribed_events?: string[] | null;

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

  @ApiProperty({
    description: 'Replaces all headers. Null or an empty object: none. Needed again with a `url` of another origin',
    example: { authorization: 'Bearer 2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d' },
  })
  @Optional()
  @EndpointHeaders()
  headers?: Record<string, string> | null;

  /** @throws DomainError `bad_request` for an unknown event */
  settings(manifest: Manifest): EndpointSettings {
    const events = this.subscribed_events;
    return {
      url: this.url ?? undefined,
      secret: this.secret,
      headers: this.headers === undefined ? undefined : normalHeaders(this.headers ?? {}),
      subscribedEvents: isAbsent(events)
        ? undefined
        : (namedEvents('subscribed_events', events, manifest) ?? manifest.usualEvents),
      retryCount: this.retry_count ?? undefined,
      timeout: this.timeout ?? undefined,
      status: this.status ?? undefined,
    };
  }
}
