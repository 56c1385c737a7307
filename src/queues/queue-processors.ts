import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import type { Job, WorkerOptions } from 'bullmq';
import { JobRegistry } from './job-registry.js';

/**
 * How workers hold jobs: a killed worker's job is found within 5 s, however often it happens, and is never given up
 * (the tables say what is left to do).
 */
const HOLDING: Omit<WorkerOptions, 'connection'> = {
  lockDuration: 5000,
  stalledInterval: 5000,
  maxStalledCount: 1_000_000,
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 1000 },
};

/** Works one queue; what a job does is its handler's business. */
abstract class QueueProcessor extends WorkerHost implements BeforeApplicationShutdown {
  private readonly logger = new Logger(this.constructor.name);

  constructor(private readonly registry: JobRegistry) {
    super();
  }

  async process(job: Job): Promise<void> {
    try {
      await this.registry.run(job.name, job.data);
    } catch (error) {
      this.logger.error(
        `${job.name} ${JSON.stringify(job.data)} failed`,
        (error as Error).stack,
        this.constructor.name,
      );
      throw error;
    }
  }

  /** It reconnects by itself; without a listener it would write whole stacks to stderr. */
  @OnWorkerEvent('error')
  logLostConnection(error: Error): void {
    this.logger.warn(`the queue is out of reach: ${error.message}`);
  }

  /** Takes no more jobs and waits for those under way, before anything they need is closed. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.worker.close();
  }
}

@Processor('campaigns', { ...HOLDING, concurrency: 4 })
export class CampaignsProcessor extends QueueProcessor {
  constructor(registry: JobRegistry) {
    super(registry);
  }
}

@Processor('webhooks', { ...HOLDING, concurrency: 16 })
export class WebhooksProcessor extends QueueProcessor {
  constructor(registry: JobRegistry) {
    super(registry);
  }
}
