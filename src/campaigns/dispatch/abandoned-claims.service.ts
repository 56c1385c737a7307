import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { untilStored } from '../../database/connections/until-stored.js';
import { BackgroundUnitOfWork, type Tx } from '../../database/unit-of-work.js';
import { settleInFlight } from '../../messages/sending/send-in-flight.queries.js';
import type { LeavesUnfinished } from '../../runtime/shutdown-hooks.js';
import type { DispatchPlan } from './dispatch-plan.js';
import {
  findBatches,
  giveUpPostponed,
  lockRunning,
  lockUnsentBatch,
  putBackUnsent,
} from './recipient-claim.queries.js';

/** How often to look for claims whose time has come, milliseconds. */
const CHECK_EVERY_MS = 250;
/** When to look whether a claim was committed after all, milliseconds: the server may be at it for a while yet. */
const CHECK_AFTER_MS = [500, 10_000];

/** A claim of which it is not known whether it was committed. */
interface AbandonedClaim {
  readonly accountId: string;
  readonly campaignId: string;
  readonly batchId: string;
  /** When to look, milliseconds on the process's clock; the next time first. */
  readonly checksAt: number[];
}

/**
 * Gives back claims whose commit was never confirmed: the connection broke or fell silent, so nothing of them was sent, but
 * they may stand in the database. Their recipients would otherwise wait for the horizon and count as failed. A database
 * that falls silent leaves many at once, of all accounts: one search looks for all of them.
 */
@Injectable()
export class AbandonedClaimsService implements BeforeApplicationShutdown, LeavesUnfinished {
  private readonly logger = new Logger(AbandonedClaimsService.name);
  private readonly pending = new Map<string, AbandonedClaim>();
  private readonly givingBack = new Set<Promise<void>>();
  private search: Promise<void> | null = null;
  private readonly closing = new AbortController();

  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {}

  /** Looks for the batch until it is found or can no longer appear. */
  giveBack({ phone: { accountId }, campaign }: DispatchPlan, batchId: string): void {
    const checksAt = CHECK_AFTER_MS.map((afterMs) => performance.now() + afterMs);
    this.pending.set(batchId, { accountId, campaignId: campaign.id, batchId, checksAt });
    this.search ??= this.searchAll();
  }

  private async searchAll(): Promise<void> {
    while (this.pending.size > 0) {
      await this.untilNextCheck();
      const at = performance.now();
      const due = [...this.pending.values()].filter(({ checksAt: [next = 0] }) => this.isClosing || next <= at);
      if (due.length > 0) await this.check(due);
    }
    this.search = null;
  }

  private async untilNextCheck(): Promise<void> {
    try {
      await sleep(CHECK_EVERY_MS, undefined, { signal: this.closing.signal, ref: false });
    } catch {
      // The process ends: what is open is looked for once more, now.
    }
  }

  private async check(claims: readonly AbandonedClaim[]): Promise<void> {
    const stored = await this.findStored(claims);
    for (const claim of claims) {
      claim.checksAt.shift();
      const isStored = stored?.has(claim.batchId) ?? false;
      if (isStored) this.giveBackStored(claim);
      if (isStored || stored === null || this.isClosing || claim.checksAt.length === 0)
        this.pending.delete(claim.batchId);
    }
  }

  /** Which of the batches are in the database; null when it cannot be known. */
  private async findStored(claims: readonly AbandonedClaim[]): Promise<ReadonlySet<string> | null> {
    try {
      const what = `recipients of ${claims.length} claims that may have to be given back`;
      const find = () => findBatches(claims, this.unitOfWork.autocommit);
      return new Set(await untilStored(find, { what, logger: this.logger }));
    } catch (error) {
      this.logger.error(`${claims.length} batches are left to their horizon: ${(error as Error).message}`);
      return null;
    }
  }

  /** Whoever holds a lock on one of them holds up nobody else's. */
  private giveBackStored({ accountId, campaignId, batchId }: AbandonedClaim): void {
    const once = () => this.unitOfWork.transaction((tx) => this.giveBackWithin(accountId, campaignId, batchId, tx));
    const givenBack = untilStored(once, {
      what: `recipients of batch ${batchId} to be given back`,
      logger: this.logger,
    })
      .catch((error: Error) => this.logger.error(`batch ${batchId} is left to its horizon: ${error.message}`))
      .finally(() => this.givingBack.delete(givenBack));
    this.givingBack.add(givenBack);
  }

  /** Nothing, when the batch was settled meanwhile. */
  private async giveBackWithin(accountId: string, campaignId: string, batchId: string, tx: Tx): Promise<void> {
    const messageIds = await lockUnsentBatch(accountId, batchId, tx);
    if (messageIds === null) return;
    const running = await lockRunning(accountId, campaignId, tx);
    await putBackUnsent(accountId, campaignId, messageIds, tx);
    if (!running) await giveUpPostponed(accountId, campaignId, tx);
    await settleInFlight(accountId, batchId, null, tx);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.closing.abort();
    await this.search;
    await Promise.all(this.givingBack);
  }

  unfinished(): string | null {
    const count = this.pending.size + this.givingBack.size;
    return count === 0 ? null : `${count} claims that may have to be given back`;
  }

  private get isClosing(): boolean {
    return this.closing.signal.aborted;
  }
}
