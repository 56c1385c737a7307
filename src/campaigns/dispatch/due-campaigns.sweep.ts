import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../../database/unit-of-work.js';
import { Throughput } from '../../network/throughput.js';
import { Sweep } from '../../queues/sweep.js';
import { findDueCampaigns } from '../campaign.queries.js';
import { CampaignPumpsService } from './campaign-pumps.service.js';

/** Well within the second in which a campaign begins to send, whoever was woken for it. Milliseconds. */
const SWEEP_EVERY_MS = 250;

/**
 * Finds campaigns with something due that no process sends: those of the phones of this one, those whose recipients are due
 * again, and those that a dead process, or a queue that is away, has left.
 */
@Injectable()
export class DueCampaignsSweep extends Sweep {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly throughput: Throughput,
    private readonly pumps: CampaignPumpsService,
  ) {
    super(SWEEP_EVERY_MS);
  }

  protected async sweep(): Promise<void> {
    const { owner } = this.throughput;
    const due = await findDueCampaigns(owner, this.pumps.campaignIds, this.unitOfWork.autocommit);
    await Promise.all(due.map(({ accountId, id }) => this.pumps.start(accountId, id)));
  }
}
