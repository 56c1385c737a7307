import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../../database/unit-of-work.js';
import { Sweep } from '../../queues/sweep.js';
import { SECOND } from '../../values/clock.js';
import { waitedTooLong } from '../planning/campaign-stop.js';
import { CampaignEndingsService } from './campaign-endings.service.js';
import { findLongWaits, LONG_WAIT, MAX_WAIT_HOURS } from './long-waits.queries.js';

/** Stops campaigns that have waited for a day because the network keeps failing their phone. They can be resumed. */
@Injectable()
export class LongWaitsSweep extends Sweep {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly endings: CampaignEndingsService,
  ) {
    super(30 * SECOND, { look: LONG_WAIT });
  }

  protected async sweep(): Promise<void> {
    await this.forEach(
      await findLongWaits(this.unitOfWork.autocommit),
      ({ id }) => `campaign ${id}`,
      ({ detail, ...run }) => this.endings.stop(run, waitedTooLong(MAX_WAIT_HOURS, detail)),
    );
  }
}
