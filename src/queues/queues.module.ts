import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Manifest } from '../manifest/manifest.js';
import { JobQueue } from './job-queue.js';
import type { QueueBackend } from './queue-backend.js';

/** Job queues on the configured backend. Each module provides the processor of its own queue. */
@Global()
@Module({})
export class QueuesModule {
  static register(backend: QueueBackend, { queues }: Manifest): DynamicModule {
    BullModule.queueClass = backend.queueClass;
    BullModule.workerClass = backend.workerClass;
    BullModule.flowProducerClass = backend.flowProducerClass;
    return {
      module: QueuesModule,
      imports: [
        BullModule.forRoot({ connection: backend.connection as never }),
        BullModule.registerQueue(...queues.map((name) => ({ name }))),
      ],
      providers: [JobQueue],
      exports: [JobQueue],
    };
  }
}
