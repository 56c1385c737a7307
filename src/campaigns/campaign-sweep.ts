import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';
import { findFinishedCampaigns } from './campaign.queries.js';
import { CampaignLifecycle } from './campaign-lifecycle.service.js';
import { endExpiredLeases } from './recipient-claim.queries.js';

/** Finds what a crash left of campaigns: batches in dead hands, and campaigns that are done. */
@Injectable()
export class CampaignSweep extends Sweep {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly lifecycle: CampaignLifecycle,
  ) {
    super(SECOND);
  }

  protected async sweep(): Promise<void> {
    await endExpiredLeases(this.unitOfWork.autocommit);
    for (const { accountId, id } of await findFinishedCampaigns(this.unitOfWork.autocommit)) {
      await this.lifecycle.completeIfDone(accountId, id);
    }
  }
}
