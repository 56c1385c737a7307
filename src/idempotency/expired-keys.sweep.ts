import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { MINUTE } from '../values/clock.js';
import { dropOldKeys } from './idempotency.queries.js';

const BATCH = 1000;

/** Removes idempotency keys that are older than 24 hours and count as absent already. */
@Injectable()
export class ExpiredKeysSweep extends Sweep {
  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {
    super(MINUTE);
  }

  protected async sweep(): Promise<void> {
    while ((await dropOldKeys(BATCH, this.unitOfWork.autocommit)) === BATCH);
  }
}
