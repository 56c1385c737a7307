import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';
import { DUE_FILE, findDueAccounts } from './fetch.queries.js';
import { FetchPool } from './fetch-pool.js';

/** Finds files to fetch that no job announces: those that are tried again, and what a queue or a dead process has lost. */
@Injectable()
export class DueFilesSweep extends Sweep {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly pool: FetchPool,
  ) {
    super(SECOND, { look: DUE_FILE, isEverywhere: true });
  }

  protected async sweep(): Promise<void> {
    for (const accountId of await findDueAccounts(this.unitOfWork.autocommit)) this.pool.wake(accountId);
  }
}
