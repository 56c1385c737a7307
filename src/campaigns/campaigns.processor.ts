import { Processor } from '@nestjs/bullmq';
import type { Jobs } from '../queues/jobs.js';
import { QueueProcessor, WORKER_OPTIONS } from '../queues/queue.processor.js';
import { CampaignPumpsService } from './dispatch/campaign-pumps.service.js';

/**
 * Hands each campaign to this process's pumps. The job ends before anything is sent, so sending occupies no job slot.
 */
@Processor('campaigns', { ...WORKER_OPTIONS, concurrency: 4 })
export class CampaignsProcessor extends QueueProcessor<'campaign.dispatch.v1'> {
  constructor(private readonly pumps: CampaignPumpsService) {
    super('campaign.dispatch.v1');
  }

  protected async perform({ account_id, campaign_id }: Jobs['campaign.dispatch.v1']): Promise<void> {
    await this.pumps.start(account_id, campaign_id);
  }
}
