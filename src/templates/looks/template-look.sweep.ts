import { Injectable, Logger } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../../database/unit-of-work.js';
import { Sweep } from '../../queues/sweep.js';
import { DAY, HOUR, SECOND } from '../../values/clock.js';
import { OncePer } from '../../values/once-per.js';
import { TemplateRefreshService } from '../sync/template-refresh.service.js';
import { lockBusinessAccount } from '../sync/template-sync.queries.js';
import {
  claimLooks,
  DUE_TEMPLATE,
  type DueBusiness,
  findDueBusinesses,
  forgetUnused,
  settleLooks,
} from './template-look.queries.js';

/** Business accounts looked up concurrently. */
const BATCH = 10;

/**
 * Reads the templates in use from the network once a day, and those with an announced change when it is due: a notice
 * about a new category may be lost. One business account at a time, as one list has all its templates.
 */
@Injectable()
export class TemplateLookSweep extends Sweep {
  private readonly logger = new Logger(TemplateLookSweep.name);
  private readonly logLines = new OncePer(HOUR);

  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly templates: TemplateRefreshService,
  ) {
    super(SECOND, { look: DUE_TEMPLATE });
  }

  protected async sweep(): Promise<void> {
    for (;;) {
      const due = await findDueBusinesses(BATCH, this.unitOfWork.autocommit);
      const left = await this.forEach(
        due,
        ({ wabaId }) => `business account ${wabaId}`,
        (business) => this.look(business),
        BATCH,
      );
      // What could not even be claimed waits for the next run.
      if (due.length < BATCH || left.length > 0) return;
    }
  }

  /** A failed look is repeated in an hour. @throws when it could not be claimed */
  private async look(business: DueBusiness): Promise<void> {
    const { accountId, wabaId } = business;
    const claimed = await this.claim(business);
    if (claimed.length === 0) return;
    try {
      await this.templates.refresh(accountId, wabaId, claimed);
      await settleLooks(business, claimed, DAY, this.unitOfWork.autocommit);
    } catch (error) {
      // Until then the categories stay as they are known, and a token that has expired makes every look fail.
      if (this.logLines.allows(wabaId)) {
        this.logger.warn(
          `could not look up the templates of ${wabaId} of account ${accountId}, will retry: ${(error as Error).message}`,
        );
      }
    }
  }

  private claim(business: DueBusiness): Promise<string[]> {
    return this.unitOfWork.transaction(async (tx) => {
      await lockBusinessAccount(business.accountId, business.wabaId, tx);
      await forgetUnused(business, tx);
      return claimLooks(business, HOUR, tx);
    });
  }
}
