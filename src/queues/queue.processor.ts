import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import type { Job, WorkerOptions } from 'bullmq';
import { endsWithin } from '../runtime/shutdown.js';
import type { LeavesUnfinished } from '../runtime/shutdown-hooks.js';
import { OncePer } from '../values/once-per.js';
import { WARNING_INTERVAL_MS } from './job-queue.js';
import type { JobName, Jobs } from './jobs.js';

/**
 * Options of every worker. A killed worker's job is found within 5 s, however often that happens, and is never given up:
 * the tables say what is left to do. While the queue refuses connections, workers try again every second.
 */
export const WORKER_OPTIONS: Omit<WorkerOptions, 'connection'> = {
  lockDuration: 5000,
  stalledInterval: 5000,
  maxStalledCount: 1_000_000,
  runRetryDelay: 1000,
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 1000 },
};

/** How long a queue may take to let go of its worker once no job is under way, milliseconds. */
const CLOSE_TIMEOUT_MS = 2000;

/**
 * The base of every `@Processor`: runs the one kind of job that its queue carries. A job may run twice, or again after a
 * crash, so {@link perform} loads what the ids name, calls a service, and returns.
 */
export abstract class QueueProcessor<Name extends JobName>
  extends WorkerHost
  implements BeforeApplicationShutdown, LeavesUnfinished
{
  private readonly logger = new Logger(this.constructor.name);
  private readonly underWay = new Set<Promise<void>>();
  private readonly complaints = new OncePer(WARNING_INTERVAL_MS);

  constructor(private readonly jobName: Name) {
    super();
  }

  protected abstract perform(ids: Jobs[Name]): Promise<void>;

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
      if (job.name !== this.jobName) throw new Error('this version does not know the job: did another one queue it?');
      await this.perform(job.data as Jobs[Name]);
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
      if (await endsWithin(closed, CLOSE_TIMEOUT_MS)) return;
      // One that was being fetched may have begun meanwhile.
    } while (this.underWay.size > 0);
    this.logger.warn('the queue does not answer: parting without it');
    await endsWithin(this.worker.disconnect(), CLOSE_TIMEOUT_MS);
  }

  unfinished(): string | null {
    return this.underWay.size === 0 ? null : `${this.underWay.size} jobs, which are run again`;
  }
}
