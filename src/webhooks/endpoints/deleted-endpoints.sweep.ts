import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../../database/unit-of-work.js';
import type { Wakeup } from '../../outbox/event-fanout.js';
import { Sweep } from '../../queues/sweep.js';
import { SECOND } from '../../values/clock.js';
import { deleteDeliveries, findDeletedEndpoints, removeTombstone } from './deleted-endpoint.queries.js';

/** Deliveries that are deleted together. */
const BATCH = 1000;
/** Batches of one run: a backlog is worked off without keeping a shutdown waiting. */
const MAX_BATCHES = 20;

/**
 * Removes what deleted endpoints have left, in small batches: their deliveries and attempts, and in the end the tombstone itself.
 * Nobody sees any of it from the moment of the deletion on.
 */
@Injectable()
export class DeletedEndpointsSweep extends Sweep {
  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {
    super(5 * SECOND);
  }

  protected async sweep(): Promise<void> {
    let batches = 0;
    for (const endpoint of await findDeletedEndpoints(this.unitOfWork.autocommit)) {
      for (let deleted = BATCH; deleted === BATCH; batches += 1) {
        if (batches === MAX_BATCHES) return;
        deleted = await this.deleteBatch(endpoint);
      }
      await removeTombstone(endpoint, this.unitOfWork.autocommit);
    }
  }

  private deleteBatch(endpoint: Wakeup): Promise<number> {
    return this.unitOfWork.transaction((tx) => deleteDeliveries(endpoint, BATCH, tx));
  }
}
