import { Room } from '../manifest/room.js';
import { EventFanout } from '../outbox/event-fanout.js';
import { OutboxSweep } from '../outbox/outbox.sweep.js';
import { OutboxRelay } from '../outbox/outbox-relay.js';
import { AttemptRecorder } from './delivery/attempt-recorder.js';
import { DeliverySweep } from './delivery/delivery.sweep.js';
import { DeliveryClient } from './delivery/delivery-client.js';
import { DeliveryPool } from './delivery/delivery-pool.js';
import { DeliverySender } from './delivery/delivery-sender.js';
import { DrainQueue } from './delivery/drain-queue.js';
import { DueDeliveriesService } from './delivery/due-deliveries.service.js';
import { WebhookFanout } from './delivery/webhook-fanout.js';
import { DeletedEndpointsSweep } from './endpoints/deleted-endpoints.sweep.js';
import { EndpointChecks } from './endpoints/endpoint-checks.js';
import { EndpointHealthService } from './endpoints/endpoint-health.service.js';
import { ReplaySweep } from './log/replay.sweep.js';
import { WebhookDeliveriesController } from './log/webhook-deliveries.controller.js';
import { WebhookDeliveriesService } from './log/webhook-deliveries.service.js';
import { WebhookAttempt } from './webhook-attempt.entity.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { WebhookReplay } from './webhook-replay.entity.js';
import { WebhooksController } from './webhooks.controller.js';
import { WEBHOOK_EVENTS } from './webhooks.events.js';
import { WEBHOOKS_EXAMPLES } from './webhooks.examples.js';
import { WEBHOOK_DRAIN } from './webhooks.jobs.js';
import { WebhooksProcessor } from './webhooks.processor.js';
import { WebhooksService } from './webhooks.service.js';

/**
 * Providers for delivery, in worker processes only. The outbox relay is among them because webhooks are where events
 * go.
 */
const DELIVERY = [
  { provide: EventFanout, useClass: WebhookFanout },
  OutboxRelay,
  OutboxSweep,
  WebhooksProcessor,
  DeliveryPool,
  DueDeliveriesService,
  DeliverySender,
  DeliveryClient,
  AttemptRecorder,
  EndpointHealthService,
  DeliverySweep,
  ReplaySweep,
  DeletedEndpointsSweep,
];

/** Webhook endpoints and the delivery of events to them. */
@Room({
  areas: ['webhooks'],
  tags: [
    ['webhooks', 'Endpoints that receive events'],
    ['events', 'What those endpoints receive'],
  ],
  examples: WEBHOOKS_EXAMPLES,
  entities: [WebhookAttempt, WebhookDelivery, WebhookEndpoint, WebhookReplay],
  personalData: { covered: ['webhook_attempts'] },
  jobs: [WEBHOOK_DRAIN],
  events: WEBHOOK_EVENTS,
  controllers: [WebhooksController, WebhookDeliveriesController],
  providers: [WebhooksService, WebhookDeliveriesService, EndpointChecks, DrainQueue],
  worker: DELIVERY,
})
export class WebhooksModule {}
