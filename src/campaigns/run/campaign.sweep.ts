import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../../database/unit-of-work.js';
import { Sweep } from '../../queues/sweep.js';
import { SECOND } from '../../values/clock.js';
import { findFinishedCampaigns, LEFT_BEHIND } from '../campaign.queries.js';
import { CampaignEndingsService } from '../control/campaign-endings.service.js';
import { endExpiredLeases } from './recipient-claim.queries.js';

/** Cleans up after crashed workers: ends expired leases and completes campaigns that have nothing left to do. */
@Injectable()
export class CampaignSweep extends Sweep {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly endings: CampaignEndingsService,
  ) {
    super(SECOND, { look: LEFT_BEHIND });
  }

  protected async sweep(): Promise<void> {
    await endExpiredLeases(this.unitOfWork.autocommit);
    const finished = await findFinishedCampaigns(this.unitOfWork.autocommit);
    await this.forEach(
      finished,
      ({ id }) => `campaign ${id}`,
      ({ accountId, id }) => this.endings.completeIfDone(accountId, id),
    );
  }
}
