import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import type { Job, WorkerOptions } from 'bullmq';
import type { JobKind } from '../manifest/job-kind.js';
import type { LeavesUnfinished } from '../runtime/shutdown-hooks.js';
import { endsWithin } from '../values/ends-within.js';
import { OncePer } from '../values/once-per.js';
import { WARNING_INTERVAL_MS } from './job-queue.js';

/**
 * Options of every worker. A job whose worker was killed is retried within 5 s, any number of times; the tables hold
 * what is left to do. While the queue refuses connections, workers retry every second.
 */
export const WORKER_OPTIONS: Omit<WorkerOptions, 'connection'> = {
  lockDuration: 5000,
  stalledInterval: 5000,
  maxStalledCount: 1_000_000,
  runRetryDelay: 1000,
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 1000 },
};

/** How long closing a worker may take once no job is running, milliseconds. */
const CLOSE_TIMEOUT_MS = 2000;

/**
 * The base of every `@Processor`: runs the one kind of job in its queue. A job may run twice, or again after a crash,
 * so {@link perform} loads the rows by id, calls a service and returns.
 */
export abstract class QueueProcessor<Ids extends object>
  extends WorkerHost
  implements BeforeApplicationShutdown, LeavesUnfinished
{
  private readonly logger = new Logger(this.constructor.name);
  private readonly running = new Set<Promise<void>>();
  private readonly warnings = new OncePer(WARNING_INTERVAL_MS);

  constructor(private readonly kind: JobKind<Ids>) {
    super();
  }

  protected abstract perform(ids: Ids): Promise<void>;

  async process(job: Job): Promise<void> {
    const run = this.run(job);
    this.running.add(run);
    try {
      await run;
    } finally {
      this.running.delete(run);
    }
  }

  private async run(job: Job): Promise<void> {
    try {
      if (job.name !== this.kind.name) throw new Error('unknown job: did another version of Parley enqueue it?');
      await this.perform(job.data as Ids);
    } catch (error) {
      this.logger.error(
        `${job.name} ${JSON.stringify(job.data)} failed`,
        (error as Error).stack,
        this.constructor.name,
      );
      throw error;
    }
  }

  /** The worker reconnects by itself; without a listener it would print stack traces to stderr. */
  @OnWorkerEvent('error')
  logLostConnection(error: Error): void {
    if (this.warnings.allows('away')) this.logger.warn(`the queue is unreachable: ${error.message}`);
  }

  /**
   * Takes no more jobs and waits for running ones before anything they need is closed. If the queue is down, BullMQ's
   * close would wait until it is back, so we disconnect; the queue then finds the jobs by their expired locks.
   */
  async beforeApplicationShutdown(): Promise<void> {
    const closed = this.worker.close();
    do {
      await Promise.allSettled(this.running);
      if (await endsWithin(closed, CLOSE_TIMEOUT_MS)) return;
      // A job that was being fetched may have started meanwhile.
    } while (this.running.size > 0);
    this.logger.warn('the queue does not respond: disconnecting');
    await endsWithin(this.worker.disconnect(), CLOSE_TIMEOUT_MS);
  }

  unfinished(): string | null {
    return this.running.size === 0 ? null : `${this.running.size} jobs, which will run again`;
  }
}
