import { Injectable } from '@nestjs/common';
import { BULK_STATEMENT_MS } from '../../database/connections/deadlines.js';
import { BackgroundUnitOfWork } from '../../database/unit-of-work.js';
import { Sweep } from '../../queues/sweep.js';
import { SECOND } from '../../values/clock.js';
import type { Campaign } from '../campaign.entity.js';
import { planNextOpening } from '../planning/campaign-opening.js';
import { CLOSED_CAMPAIGN, findClosedCampaigns } from '../planning/campaign-opening.queries.js';
import { CampaignEndingsService } from './campaign-endings.service.js';

/**
 * Plans the next opening of campaigns that have closed, ends those whose deadline has passed, and stops those in which
 * only recipients are left whom the network does not let us send to until somebody acts.
 */
@Injectable()
export class SendWindowSweep extends Sweep {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly endings: CampaignEndingsService,
  ) {
    super(SECOND, { look: CLOSED_CAMPAIGN });
  }

  protected async sweep(): Promise<void> {
    const closed = await findClosedCampaigns(this.unitOfWork.autocommit);
    await this.forEach(
      closed,
      ({ id }) => `campaign ${id}`,
      (campaign) => this.plan(campaign),
    );
  }

  private async plan({ accountId, id }: Pick<Campaign, 'accountId' | 'id'>): Promise<void> {
    const next = () =>
      this.unitOfWork.transaction((tx) => planNextOpening(accountId, id, tx), { statementMs: BULK_STATEMENT_MS });
    const stop = await next();
    // It stays closed, so after a death the next sweep finds it again.
    if (stop !== null) await this.endings.stop({ accountId, id, runs: stop.run ?? 0 }, stop.message);
  }
}
