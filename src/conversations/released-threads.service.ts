import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Outbox } from '../outbox/outbox.js';
import type { RecordId } from '../values/record-id.js';
import { unassign } from './conversation-state.js';
import { lockHeldConversations } from './released-thread.queries.js';
import { type Cause, TransitionsService } from './transitions.service.js';

/** Conversations released per transaction: their customers' messages wait for it. */
const SLICE = 50;

const CAUSE: Cause = { source: 'manual', userId: null, reason: 'the agent was deactivated' };

/** Releases open conversations of deactivated agents. */
@Injectable()
export class ReleasedThreadsService {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly transitions: TransitionsService,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Releases those of one account, a slice per transaction, so that a death loses nothing that was released.
   *
   * @param isStopping ends it between two slices
   * @returns whether none is left
   */
  async release(accountId: string, userId: RecordId, isStopping: () => boolean): Promise<boolean> {
    // One that is given to somebody else meanwhile makes a slice shorter, so only an empty one is the last.
    while (!isStopping()) {
      if ((await this.releaseSlice(accountId, userId)) === 0) return true;
    }
    return false;
  }

  /** @returns how many conversations */
  private async releaseSlice(accountId: string, userId: RecordId): Promise<number> {
    const released = await this.unitOfWork.transaction(async (tx) => {
      const held = await lockHeldConversations(accountId, userId, SLICE, tx);
      for (const { phoneNumber, userId: networkId, ...conversation } of held) {
        const transition = unassign(conversation);
        const contact = { phoneNumber, userId: networkId };
        if (transition !== null) await this.transitions.apply(accountId, contact, conversation, transition, CAUSE, tx);
      }
      return held.length;
    });
    if (released > 0) this.outbox.announce();
    return released;
  }
}
