import { Processor } from '@nestjs/bullmq';
import type { IdsOf } from '../manifest/job-kind.js';
import { QueueProcessor, WORKER_OPTIONS } from '../queues/queue.processor.js';
import { CAMPAIGN_DISPATCH } from './campaigns.jobs.js';
import { CampaignPumpsService } from './run/campaign-pumps.service.js';

/**
 * Hands each campaign to this process's pumps. The job ends before anything is sent, so sending occupies no job slot.
 */
@Processor(CAMPAIGN_DISPATCH.queue, { ...WORKER_OPTIONS, concurrency: 4 })
export class CampaignsProcessor extends QueueProcessor<IdsOf<typeof CAMPAIGN_DISPATCH>> {
  constructor(private readonly pumps: CampaignPumpsService) {
    super(CAMPAIGN_DISPATCH);
  }

  protected async perform({ account_id, campaign_id }: IdsOf<typeof CAMPAIGN_DISPATCH>): Promise<void> {
    await this.pumps.start(account_id, campaign_id);
  }
}
