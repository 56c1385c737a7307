import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../../database/unit-of-work.js';
import { Sweep } from '../../queues/sweep.js';
import { SECOND } from '../../values/clock.js';
import { DeliveryPool } from '../delivery/delivery-pool.js';
import {
  findRunningReplays,
  hasPending,
  lockReplay,
  RUNNING_REPLAY,
  type RunningReplay,
  recordReplayStep,
  replayEvents,
} from './replay.queries.js';

/** Events per step. */
const BATCH = 500;
/**
 * A replay pauses while its endpoint has this many pending deliveries, so that fresh events don't wait behind old ones.
 */
const MAX_PENDING = 500;

/**
 * Advances replays one batch at a time. The deliveries of a batch and the replay's progress commit together. So after a
 * crash any process can continue, and nothing is replayed twice or skipped.
 */
@Injectable()
export class ReplaySweep extends Sweep {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly pool: DeliveryPool,
  ) {
    super(SECOND, { look: RUNNING_REPLAY });
  }

  protected async sweep(): Promise<void> {
    const running = await findRunningReplays(this.unitOfWork.autocommit);
    const about = ({ endpointId }: RunningReplay) => `the replay of webhook ${endpointId}`;
    await this.forEach(running, about, async (replay) => {
      if (await this.advance(replay)) this.pool.wake(replay);
    });
  }

  /** @returns whether there is anything to deliver */
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
