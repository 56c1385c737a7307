import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';
import { findEndpointsWithDue } from './delivery.queries.js';
import { DeliveryPool } from './delivery-pool.js';

/**
 * Finds due deliveries that nobody holds: of a process that died, of a queue that lost its jobs, retries whose process
 * is gone, and what a busy process does not get to. It hands them to this process's own pool, so that webhooks go out
 * also while the queue is away; claims see to it that several processes share the work instead of repeating it.
 */
@Injectable()
export class DeliverySweep extends Sweep {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly pool: DeliveryPool,
  ) {
    super(SECOND);
  }

  protected async sweep(): Promise<void> {
    for (const endpoint of await findEndpointsWithDue(this.unitOfWork.autocommit)) this.pool.attend(endpoint);
  }
}
