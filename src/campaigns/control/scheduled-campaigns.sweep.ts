import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../../database/unit-of-work.js';
import { Sweep } from '../../queues/sweep.js';
import { SECOND } from '../../values/clock.js';
import { findScheduledCampaigns, SCHEDULED_CAMPAIGN } from '../campaign.queries.js';
import { CampaignControlService } from './campaign-control.service.js';
import { CampaignFailuresService } from './campaign-failures.service.js';

/** Milliseconds. Campaigns must start within a second of their scheduled time. */
const SWEEP_EVERY_MS = SECOND / 4;
/** Campaigns started per sweep; the next sweep comes soon. */
const MAX_STARTS = 50;

/**
 * Starts scheduled campaigns that are due, including those that came due while no process was running. If two processes
 * find the same campaign, only one starts it. Campaigns start independently, so one that fails or waits for a lock does
 * not delay the others.
 */
@Injectable()
export class ScheduledCampaignsSweep extends Sweep {
  /** Campaigns this process is starting. */
  private readonly starting = new Map<string, Promise<void>>();

  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly lifecycle: CampaignControlService,
    private readonly failures: CampaignFailuresService,
  ) {
    super(SWEEP_EVERY_MS, { look: SCHEDULED_CAMPAIGN });
  }

  protected async sweep(): Promise<void> {
    const due = await findScheduledCampaigns(this.unitOfWork.autocommit);
    const free = due.filter(({ id }) => !this.starting.has(id) && this.failures.mayTry(id));
    for (const { accountId, id } of free.slice(0, MAX_STARTS)) {
      this.starting.set(
        id,
        this.start(accountId, id).finally(() => this.starting.delete(id)),
      );
    }
  }

  private async start(accountId: string, id: string): Promise<void> {
    try {
      await this.lifecycle.startScheduled(accountId, id);
    } catch (error) {
      await this.failures.failed(accountId, id, error);
    }
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await Promise.all(this.starting.values());
  }
}
