import { Injectable, Logger } from '@nestjs/common';
import type { Wakeup } from '../../outbox/event-fanout.js';
import { JobQueue } from '../../queues/job-queue.js';

/**
 * Queues one drain job per endpoint. It never makes a caller wait: what is asked for while the queue is busy, or away,
 * is gathered and goes in the next call. What is lost on the way, the sweep finds again.
 */
@Injectable()
export class DrainQueue {
  private readonly logger = new Logger(DrainQueue.name);
  private readonly waiting = new Map<string, Wakeup>();
  private isFlushing = false;

  constructor(private readonly queue: JobQueue) {}

  add(endpoints: readonly Wakeup[]): void {
    for (const endpoint of endpoints) this.waiting.set(endpoint.endpointId, endpoint);
    if (!this.isFlushing && this.waiting.size > 0) void this.flush();
  }

  private async flush(): Promise<void> {
    this.isFlushing = true;
    while (this.waiting.size > 0) {
      const endpoints = [...this.waiting.values()];
      this.waiting.clear();
      try {
        await this.queue.enqueueAll(
          'webhook.drain.v1',
          endpoints.map(({ accountId, endpointId }) => ({
            data: { account_id: accountId, endpoint_id: endpointId },
            options: { key: endpointId },
          })),
        );
      } catch (error) {
        this.logger.warn(`drains of ${endpoints.length} endpoints were not queued: ${(error as Error).message}`);
      }
    }
    this.isFlushing = false;
  }
}
