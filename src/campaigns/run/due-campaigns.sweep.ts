import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../../database/unit-of-work.js';
import { Sweep } from '../../queues/sweep.js';
import { Throughput } from '../../sending/slots/throughput.js';
import { DUE_CAMPAIGN, findDueCampaigns } from '../campaign.queries.js';
import { CampaignPumpsService } from './campaign-pumps.service.js';

/** Milliseconds. Campaigns must begin to send within a second, whichever process the job woke. */
const SWEEP_EVERY_MS = 250;

/**
 * Finds campaigns with recipients due that no process is sending: campaigns on phones this process owns, campaigns with
 * due retries, and campaigns left behind by a dead process or an unavailable queue.
 */
@Injectable()
export class DueCampaignsSweep extends Sweep {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly throughput: Throughput,
    private readonly pumps: CampaignPumpsService,
  ) {
    super(SWEEP_EVERY_MS, { look: DUE_CAMPAIGN, isEverywhere: true });
  }

  protected async sweep(): Promise<void> {
    const { owner } = this.throughput;
    const due = await findDueCampaigns(owner, this.pumps.campaignIds, this.unitOfWork.autocommit);
    await this.forEach(
      due,
      ({ id }) => `campaign ${id}`,
      ({ accountId, id }) => this.pumps.start(accountId, id),
      due.length,
    );
  }
}
