import { Injectable, Logger } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { oldestMessageOf } from '../messages/message-history.queries.js';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';
import type { Campaign } from './campaign.entity.js';
import {
  brakeCampaign,
  findBrakedCampaigns,
  JUDGED_TOGETHER,
  type Judgement,
  judgeRecipients,
} from './failure-brake.queries.js';

/**
 * Pauses campaigns of which too many recipients fail. They are judged whenever a batch is recorded, and each second for
 * failures that are reported later. Several processes may judge the same campaign: one of them pauses it.
 */
@Injectable()
export class FailureBrake extends Sweep {
  private readonly logger = new Logger(FailureBrake.name);

  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {
    super(SECOND);
  }

  protected async sweep(): Promise<void> {
    for (const campaign of await findBrakedCampaigns(this.unitOfWork.autocommit)) await this.judge(campaign);
  }

  /** Never throws: what cannot be judged now is judged with the next batch, or by the sweep. */
  async judge({ accountId, id }: Pick<Campaign, 'accountId' | 'id'>): Promise<void> {
    const tx = this.unitOfWork.autocommit;
    try {
      const judgement = await judgeRecipients(accountId, id, oldestMessageOf(id), tx);
      if (judgement === null) return;
      const reason = tooManyFailed(judgement);
      if ((await brakeCampaign(accountId, id, reason, tx)) > 0) {
        this.logger.warn(`campaign ${id} of account ${accountId} has paused: ${reason}`);
      }
    } catch (error) {
      this.logger.warn(`campaign ${id} is judged later: ${(error as Error).message}`);
    }
  }
}

const tooManyFailed = ({ failed, reason }: Judgement): string =>
  `${failed} of ${JUDGED_TOGETHER} recipients in a row failed, more than max_failure_percent allows; most often: ${reason}. ` +
  'Resume the campaign once the cause is mended, or cancel it';
