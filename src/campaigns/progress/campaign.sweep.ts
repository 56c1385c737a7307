import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../../database/unit-of-work.js';
import { Sweep } from '../../queues/sweep.js';
import { SECOND } from '../../values/clock.js';
import { findFinishedCampaigns } from '../campaign.queries.js';
import { endExpiredLeases } from '../dispatch/recipient-claim.queries.js';
import { CampaignFailuresService } from '../lifecycle/campaign-failures.service.js';
import { CampaignLifecycleService } from '../lifecycle/campaign-lifecycle.service.js';

/** Cleans up after crashed workers: ends expired leases and completes campaigns that have nothing left to do. */
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
        // A campaign that is locked must not keep the others from being completed.
        await this.failures.failed(accountId, id, error);
      }
    }
  }
}
