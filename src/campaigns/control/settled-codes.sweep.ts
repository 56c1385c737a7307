import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../../database/unit-of-work.js';
import { Sweep } from '../../queues/sweep.js';
import { SECOND } from '../../values/clock.js';
import { deleteEndedCodes, deleteSettledCodes, SETTLED_CODE } from './settled-codes.queries.js';

/** Recipients per statement. */
const BATCH = 1000;

/**
 * Deletes one-time codes as soon as nobody will send them any more, however their recipients came to an end: accepted,
 * refused, cancelled, unknown, or left behind by a worker that died.
 */
@Injectable()
export class SettledCodesSweep extends Sweep {
  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {
    super(SECOND, { look: SETTLED_CODE });
  }

  protected async sweep(): Promise<void> {
    while ((await deleteSettledCodes(BATCH, this.unitOfWork.autocommit)) === BATCH);
    await deleteEndedCodes(this.unitOfWork.autocommit);
  }
}
