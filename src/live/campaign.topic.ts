import { Injectable } from '@nestjs/common';
import { CampaignsService } from '../campaigns/campaigns.service.js';
import { liveCampaign } from '../campaigns/progress/live-campaign.js';
import { findLiveCampaigns } from '../campaigns/progress/live-campaigns.queries.js';
import { LivePace } from '../campaigns/progress/live-pace.js';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { isRecordId } from '../values/record-id.js';
import { LiveTopic, type Watched } from './live-topic.js';

/** One campaign. */
@Injectable()
export class CampaignTopic extends LiveTopic {
  readonly name = 'campaign';
  readonly event = 'campaign';
  readonly scopes = ['campaigns:read'] as const;
  override readonly form = '<id>';
  readonly everyMs = 500;
  private readonly pace = new LivePace();

  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly campaigns: CampaignsService,
  ) {
    super();
  }

  override readSubject(text: string): string | null {
    return isRecordId(text) ? text.toLowerCase() : null;
  }

  override async requireSubject(accountId: string, campaignId: string): Promise<void> {
    await this.campaigns.getWithCounts(accountId, campaignId);
  }

  async read(watched: readonly Watched[]): Promise<(object | null)[]> {
    const rows = await findLiveCampaigns(
      watched.map(({ accountId }) => accountId),
      watched.map(({ subject }) => String(subject)),
      this.unitOfWork.autocommit,
    );
    this.pace.note(rows, performance.now());
    const byId = new Map(rows.map((row) => [row.id, liveCampaign(row, this.pace.of(row))]));
    return watched.map(({ subject }) => byId.get(String(subject)) ?? null);
  }
}
