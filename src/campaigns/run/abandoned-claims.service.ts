import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { untilStored } from '../../database/connections/until-stored.js';
import { BackgroundUnitOfWork, type Tx } from '../../database/unit-of-work.js';
import type { LeavesUnfinished } from '../../runtime/shutdown-hooks.js';
import { settleInFlight } from '../../sending/ledger/send-in-flight.queries.js';
import { release } from '../control/recipient-control.queries.js';
import type { CampaignPlan } from '../planning/campaign-plan.js';
import { findGroups, lockGroup, lockStatus, putBackUnsent } from './recipient-claim.queries.js';

/** How often to look for claims that are due for a check, milliseconds. */
const CHECK_EVERY_MS = 250;
/**
 * When to check whether a claim was committed after all, milliseconds. The server may still be executing it for a
 * while.
 */
const CHECK_AFTER_MS = [500, 10_000];

/** A claim that may or may not have been committed. */
interface AbandonedClaim {
  readonly accountId: string;
  readonly campaignId: string;
  readonly groupId: string;
  /** Times of the remaining checks by `performance.now()`, next one first. */
  readonly checksAt: number[];
}

/**
 * Gives back claims whose commit was never confirmed because the connection broke or hung. None of their messages was
 * sent, but the claims may be in the database; without this, their recipients would wait for the horizon and count as
 * failed. A database that hangs leaves many such claims, of all accounts, so one query searches for all of them.
 */
@Injectable()
export class AbandonedClaimsService implements BeforeApplicationShutdown, LeavesUnfinished {
  private readonly logger = new Logger(AbandonedClaimsService.name);
  private readonly pending = new Map<string, AbandonedClaim>();
  private readonly givingBack = new Set<Promise<void>>();
  private search: Promise<void> | null = null;
  private readonly closing = new AbortController();

  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {}

  /** Checks for the batch until it is found or can no longer appear. */
  giveBack({ phone: { accountId }, campaign }: CampaignPlan, groupId: string): void {
    const checksAt = CHECK_AFTER_MS.map((afterMs) => performance.now() + afterMs);
    this.pending.set(groupId, { accountId, campaignId: campaign.id, groupId, checksAt });
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
      // Shutdown: check the remaining claims once more, now.
    }
  }

  private async check(claims: readonly AbandonedClaim[]): Promise<void> {
    const stored = await this.findStored(claims);
    for (const claim of claims) {
      claim.checksAt.shift();
      const isStored = stored?.has(claim.groupId) ?? false;
      if (isStored) this.giveBackStored(claim);
      if (isStored || stored === null || this.isClosing || claim.checksAt.length === 0)
        this.pending.delete(claim.groupId);
    }
  }

  /** Which of the batches are in the database; null when the query failed. */
  private async findStored(claims: readonly AbandonedClaim[]): Promise<ReadonlySet<string> | null> {
    try {
      const what = `${claims.length} unconfirmed claims`;
      const find = () => findGroups(claims, this.unitOfWork.autocommit);
      return new Set(await untilStored(find, { what, logger: this.logger }));
    } catch (error) {
      this.logger.error(`${claims.length} unconfirmed claims will wait for their horizon: ${(error as Error).message}`);
      return null;
    }
  }

  /** Each batch has its own transaction, so that a lock on one does not hold up the others. */
  private giveBackStored({ accountId, campaignId, groupId }: AbandonedClaim): void {
    const once = () => this.unitOfWork.transaction((tx) => this.giveBackWithin(accountId, campaignId, groupId, tx));
    const givenBack = untilStored(once, {
      what: `recipients of unconfirmed batch ${groupId}`,
      logger: this.logger,
    })
      .catch((error: Error) => this.logger.error(`batch ${groupId} will wait for its horizon: ${error.message}`))
      .finally(() => this.givingBack.delete(givenBack));
    this.givingBack.add(givenBack);
  }

  /** Does nothing if the batch has been settled in the meantime. */
  private async giveBackWithin(accountId: string, campaignId: string, groupId: string, tx: Tx): Promise<void> {
    const messageIds = await lockGroup(accountId, groupId, tx);
    if (messageIds === null) return;
    const status = await lockStatus(accountId, campaignId, tx);
    await putBackUnsent(accountId, campaignId, messageIds, tx);
    await release(accountId, campaignId, status, tx);
    await settleInFlight(accountId, groupId, null, tx);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.closing.abort();
    await this.search;
    await Promise.all(this.givingBack);
  }

  unfinished(): string | null {
    const count = this.pending.size + this.givingBack.size;
    return count === 0 ? null : `${count} unconfirmed claims`;
  }

  private get isClosing(): boolean {
    return this.closing.signal.aborted;
  }
}
