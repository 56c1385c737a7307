import { Injectable } from '@nestjs/common';
import { lowestIdAt } from '../database/partitions.js';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { DAY, HOUR, now } from '../values/clock.js';
import { deleteUnhandledCallbacks } from './retention.queries.js';

const BATCH = 2000;
/** How long callbacks that Parley has no use for are kept, milliseconds. */
const UNHANDLED_CALLBACKS_KEPT_MS = 30 * DAY;

/** Deletes expired rows of tables without partitions. */
@Injectable()
export class ExpiredRowsSweep extends Sweep {
  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {
    super(HOUR);
  }

  async sweep(): Promise<void> {
    const before = lowestIdAt(new Date(now().getTime() - UNHANDLED_CALLBACKS_KEPT_MS));
    while ((await deleteUnhandledCallbacks(before, BATCH, this.unitOfWork.autocommit)) === BATCH);
  }
}
