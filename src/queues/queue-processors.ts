import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import type { Job, WorkerOptions } from 'bullmq';
import { endsWithin } from '../runtime/shutdown.js';
import type { LeavesUnfinished } from '../runtime/shutdown-hooks.js';
import { OncePer } from '../values/once-per.js';
import { COMPLAINT_SPAN_MS } from './job-queue.js';
import { JobRegistry } from './job-registry.js';

/**
 * How workers hold jobs: a killed worker's job is found within 5 s, however often it happens, and is never given up
 * (the tables say what is left to do). While the queue refuses connections they try again each second.
 */
const HOLDING: Omit<WorkerOptions, 'connection'> = {
  lockDuration: 5000,
  stalledInterval: 5000,
  maxStalledCount: 1_000_000,
  runRetryDelay: 1000,
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 1000 },
};

/** How long a queue may take to let go of its worker once no job is under way, milliseconds. */
const PARTING_MS = 2000;

/** Works one queue; what a job does is its handler's business. */
abstract class QueueProcessor extends WorkerHost implements BeforeApplicationShutdown, LeavesUnfinished {
  private readonly logger = new Logger(this.constructor.name);
  private readonly underWay = new Set<Promise<void>>();
  private readonly complaints = new OncePer(COMPLAINT_SPAN_MS);

  constructor(private readonly registry: JobRegistry) {
    super();
  }

  async process(job: Job): Promise<void> {
    const run = this.run(job);
    this.underWay.add(run);
    try {
      await run;
    } finally {
      this.underWay.delete(run);
    }
  }

  private async run(job: Job): Promise<void> {
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
    if (this.complaints.allows('away')) this.logger.warn(`the queue is out of reach: ${error.message}`);
  }

  /**
   * Takes no more jobs and waits for those under way, before anything they need is closed. The worker itself would wait for
   * a queue that is away as long as that lasts; without its goodbye the queue finds out that nobody holds its jobs.
   */
  async beforeApplicationShutdown(): Promise<void> {
    const closed = this.worker.close();
    do {
      await Promise.allSettled(this.underWay);
      if (await endsWithin(closed, PARTING_MS)) return;
      // One that was being fetched may have begun meanwhile.
    } while (this.underWay.size > 0);
    this.logger.warn('the queue does not answer: parting without it');
    await endsWithin(this.worker.disconnect(), PARTING_MS);
  }

  unfinished(): string | null {
    return this.underWay.size === 0 ? null : `${this.underWay.size} jobs, which are run again`;
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
