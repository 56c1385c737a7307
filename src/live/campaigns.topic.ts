import { Injectable } from '@nestjs/common';
import { liveCampaign } from '../campaigns/progress/live-campaign.js';
import { findRunningCampaigns } from '../campaigns/progress/live-campaigns.queries.js';
import { LivePace } from '../campaigns/progress/live-pace.js';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { SECOND } from '../values/clock.js';
import { LiveTopic, type Watched } from './live-topic.js';

/** The campaigns of an account that run, at most the twenty newest. */
@Injectable()
export class CampaignsTopic extends LiveTopic {
  readonly name = 'campaigns';
  readonly event = 'campaigns';
  readonly scopes = ['campaigns:read'] as const;
  readonly everyMs = SECOND;
  private readonly pace = new LivePace();

  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {
    super();
  }

  async read(watched: readonly Watched[]): Promise<object[]> {
    const accountIds = watched.map(({ accountId }) => accountId);
    const rows = await findRunningCampaigns(accountIds, this.unitOfWork.autocommit);
    this.pace.note(rows, performance.now());
    return accountIds.map((accountId) => ({
      campaigns: rows.filter((row) => row.accountId === accountId).map((row) => liveCampaign(row, this.pace.of(row))),
    }));
  }
}
