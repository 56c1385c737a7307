import { Injectable, Logger } from '@nestjs/common';
import type { EndpointKey } from '../../outbox/event-fanout.js';
import { JobQueue } from '../../queues/job-queue.js';

/**
 * Queues drain jobs, one per endpoint. Callers never wait: endpoints added while the queue is busy or unavailable are
 * collected and sent with the next call. If a job is lost, the sweep finds its endpoint.
 */
@Injectable()
export class DrainQueue {
  private readonly logger = new Logger(DrainQueue.name);
  private readonly waiting = new Map<string, EndpointKey>();
  private isFlushing = false;

  constructor(private readonly queue: JobQueue) {}

  add(endpoints: readonly EndpointKey[]): void {
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
        this.logger.warn(
          `${endpoints.length} webhooks were not queued, so the sweep will find them: ${(error as Error).message}`,
        );
      }
    }
    this.isFlushing = false;
  }
}
