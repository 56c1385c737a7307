import { Injectable } from '@nestjs/common';
import { HandlesJob, type JobHandler } from '../queues/job-handler.js';
import type { Jobs } from '../queues/jobs.js';
import { CampaignDispatcher } from './campaign-dispatcher.service.js';
import { CampaignFailures } from './campaign-failures.service.js';
import { CampaignLifecycle } from './campaign-lifecycle.service.js';

/**
 * Runs one lane of a campaign; when its turn is over it queues up again behind other campaigns. A lane that fails is not
 * queued again: the sweep does that when its campaign may try again.
 */
@Injectable()
@HandlesJob('campaign.dispatch.v1')
export class CampaignDispatchHandler implements JobHandler<'campaign.dispatch.v1'> {
  constructor(
    private readonly dispatcher: CampaignDispatcher,
    private readonly lifecycle: CampaignLifecycle,
    private readonly failures: CampaignFailures,
  ) {}

  async run({ account_id: accountId, campaign_id: campaignId, lane }: Jobs['campaign.dispatch.v1']): Promise<void> {
    if (!this.failures.mayTry(campaignId, lane)) return;
    try {
      const end = await this.dispatcher.dispatch(accountId, campaignId, () => this.failures.recovered(campaignId));
      if (end === 'not running') this.failures.forget(campaignId);
      else if (end === 'turn over') await this.lifecycle.wake(accountId, campaignId);
      else await this.lifecycle.completeIfDone(accountId, campaignId);
    } catch (error) {
      await this.failures.failed(accountId, campaignId, error);
    }
  }
}
