import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../../database/unit-of-work.js';
import { Sweep } from '../../queues/sweep.js';
import { SECOND } from '../../values/clock.js';
import { findScheduledCampaigns } from '../campaign.queries.js';
import { CampaignFailuresService } from './campaign-failures.service.js';
import { CampaignLifecycleService } from './campaign-lifecycle.service.js';

/** How often it looks, milliseconds: a campaign starts within a second of its time. */
const SWEEP_EVERY_MS = SECOND / 4;
/** Campaigns that one look starts; the next look is soon. */
const MAX_STARTS = 50;

/**
 * Starts campaigns whose time has come, also those that came due while no process was alive. Every worker looks; of
 * several that find the same campaign one starts it. Each starts by itself, so that one that fails or waits for a lock
 * keeps no other from its time.
 */
@Injectable()
export class ScheduledCampaignsSweep extends Sweep {
  /** Campaigns that this process is starting. */
  private readonly starting = new Map<string, Promise<void>>();

  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly lifecycle: CampaignLifecycleService,
    private readonly failures: CampaignFailuresService,
  ) {
    super(SWEEP_EVERY_MS);
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
