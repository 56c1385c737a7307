import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';
import { CampaignLifecycle } from './campaign-lifecycle.service.js';
import { findRunningCampaigns, releaseExpiredLeases } from './recipient.queries.js';

/** Finds what a crash left of campaigns: recipients in dead hands, campaigns without a worker, campaigns that are done. */
@Injectable()
export class CampaignSweep extends Sweep {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly lifecycle: CampaignLifecycle,
  ) {
    super(SECOND);
  }

  protected async sweep(): Promise<void> {
    await releaseExpiredLeases(this.unitOfWork.autocommit);
    for (const { account_id: accountId, id, due } of await findRunningCampaigns(this.unitOfWork.autocommit)) {
      if (due) await this.lifecycle.wake(accountId, id);
      else await this.lifecycle.completeIfDone(accountId, id);
    }
  }
}
