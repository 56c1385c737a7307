import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { JobQueue } from './job-queue.js';
import { QUEUE_NAMES } from './jobs.js';
import type { QueueBackend } from './queue-backend.js';

/** Job queues on the configured backend. Each module provides the processor of its own queue. */
@Global()
@Module({})
export class QueuesModule {
  static register(backend: QueueBackend): DynamicModule {
    BullModule.queueClass = backend.queueClass;
    BullModule.workerClass = backend.workerClass;
    BullModule.flowProducerClass = backend.flowProducerClass;
    return {
      module: QueuesModule,
      imports: [
        BullModule.forRoot({ connection: backend.connection as never }),
        BullModule.registerQueue(...QUEUE_NAMES.map((name) => ({ name }))),
      ],
      providers: [JobQueue],
      exports: [JobQueue],
    };
  }
}
