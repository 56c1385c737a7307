import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';
import {
  closeRun,
  DUE_ERASURE,
  findAccountsToErase,
  lockRun,
  openRun,
  saveRunProgress,
} from './erasure-run.queries.js';
import { ErasureSteps } from './erasure-steps.js';
import { OwedSourcesService } from './owed-sources.service.js';

/** Batches per account and run, so that other accounts get their turn and a shutdown does not wait long. */
const MAX_BATCHES = 50;

/**
 * Removes the data of erased contacts from all tables. Each account has one run at a time, which goes through the
 * tables once for all contacts that are due. Each batch commits together with the run's position, so any worker can
 * continue after a crash.
 */
@Injectable()
export class ErasureSweep extends Sweep {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly steps: ErasureSteps,
    private readonly owed: OwedSourcesService,
  ) {
    super(SECOND, { look: DUE_ERASURE });
  }

  protected async sweep(): Promise<void> {
    const accountIds = await findAccountsToErase(this.unitOfWork.autocommit);
    await this.forEach(
      accountIds,
      (accountId) => `account ${accountId}`,
      (accountId) => this.advance(accountId),
    );
  }

  private async advance(accountId: string): Promise<void> {
    await this.owed.retry(accountId);
    while (await this.unitOfWork.transaction((tx) => this.steps.postponeUnreadable(accountId, tx)));
    await this.unitOfWork.transaction((tx) => openRun(accountId, this.steps.first, tx));
    for (let batches = 0; batches < MAX_BATCHES; batches += 1) if (!(await this.runBatch(accountId))) return;
  }

  /** @returns whether the account may have more to do */
  private runBatch(accountId: string): Promise<boolean> {
    return this.unitOfWork.transaction(async (tx) => {
      const run = await lockRun(accountId, tx);
      if (run === null) return false;
      const next = await this.steps.advance(run, tx);
      if (next === null) await closeRun(accountId, tx);
      else await saveRunProgress(accountId, next.step, next.position, tx);
      return next !== null;
    });
  }
}
