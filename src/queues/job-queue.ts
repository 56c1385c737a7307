import { getQueueToken } from '@nestjs/bullmq';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { JobsOptions, Queue } from 'bullmq';
import { endsWithin } from '../runtime/shutdown.js';
import { OncePer } from '../values/once-per.js';
import { type JobName, type Jobs, QUEUE_NAMES, QUEUE_OF_JOB, type QueueName } from './jobs.js';

/** How a job is queued. */
export interface EnqueueOptions {
  /**
   * Jobs of one key are never queued twice: while one waits, another is dropped; while one runs, another is kept and
   * runs after it.
   */
  readonly key: string;
  /** Milliseconds to wait before it may run. */
  readonly delayMs?: number;
}

/** How long a caller waits for a queue that does not answer, milliseconds. */
const ENQUEUE_TIMEOUT_MS = 1000;
/** While a queue is away, a line says so in each span of this many milliseconds. */
export const WARNING_INTERVAL_MS = 30_000;

/**
 * Queues jobs. What is queued can be lost: the tables are the truth, and sweeps queue again what they find undone. So a
 * queue that is away costs the first caller a second, and everybody else nothing, until it answers again.
 */
@Injectable()
export class JobQueue implements OnModuleInit {
  private readonly logger = new Logger(JobQueue.name);
  /** Jobs whose queue has yet to answer, while it is taken to be away. */
  private unanswered = 0;
  /** A queue that is away fails several times a second. */
  private readonly complaints = new OncePer(WARNING_INTERVAL_MS);
  private pinging: Promise<void> | null = null;

  constructor(private readonly modules: ModuleRef) {}

  /** Queues reconnect by themselves; without a listener they would write whole stacks to stderr. */
  onModuleInit(): void {
    for (const name of QUEUE_NAMES) {
      this.queue(name).on('error', (error) => {
        if (this.complaints.allows(name)) this.logger.warn(`queue ${name} is out of reach: ${error.message}`);
      });
    }
  }

  async enqueue<Name extends JobName>(name: Name, data: Jobs[Name], options: EnqueueOptions): Promise<void> {
    await this.unlessAway(() => this.queueOf(name).add(name, data, jobOptions(name, options)));
  }

  /** Queues several jobs of one kind in one call. */
  async enqueueAll<Name extends JobName>(
    name: Name,
    jobs: readonly { data: Jobs[Name]; options: EnqueueOptions }[],
  ): Promise<void> {
    if (jobs.length === 0) return;
    await this.unlessAway(() =>
      this.queueOf(name).addBulk(jobs.map(({ data, options }) => ({ name, data, opts: jobOptions(name, options) }))),
    );
  }

  /** Jobs that wait, run or are delayed, in all queues; 0 means quiet. */
  async pending(): Promise<number> {
    const counts = await Promise.all(
      QUEUE_NAMES.map((queue) => this.queue(queue).getJobCountByTypes('active', 'waiting', 'delayed', 'prioritized')),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Resolves when the backend answers; for readiness. However many ask, it is asked once at a time. */
  ping(): Promise<void> {
    this.pinging ??= this.askAll().finally(() => {
      this.pinging = null;
    });
    return this.pinging;
  }

  private async askAll(): Promise<void> {
    for (const name of QUEUE_NAMES) await this.queue(name).getJobCountByTypes('active');
  }

  /** Does `work` unless an earlier call is still waiting for its answer: jobs must not pile up before a queue that is away. */
  private async unlessAway(work: () => Promise<unknown>): Promise<void> {
    if (this.unanswered > 0) return;
    const answer = work();
    if (await endsWithin(answer, ENQUEUE_TIMEOUT_MS)) return;
    if (this.unanswered === 0) this.logger.warn('the queue does not answer: jobs wait in the tables until it does');
    this.unanswered += 1;
    const answered = () => {
      this.unanswered -= 1;
      if (this.unanswered === 0) this.logger.log('the queue answers again');
    };
    answer.then(answered, answered);
  }

  private queueOf(name: JobName): Queue {
    return this.queue(QUEUE_OF_JOB[name]);
  }

  private queue(name: QueueName): Queue {
    return this.modules.get<Queue>(getQueueToken(name), { strict: false });
  }
}

const jobOptions = (name: JobName, { key, delayMs }: EnqueueOptions): JobsOptions => ({
  deduplication: { id: `${name}:${key}`, keepLastIfActive: true },
  ...(delayMs === undefined ? {} : { delay: delayMs }),
  attempts: 1,
  removeOnComplete: true,
  removeOnFail: { count: 1000 },
});
