import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../../database/unit-of-work.js';
import { Sweep } from '../../queues/sweep.js';
import { SECOND } from '../../values/clock.js';
import { DeliveryPool } from '../delivery/delivery-pool.js';
import {
  findRunningReplays,
  hasPending,
  lockReplay,
  type RunningReplay,
  recordReplayStep,
  replayEvents,
} from './replay.queries.js';

/** Events that one step looks at. */
const BATCH = 500;
/** An endpoint with so many deliveries pending gets no more for now: fresh events must not wait behind a month of old ones. */
const MAX_PENDING = 500;

/**
 * Moves replays on, a batch at a time: what a batch makes and how far it came commit together, so that any process can go on
 * after a kill, and nothing is replayed twice or left out.
 */
@Injectable()
export class ReplaySweep extends Sweep {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly pool: DeliveryPool,
  ) {
    super(SECOND);
  }

  protected async sweep(): Promise<void> {
    for (const replay of await findRunningReplays(this.unitOfWork.autocommit)) {
      if (await this.advance(replay)) this.pool.wake(replay);
    }
  }

  /** @returns whether there is something to deliver */
  private advance({ accountId, endpointId }: RunningReplay): Promise<boolean> {
    return this.unitOfWork.transaction(async (tx) => {
      const held = await lockReplay(accountId, endpointId, tx);
      if (held === null || (await hasPending(accountId, endpointId, MAX_PENDING, tx))) return false;
      const step = await replayEvents(accountId, endpointId, held, BATCH, tx);
      await recordReplayStep(accountId, endpointId, step, tx);
      return step.made > 0;
    });
  }
}
