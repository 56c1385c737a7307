import { Injectable } from '@nestjs/common';
import type { IdsOf } from '../../manifest/job-kind.js';
import type { EndpointKey } from '../../outbox/event-fanout.js';
import { JobQueue } from '../../queues/job-queue.js';
import { WakeQueue } from '../../queues/wake-queue.js';
import { WEBHOOK_DRAIN } from '../webhooks.jobs.js';

/** Queues drain jobs, one per endpoint. */
@Injectable()
export class DrainQueue extends WakeQueue<IdsOf<typeof WEBHOOK_DRAIN>> {
  constructor(queue: JobQueue) {
    super(queue, WEBHOOK_DRAIN);
  }

  add(endpoints: readonly EndpointKey[]): void {
    for (const { accountId, endpointId } of endpoints) {
      this.put(endpointId, { account_id: accountId, endpoint_id: endpointId });
    }
  }
}
