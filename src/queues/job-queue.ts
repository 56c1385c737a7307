import { getQueueToken } from '@nestjs/bullmq';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { JobsOptions, Queue } from 'bullmq';
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

/** Queues jobs. What is queued can be lost: the tables are the truth, and sweeps queue again what they find undone. */
@Injectable()
export class JobQueue implements OnModuleInit {
  private readonly logger = new Logger(JobQueue.name);

  constructor(private readonly modules: ModuleRef) {}

  /** Queues reconnect by themselves; without a listener they would write whole stacks to stderr. */
  onModuleInit(): void {
    for (const name of QUEUE_NAMES) {
      this.queue(name).on('error', (error) => this.logger.warn(`queue ${name} is out of reach: ${error.message}`));
    }
  }

  async enqueue<Name extends JobName>(name: Name, data: Jobs[Name], options: EnqueueOptions): Promise<void> {
    await this.queueOf(name).add(name, data, jobOptions(name, options));
  }

  /** Queues several jobs of one kind in one call. */
  async enqueueAll<Name extends JobName>(
    name: Name,
    jobs: readonly { data: Jobs[Name]; options: EnqueueOptions }[],
  ): Promise<void> {
    if (jobs.length === 0) return;
    await this.queueOf(name).addBulk(
      jobs.map(({ data, options }) => ({ name, data, opts: jobOptions(name, options) })),
    );
  }

  /** Jobs that wait, run or are delayed, in all queues; 0 means quiet. */
  async pending(): Promise<number> {
    const counts = await Promise.all(
      QUEUE_NAMES.map((queue) => this.queue(queue).getJobCountByTypes('active', 'waiting', 'delayed', 'prioritized')),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Resolves when the backend answers; for readiness. */
  async ping(): Promise<void> {
    for (const name of QUEUE_NAMES) await this.queue(name).getJobCountByTypes('active');
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
