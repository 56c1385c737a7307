import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';
import { completeFinished } from './campaign.queries.js';
import { endExpiredLeases } from './recipient-claim.queries.js';

/** Finds what a crash left of campaigns: batches in dead hands, and campaigns that are done. */
@Injectable()
export class CampaignSweep extends Sweep {
  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {
    super(SECOND);
  }

  protected async sweep(): Promise<void> {
    await endExpiredLeases(this.unitOfWork.autocommit);
    await completeFinished(this.unitOfWork.autocommit);
  }
}
