import { Injectable } from '@nestjs/common';
import { findPurgedAccounts } from '../contacts/erasure/contact-erasure.queries.js';
import { ContactErasureService } from '../contacts/erasure/contact-erasure.service.js';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';

/** Contacts that are hidden together. */
const BATCH = 500;
/** Batches of one account in a row: the others come in turn, and a shutdown need not wait long. */
const MAX_BATCHES = 20;

/** Hides all contacts of accounts that are to have none any more, in small batches; they are removed like others then. */
@Injectable()
export class ContactPurgeSweep extends Sweep {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly erasures: ContactErasureService,
  ) {
    super(SECOND);
  }

  protected async sweep(): Promise<void> {
    for (const accountId of await findPurgedAccounts(this.unitOfWork.autocommit)) {
      for (let batches = 0; batches < MAX_BATCHES; batches += 1) {
        if ((await this.erasures.purge(accountId, BATCH, this.unitOfWork)) < BATCH) break;
      }
    }
  }
}
