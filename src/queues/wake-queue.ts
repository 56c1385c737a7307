import { Logger } from '@nestjs/common';
import type { JobKind } from '../manifest/job-kind.js';
import type { JobQueue } from './job-queue.js';

/**
 * Queues jobs that only wake workers. Callers never wait: what is added while the queue is busy or unavailable is
 * collected and sent with the next call. If a job is lost, a sweep finds its work.
 */
export abstract class WakeQueue<Ids extends object> {
  private readonly logger = new Logger(this.constructor.name);
  private readonly waiting = new Map<string, Ids>();
  private isFlushing = false;

  protected constructor(
    private readonly queue: JobQueue,
    private readonly kind: JobKind<Ids>,
  ) {}

  /** @param key while a job with the same key waits, this one is dropped */
  protected put(key: string, ids: Ids): void {
    this.waiting.set(key, ids);
    if (!this.isFlushing) void this.flush();
  }

  private async flush(): Promise<void> {
    this.isFlushing = true;
    // What the same turn of the event loop adds goes along.
    await Promise.resolve();
    while (this.waiting.size > 0) {
      const jobs = [...this.waiting].map(([key, data]) => ({ data, options: { key } }));
      this.waiting.clear();
      try {
        await this.queue.enqueueAll(this.kind, jobs);
      } catch (error) {
        this.logger.warn(`${jobs.length} jobs were not queued, so a sweep will find them: ${(error as Error).message}`);
      }
    }
    this.isFlushing = false;
  }
}
