import { type DynamicModule, Module } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { EventFanout } from '../outbox/event-fanout.js';
import { OutboxListener } from '../outbox/outbox-listener.js';
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
import { ReplaySweep } from './log/replay.sweep.js';
import { WebhookDeliveriesController } from './log/webhook-deliveries.controller.js';
import { WebhookDeliveriesService } from './log/webhook-deliveries.service.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksProcessor } from './webhooks.processor.js';
import { WebhooksService } from './webhooks.service.js';

/**
 * Providers for delivery, in worker processes only. The outbox relay is among them because webhooks are where events
 * go.
 */
const DELIVERY = [
  { provide: EventFanout, useClass: WebhookFanout },
  OutboxListener,
  OutboxRelay,
  WebhooksProcessor,
  DeliveryPool,
  DueDeliveriesService,
  DeliverySender,
  DeliveryClient,
  AttemptRecorder,
  DeliverySweep,
  ReplaySweep,
  DeletedEndpointsSweep,
];

/** Webhook endpoints and the delivery of events to them. */
@Module({})
export class WebhooksModule {
  static register({ roles }: Environment): DynamicModule {
    return {
      module: WebhooksModule,
      controllers: [WebhooksController, WebhookDeliveriesController],
      providers: [WebhooksService, WebhookDeliveriesService, DrainQueue, ...(roles.has('worker') ? DELIVERY : [])],
    };
  }
}
