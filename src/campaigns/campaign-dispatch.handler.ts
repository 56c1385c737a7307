import { Injectable } from '@nestjs/common';
import { HandlesJob, type JobHandler } from '../queues/job-handler.js';
import type { Jobs } from '../queues/jobs.js';
import { CampaignPumps } from './campaign-pumps.service.js';

/** Hands a campaign to the pumps of its process, and holds no slot while they work. */
@Injectable()
@HandlesJob('campaign.dispatch.v1')
export class CampaignDispatchHandler implements JobHandler<'campaign.dispatch.v1'> {
  constructor(private readonly pumps: CampaignPumps) {}

  async run({ account_id: accountId, campaign_id: campaignId }: Jobs['campaign.dispatch.v1']): Promise<void> {
    await this.pumps.attend(accountId, campaignId);
  }
}
