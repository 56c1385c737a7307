import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../../database/unit-of-work.js';
import type { EndpointKey } from '../../outbox/event-fanout.js';
import { Sweep } from '../../queues/sweep.js';
import { SECOND } from '../../values/clock.js';
import { deleteDeliveries, findDeletedEndpoints, removeTombstone } from './deleted-endpoint.queries.js';

/** Deliveries deleted per transaction. */
const BATCH = 1000;
/** Batches per run; bounded so that a backlog does not delay a shutdown. */
const MAX_BATCHES = 20;

/**
 * Removes the data of deleted endpoints in small batches: deliveries and attempts first, finally the tombstone itself.
 * None of it is visible once the endpoint is deleted.
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

  private deleteBatch(endpoint: EndpointKey): Promise<number> {
    return this.unitOfWork.transaction((tx) => deleteDeliveries(endpoint, BATCH, tx));
  }
}
