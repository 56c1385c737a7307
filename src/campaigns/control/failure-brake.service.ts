import { Injectable, Logger } from '@nestjs/common';
import { AuditLog } from '../../audit/audit-log.js';
import { BackgroundUnitOfWork } from '../../database/unit-of-work.js';
import { oldestMessageOf } from '../../messages/history/message-history.queries.js';
import { Sweep } from '../../queues/sweep.js';
import { MINUTE, SECOND } from '../../values/clock.js';
import { OncePer } from '../../values/once-per.js';
import type { Campaign } from '../campaign.entity.js';
import {
  BRAKED_CAMPAIGN,
  findCampaignsWithBrake,
  type Judgement,
  judgeRecipients,
  pauseForFailures,
  SAMPLE_SIZE,
} from './failure-brake.queries.js';

/**
 * Pauses campaigns when too many of their recipients fail. A campaign is judged whenever a batch is recorded, and every
 * second for failures reported later. Several processes may judge the same campaign; only one pauses it.
 */
@Injectable()
export class FailureBrakeService extends Sweep {
  private readonly logger = new Logger(FailureBrakeService.name);
  private readonly judging = new Set<string>();
  private readonly logLimit = new OncePer(MINUTE);

  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {
    super(SECOND, { look: BRAKED_CAMPAIGN });
  }

  protected async sweep(): Promise<void> {
    const campaigns = await findCampaignsWithBrake(this.unitOfWork.autocommit);
    await this.forEach(
      campaigns,
      ({ id }) => `campaign ${id}`,
      (campaign) => this.judge(campaign),
    );
  }

  /**
   * Judges a campaign. Does nothing if that is already in progress: the sweep covers what is recorded meanwhile. Never
   * throws.
   */
  async judge({ accountId, id }: Pick<Campaign, 'accountId' | 'id'>): Promise<void> {
    if (this.judging.has(id)) return;
    this.judging.add(id);
    try {
      const judgement = await judgeRecipients(accountId, id, oldestMessageOf(id), this.unitOfWork.autocommit);
      if (judgement === null) return;
      const reason = tooManyFailed(judgement);
      const paused = await this.unitOfWork.transaction(async (tx) => {
        if ((await pauseForFailures(accountId, id, reason, judgement.judgedFrom, tx)) === 0) return false;
        const changes = { failed: judgement.failed, of: SAMPLE_SIZE };
        await AuditLog.writeBySystem(accountId, { action: 'campaign.paused', subjectId: id, changes }, tx);
        return true;
      });
      if (paused) {
        this.logger.warn(`campaign ${id} of account ${accountId} was paused: ${reason}`);
      }
    } catch (error) {
      if (this.logLimit.allows('later'))
        this.logger.warn(`campaign ${id} could not be judged: ${(error as Error).message}`);
    } finally {
      this.judging.delete(id);
    }
  }
}

const tooManyFailed = ({ failed, reason }: Judgement): string =>
  `${failed} of ${SAMPLE_SIZE} recipients in a row failed, more than max_failure_percent allows. Most common error: ` +
  `${reason}. Resume the campaign once the cause is fixed, or cancel it`;
