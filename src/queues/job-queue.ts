import { getQueueToken } from '@nestjs/bullmq';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { JobsOptions, Queue } from 'bullmq';
import type { JobKind } from '../manifest/job-kind.js';
import { Manifest } from '../manifest/manifest.js';
import { endsWithin } from '../values/ends-within.js';
import { OncePer } from '../values/once-per.js';

/** How a job is queued. */
export interface EnqueueOptions {
  /**
   * Deduplicates jobs: while a job with the same key waits, this one is dropped; while it runs, this one runs after it.
   */
  readonly key: string;
  /** Milliseconds to wait before it may run. */
  readonly delayMs?: number;
}

/** How long a caller waits for an unresponsive queue, milliseconds. */
const ENQUEUE_TIMEOUT_MS = 1000;
/** While a queue is down, we log a warning at most this often, milliseconds. */
export const WARNING_INTERVAL_MS = 30_000;

/**
 * Enqueues jobs. Jobs can be lost: the tables are the source of truth, and sweeps enqueue unfinished work again. So
 * while a queue is down, the first caller waits a second and all others skip it until it responds again.
 */
@Injectable()
export class JobQueue implements OnModuleInit {
  private readonly logger = new Logger(JobQueue.name);
  /** Calls that timed out and have no response yet. While there are any, the queue counts as down. */
  private unanswered = 0;
  /** Throttled: a queue that is down fails several times a second. */
  private readonly warnings = new OncePer(WARNING_INTERVAL_MS);
  private pinging: Promise<void> | null = null;

  constructor(
    private readonly modules: ModuleRef,
    private readonly manifest: Manifest,
  ) {}

  /** Queues reconnect by themselves; without a listener they would print stack traces to stderr. */
  onModuleInit(): void {
    for (const name of this.manifest.queues) {
      this.queue(name).on('error', (error) => {
        if (this.warnings.allows(name)) this.logger.warn(`queue ${name} is unreachable: ${error.message}`);
      });
    }
  }

  async enqueue<Ids extends object>({ name, queue }: JobKind<Ids>, data: Ids, options: EnqueueOptions): Promise<void> {
    await this.unlessDown(() => this.queue(queue).add(name, data, jobOptions(name, options)));
  }

  /** Queues several jobs of one kind in one call. */
  async enqueueAll<Ids extends object>(
    { name, queue }: JobKind<Ids>,
    jobs: readonly { data: Ids; options: EnqueueOptions }[],
  ): Promise<void> {
    if (jobs.length === 0) return;
    await this.unlessDown(() =>
      this.queue(queue).addBulk(jobs.map(({ data, options }) => ({ name, data, opts: jobOptions(name, options) }))),
    );
  }

  /** Jobs that are waiting, running or delayed, across all queues. */
  async pending(): Promise<number> {
    const counts = await Promise.all(
      this.manifest.queues.map((queue) =>
        this.queue(queue).getJobCountByTypes('active', 'waiting', 'delayed', 'prioritized'),
      ),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Every queue, for the operators' board. */
  get all(): Queue[] {
    return this.manifest.queues.map((name) => this.queue(name));
  }

  /** Resolves when the backend responds; for readiness checks. Concurrent callers share one request. */
  ping(): Promise<void> {
    this.pinging ??= this.askAll().finally(() => {
      this.pinging = null;
    });
    return this.pinging;
  }

  private async askAll(): Promise<void> {
    for (const name of this.manifest.queues) await this.queue(name).getJobCountByTypes('active');
  }

  /** Runs `work` unless an earlier call is still unanswered: calls must not pile up while a queue is down. */
  private async unlessDown(work: () => Promise<unknown>): Promise<void> {
    if (this.unanswered > 0) return;
    const answer = work();
    if (await endsWithin(answer, ENQUEUE_TIMEOUT_MS)) return;
    if (this.unanswered === 0) this.logger.warn('the queue does not respond: jobs wait in the tables until it does');
    this.unanswered += 1;
    const answered = () => {
      this.unanswered -= 1;
      if (this.unanswered === 0) this.logger.log('the queue responds again');
    };
    answer.then(answered, answered);
  }

  private queue(name: string): Queue {
    return this.modules.get<Queue>(getQueueToken(name), { strict: false });
  }
}

const jobOptions = (name: string, { key, delayMs }: EnqueueOptions): JobsOptions => ({
  deduplication: { id: `${name}:${key}`, keepLastIfActive: true },
  ...(delayMs === undefined ? {} : { delay: delayMs }),
  attempts: 1,
  removeOnComplete: true,
  removeOnFail: { count: 1000 },
});
