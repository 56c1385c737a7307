import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { BackgroundUnitOfWork, type Tx } from '../database/unit-of-work.js';
import { untilStored } from '../database/until-stored.js';
import { settleInFlight } from '../messages/send-in-flight.queries.js';
import type { LeavesUnfinished } from '../runtime/shutdown-hooks.js';
import type { DispatchPlan } from './dispatch-plan.js';
import { giveUpPostponed, lockRunning, lockUnsentBatch, putBackUnsent } from './recipient-claim.queries.js';

/** When to look whether a claim was committed after all, milliseconds: the server may be at it for a while yet. */
const LOOK_AFTER_MS = [500, 10_000];

/**
 * Gives back claims whose commit was never confirmed: the connection broke or fell silent, so nothing of them was sent, but
 * they may stand in the database. Their recipients would otherwise wait for the horizon and count as failed.
 */
@Injectable()
export class AbandonedClaims implements BeforeApplicationShutdown, LeavesUnfinished {
  private readonly logger = new Logger(AbandonedClaims.name);
  private readonly open = new Map<string, Promise<void>>();
  private closing = false;

  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {}

  /** Looks for the batch until it is found or can no longer appear. */
  giveBack(plan: DispatchPlan, batchId: string): void {
    const search = this.search(plan, batchId)
      .catch((error: Error) => this.logger.error(`batch ${batchId} is left to its horizon: ${error.message}`))
      .finally(() => this.open.delete(batchId));
    this.open.set(batchId, search);
  }

  private async search({ phone: { accountId }, campaign }: DispatchPlan, batchId: string): Promise<void> {
    for (const pauseMs of LOOK_AFTER_MS) {
      await new Promise((resolve) => setTimeout(resolve, this.closing ? 0 : pauseMs).unref());
      const found = await untilStored(
        () => this.unitOfWork.transaction((tx) => this.giveBackWithin(accountId, campaign.id, batchId, tx)),
        { what: 'recipients to be given back', logger: this.logger },
      );
      if (found) return;
    }
  }

  /** @returns whether the batch was there */
  private async giveBackWithin(accountId: string, campaignId: string, batchId: string, tx: Tx): Promise<boolean> {
    const messageIds = await lockUnsentBatch(accountId, batchId, tx);
    if (messageIds === null) return false;
    const running = await lockRunning(accountId, campaignId, tx);
    await putBackUnsent(accountId, campaignId, messageIds, tx);
    if (!running) await giveUpPostponed(accountId, campaignId, tx);
    await settleInFlight(accountId, batchId, null, tx);
    return true;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.closing = true;
    await Promise.all(this.open.values());
  }

  unfinished(): string | null {
    return this.open.size === 0 ? null : `${this.open.size} claims that may have to be given back`;
  }
}
