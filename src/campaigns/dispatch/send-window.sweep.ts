import { Injectable, Logger } from '@nestjs/common';
import { BULK_STATEMENT_MS } from '../../database/connections/deadlines.js';
import { BackgroundUnitOfWork } from '../../database/unit-of-work.js';
import { Sweep } from '../../queues/sweep.js';
import { MINUTE, SECOND } from '../../values/clock.js';
import { OncePer } from '../../values/once-per.js';
import { planNextOpening } from './campaign-opening.js';
import { findClosedCampaigns } from './campaign-opening.queries.js';

/** Plans the next opening of campaigns that have closed, and ends those whose deadline has passed. */
@Injectable()
export class SendWindowSweep extends Sweep {
  private readonly logger = new Logger(SendWindowSweep.name);
  private readonly logLimit = new OncePer(MINUTE);

  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {
    super(SECOND);
  }

  protected async sweep(): Promise<void> {
    for (const { accountId, id } of await findClosedCampaigns(this.unitOfWork.autocommit)) {
      try {
        await this.unitOfWork.transaction((tx) => planNextOpening(accountId, id, tx), {
          statementMs: BULK_STATEMENT_MS,
        });
      } catch (error) {
        if (!this.logLimit.allows('closed')) continue;
        this.logger.warn(`campaign ${id} could not be opened and will be retried: ${(error as Error).message}`);
      }
    }
  }
}
