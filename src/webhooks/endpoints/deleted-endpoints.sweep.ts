import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../../database/unit-of-work.js';
import type { EndpointKey } from '../../outbox/event-fanout.js';
import { Sweep } from '../../queues/sweep.js';
import { SECOND } from '../../values/clock.js';
import {
  DELETED_ENDPOINT,
  deleteDeliveries,
  findDeletedEndpoints,
  removeTombstone,
} from './deleted-endpoint.queries.js';

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
    super(5 * SECOND, { look: DELETED_ENDPOINT });
  }

  protected async sweep(): Promise<void> {
    let batches = 0;
    const deleted = await findDeletedEndpoints(this.unitOfWork.autocommit);
    await this.forEach(
      deleted,
      ({ endpointId }) => `webhook ${endpointId}`,
      async (endpoint) => {
        for (let count = BATCH; count === BATCH; batches += 1) {
          if (batches >= MAX_BATCHES) return;
          count = await this.deleteBatch(endpoint);
        }
        await removeTombstone(endpoint, this.unitOfWork.autocommit);
      },
    );
  }

  private deleteBatch(endpoint: EndpointKey): Promise<number> {
    return this.unitOfWork.transaction((tx) => deleteDeliveries(endpoint, BATCH, tx));
  }
}
