import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { Environment } from '../config/environment.js';
import { JobQueue } from './job-queue.js';
import { JobRegistry } from './job-registry.js';
import { QUEUE_NAMES } from './jobs.js';
import type { QueueBackend } from './queue-backend.js';
import { CampaignsProcessor, WebhooksProcessor } from './queue-processors.js';

/** Job queues on the backend that the environment chooses; processors run in worker processes alone. */
@Global()
@Module({})
export class QueuesModule {
  static register({ roles }: Environment, backend: QueueBackend): DynamicModule {
    BullModule.queueClass = backend.queueClass;
    BullModule.workerClass = backend.workerClass;
    BullModule.flowProducerClass = backend.flowProducerClass;
    return {
      module: QueuesModule,
      imports: [
        DiscoveryModule,
        BullModule.forRoot({ connection: backend.connection as never }),
        BullModule.registerQueue(...QUEUE_NAMES.map((name) => ({ name }))),
      ],
      providers: [JobQueue, ...(roles.has('worker') ? [JobRegistry, CampaignsProcessor, WebhooksProcessor] : [])],
      exports: [JobQueue],
    };
  }
}
