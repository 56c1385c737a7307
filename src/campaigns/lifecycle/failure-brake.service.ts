import { Injectable, Logger } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../../database/unit-of-work.js';
import { oldestMessageOf } from '../../messages/history/message-history.queries.js';
import { Sweep } from '../../queues/sweep.js';
import { MINUTE, SECOND } from '../../values/clock.js';
import { OncePer } from '../../values/once-per.js';
import type { Campaign } from '../campaign.entity.js';
import {
  findCampaignsWithBrake,
  type Judgement,
  judgeRecipients,
  pauseForFailures,
  SAMPLE_SIZE,
} from './failure-brake.queries.js';

/**
 * Pauses campaigns of which too many recipients fail. They are judged whenever a batch is recorded, and each second for
 * failures that are reported later. Several processes may judge the same campaign: one of them pauses it.
 */
@Injectable()
export class FailureBrakeService extends Sweep {
  private readonly logger = new Logger(FailureBrakeService.name);
  private readonly judging = new Set<string>();
  private readonly lines = new OncePer(MINUTE);

  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {
    super(SECOND);
  }

  protected async sweep(): Promise<void> {
    for (const campaign of await findCampaignsWithBrake(this.unitOfWork.autocommit)) await this.judge(campaign);
  }

  /** Judges a campaign soon, once however often it is asked: what is recorded meanwhile is the sweep's. Never throws. */
  async judge({ accountId, id }: Pick<Campaign, 'accountId' | 'id'>): Promise<void> {
    if (this.judging.has(id)) return;
    this.judging.add(id);
    const tx = this.unitOfWork.autocommit;
    try {
      const judgement = await judgeRecipients(accountId, id, oldestMessageOf(id), tx);
      if (judgement === null) return;
      const reason = tooManyFailed(judgement);
      if ((await pauseForFailures(accountId, id, reason, tx)) > 0) {
        this.logger.warn(`campaign ${id} of account ${accountId} has paused: ${reason}`);
      }
    } catch (error) {
      if (this.lines.allows('later')) this.logger.warn(`campaign ${id} is judged later: ${(error as Error).message}`);
    } finally {
      this.judging.delete(id);
    }
  }
}

const tooManyFailed = ({ failed, reason }: Judgement): string =>
  `${failed} of ${SAMPLE_SIZE} recipients in a row failed, more than max_failure_percent allows; most often: ${reason}. ` +
  'Resume the campaign once the cause is mended, or cancel it';
