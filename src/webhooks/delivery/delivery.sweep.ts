import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../../database/unit-of-work.js';
import { Sweep } from '../../queues/sweep.js';
import { SECOND } from '../../values/clock.js';
import { DeliveryPool } from './delivery-pool.js';
import { findWaitingEndpoints } from './waiting-delivery.queries.js';

/**
 * Finds due deliveries that nobody holds: of a process that died, of a queue that lost its jobs, retries whose process
 * is gone, and what a busy process does not get to. It hands them to this process's own pool, so that webhooks go out
 * also while the queue is away; claims see to it that several processes share the work instead of repeating it.
 */
@Injectable()
export class DeliverySweep extends Sweep {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly pool: DeliveryPool,
  ) {
    super(SECOND);
  }

  protected async sweep(): Promise<void> {
    const waiting = await findWaitingEndpoints(this.unitOfWork.autocommit);
    for (const endpoint of waiting) this.pool.wake(endpoint, endpoint.since);
  }
}
