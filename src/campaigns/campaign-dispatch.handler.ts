import { Injectable } from '@nestjs/common';
import { HandlesJob, type JobHandler } from '../queues/job-handler.js';
import type { Jobs } from '../queues/jobs.js';
import { CampaignDispatcher } from './campaign-dispatcher.service.js';
import { CampaignLifecycle } from './campaign-lifecycle.service.js';

/** Runs one lane of a campaign; when its turn is over it queues up again behind other campaigns. */
@Injectable()
@HandlesJob('campaign.dispatch.v1')
export class CampaignDispatchHandler implements JobHandler<'campaign.dispatch.v1'> {
  constructor(
    private readonly dispatcher: CampaignDispatcher,
    private readonly lifecycle: CampaignLifecycle,
  ) {}

  async run({ account_id: accountId, campaign_id: campaignId }: Jobs['campaign.dispatch.v1']): Promise<void> {
    const end = await this.dispatcher.dispatch(accountId, campaignId);
    if (end === 'turn over') await this.lifecycle.wake(accountId, campaignId);
    else await this.lifecycle.completeIfDone(accountId, campaignId);
  }
}
