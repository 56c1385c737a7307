import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';
import { findRunningCampaigns } from './campaign.queries.js';
import { CampaignFailures } from './campaign-failures.service.js';
import { CampaignLifecycle } from './campaign-lifecycle.service.js';
import { endExpiredLeases } from './recipient-claim.queries.js';

/** Finds what a crash left of campaigns: batches in dead hands, campaigns without a worker, campaigns that are done. */
@Injectable()
export class CampaignSweep extends Sweep {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly lifecycle: CampaignLifecycle,
    private readonly failures: CampaignFailures,
  ) {
    super(SECOND);
  }

  protected async sweep(): Promise<void> {
    await endExpiredLeases(this.unitOfWork.autocommit);
    for (const { accountId, id, due } of await findRunningCampaigns(this.unitOfWork.autocommit)) {
      if (this.failures.mayTry(id)) await this.attend(accountId, id, due);
    }
  }

  /** A campaign that fails does not keep the sweep from the others. */
  private async attend(accountId: string, id: string, due: boolean): Promise<void> {
    try {
      if (due) await this.lifecycle.wake(accountId, id);
      else await this.lifecycle.completeIfDone(accountId, id);
    } catch (error) {
      await this.failures.failed(accountId, id, error);
    }
  }
}
