import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { MINUTE } from '../values/clock.js';
import { deleteExpiredKeys } from './idempotency.queries.js';

const BATCH = 1000;

/** Deletes idempotency keys older than 24 hours, which already count as absent. */
@Injectable()
export class ExpiredKeysSweep extends Sweep {
  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {
    super(MINUTE);
  }

  protected async sweep(): Promise<void> {
    while ((await deleteExpiredKeys(BATCH, this.unitOfWork.autocommit)) === BATCH);
  }
}
