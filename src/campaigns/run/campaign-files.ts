import { setTimeout } from 'node:timers/promises';
import type { Logger } from '@nestjs/common';
import { isTransient } from '../../database/connections/transient-errors.js';
import type { NetworkCopies } from '../../media/network-copies.js';
import type { CampaignPlan } from '../planning/campaign-plan.js';
import { uploadStop } from '../planning/campaign-stop.js';

/** How long a campaign waits after the network did not take its file, milliseconds. */
const REST_MS = 5000;

/** The uploaded files that all messages of a campaign name. */
export class CampaignFiles {
  constructor(
    private readonly copies: NetworkCopies,
    private readonly logger: Logger,
  ) {}

  /** Whether the phone can send them. */
  areThere({ phone, fileIds }: CampaignPlan): boolean {
    return fileIds.length === 0 || this.copies.idsFor(phone, fileIds) !== null;
  }

  /**
   * Uploads those that the phone cannot send yet, or not any more.
   *
   * @returns false when the network does not take them now
   * @throws CampaignStop when it refuses them
   */
  async upload({ phone, fileIds, campaign }: CampaignPlan): Promise<boolean> {
    try {
      await this.copies.ensure(phone, fileIds);
      return true;
    } catch (error) {
      const stop = uploadStop(error);
      if (stop !== null) throw stop.in(campaign.runs);
      if (isTransient(error)) throw error;
      this.logger.warn(`campaign ${campaign.id} waits for a file to be uploaded: ${(error as Error).message}`);
      await setTimeout(REST_MS, undefined, { ref: false });
      return false;
    }
  }
}
