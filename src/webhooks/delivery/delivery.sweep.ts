import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../../database/unit-of-work.js';
import { Sweep } from '../../queues/sweep.js';
import { SECOND } from '../../values/clock.js';
import { DeliveryPool } from './delivery-pool.js';
import { findWaitingEndpoints, WAITING_DELIVERY } from './waiting-delivery.queries.js';

/**
 * Finds due deliveries that no process holds: left by a dead process, by a queue that lost its jobs, or by a process
 * too busy to get to them. It hands them directly to this process's pool, so webhooks are delivered even while the
 * queue is unavailable. Leases ensure that several processes share the work instead of repeating it.
 */
@Injectable()
export class DeliverySweep extends Sweep {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly pool: DeliveryPool,
  ) {
    super(SECOND, { look: WAITING_DELIVERY, isEverywhere: true });
  }

  protected async sweep(): Promise<void> {
    const waiting = await findWaitingEndpoints(this.unitOfWork.autocommit);
    for (const endpoint of waiting) this.pool.wake(endpoint, endpoint.since);
  }
}
