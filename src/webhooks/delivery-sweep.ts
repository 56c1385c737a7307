import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';
import { DeliveryPool } from './delivery-pool.js';
import { endDeliveries, findWaitingEndpoints, type WaitingEndpoint } from './waiting-delivery.queries.js';

/** Deliveries of a deleted endpoint that are ended together. */
const BATCH = 1000;
/** Batches of one run: a backlog is worked off without keeping a shutdown waiting. */
const MAX_BATCHES = 20;

/**
 * Finds due deliveries that nobody holds: of a process that died, of a queue that lost its jobs, retries whose process
 * is gone, and what a busy process does not get to. It hands them to this process's own pool, so that webhooks go out
 * also while the queue is away; claims see to it that several processes share the work instead of repeating it. It also
 * ends what still waits for endpoints that were deleted.
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
    for (const endpoint of waiting) if (!endpoint.isDeleted) this.pool.attend(endpoint, endpoint.since);
    await this.endDeliveries(waiting.filter(({ isDeleted }) => isDeleted));
  }

  private async endDeliveries(deleted: readonly WaitingEndpoint[]): Promise<void> {
    let batches = 0;
    for (const endpoint of deleted) {
      let ended = BATCH;
      while (ended === BATCH) {
        if (batches === MAX_BATCHES) return;
        ended = await endDeliveries(endpoint, BATCH, this.unitOfWork.autocommit);
        batches += 1;
      }
    }
  }
}
