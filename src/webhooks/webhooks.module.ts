import { type DynamicModule, Module } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { EventFanout } from '../outbox/event-fanout.js';
import { OutboxListener } from '../outbox/outbox-listener.js';
import { OutboxRelay } from '../outbox/outbox-relay.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { DeletedEndpointsSweep } from './deleted-endpoints.sweep.js';
import { DeliveryClient } from './delivery-client.js';
import { DeliveryPool } from './delivery-pool.js';
import { DeliverySender } from './delivery-sender.js';
import { DeliverySweep } from './delivery-sweep.js';
import { DrainQueue } from './drain-queue.js';
import { DueDeliveries } from './due-deliveries.service.js';
import { ReplaySweep } from './replay.sweep.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhookDrainHandler } from './webhook-drain.handler.js';
import { WebhookFanout } from './webhook-fanout.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

/** What delivers: in worker processes alone. The relay lives here, as this is where its events go. */
const DELIVERY = [
  { provide: EventFanout, useClass: WebhookFanout },
  OutboxListener,
  OutboxRelay,
  WebhookDrainHandler,
  DeliveryPool,
  DueDeliveries,
  DeliverySender,
  DeliveryClient,
  AttemptRecorder,
  DeliverySweep,
  ReplaySweep,
  DeletedEndpointsSweep,
];

/** Webhook endpoints, and the delivery of events to them. */
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
