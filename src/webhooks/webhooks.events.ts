import { ApiProperty } from '@nestjs/swagger';
import { type EventClass, eventBody } from '../manifest/event-manifest.js';
import { type DomainEvent, domainEvent } from '../outbox/event.js';
import { WebhookRecord } from './endpoint-record.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';

class WebhookDisabledEvent extends eventBody('webhook.disabled', {
  when: 'A webhook was disabled; only for webhooks that subscribe to this event or to `*`',
}) {
  @ApiProperty() readonly webhook: WebhookRecord;
  @ApiProperty({
    type: [String],
    description: 'The fields of the record that have changed',
    example: ['status', 'disabled_reason'],
  })
  readonly changed: string[];

  constructor(endpoint: WebhookEndpoint, at: Date) {
    super(at);
    this.webhook = WebhookRecord.from(endpoint);
    this.changed = ['status', 'disabled_reason'];
  }
}

/** Tells the account's other endpoints that this one was disabled. */
export const disabledEvent = (endpoint: WebhookEndpoint, at: Date): DomainEvent =>
  domainEvent({ accountId: endpoint.accountId, contactId: null }, new WebhookDisabledEvent(endpoint, at), at);

/** Sent on request, by `POST …/test`. */
export class WebhookTestEvent extends eventBody('webhook.test', {
  when: 'A test event was asked for',
  reach: 'direct',
}) {}

/** Events of endpoints. */
export const WEBHOOK_EVENTS: readonly EventClass[] = [WebhookDisabledEvent, WebhookTestEvent];
