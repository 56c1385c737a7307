import { Injectable } from '@nestjs/common';
import { findPurgedAccounts, REQUESTED_PURGE } from '../contacts/erasure/contact-erasure.queries.js';
import { ContactErasureService } from '../contacts/erasure/contact-erasure.service.js';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';

/** Contacts hidden per transaction. */
const BATCH = 500;
/** Batches per account and run, so that other accounts get their turn and a shutdown does not wait long. */
const MAX_BATCHES = 20;

/**
 * Hides all contacts of accounts that are being purged, in small batches. The erasure sweep then removes their data.
 */
@Injectable()
export class ContactPurgeSweep extends Sweep {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly erasures: ContactErasureService,
  ) {
    super(SECOND, { look: REQUESTED_PURGE });
  }

  protected async sweep(): Promise<void> {
    const accountIds = await findPurgedAccounts(this.unitOfWork.autocommit);
    await this.forEach(
      accountIds,
      (accountId) => `account ${accountId}`,
      async (accountId) => {
        for (let batches = 0; batches < MAX_BATCHES; batches += 1) {
          if ((await this.erasures.purge(accountId, BATCH, this.unitOfWork)) < BATCH) return;
        }
      },
    );
  }
}
