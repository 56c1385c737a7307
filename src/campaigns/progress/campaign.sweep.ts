import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../../database/unit-of-work.js';
import { Sweep } from '../../queues/sweep.js';
import { SECOND } from '../../values/clock.js';
import { findFinishedCampaigns } from '../campaign.queries.js';
import { endExpiredLeases } from '../dispatch/recipient-claim.queries.js';
import { CampaignFailuresService } from '../lifecycle/campaign-failures.service.js';
import { CampaignLifecycleService } from '../lifecycle/campaign-lifecycle.service.js';

/** Finds what a crash left of campaigns: batches in dead hands, and campaigns that are done. */
@Injectable()
export class CampaignSweep extends Sweep {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly lifecycle: CampaignLifecycleService,
    private readonly failures: CampaignFailuresService,
  ) {
    super(SECOND);
  }

  protected async sweep(): Promise<void> {
    await endExpiredLeases(this.unitOfWork.autocommit);
    for (const { accountId, id } of await findFinishedCampaigns(this.unitOfWork.autocommit)) {
      try {
        await this.lifecycle.completeIfDone(accountId, id);
      } catch (error) {
        // One that somebody has locked keeps no other from its end.
        await this.failures.failed(accountId, id, error);
      }
    }
  }
}
