import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';
import { dropMembers, findDeletedGroups, removeGroup } from './deleted-group.queries.js';

/** Members that leave together. */
const BATCH = 1000;
/** Batches of one run: a backlog is worked off without keeping a shutdown waiting. */
const MAX_BATCHES = 20;

/** Removes what deleted groups have left, in small batches: their members, and in the end the group itself. */
@Injectable()
export class DeletedGroupsSweep extends Sweep {
  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {
    super(5 * SECOND);
  }

  protected async sweep(): Promise<void> {
    const { autocommit } = this.unitOfWork;
    let batches = 0;
    for (const group of await findDeletedGroups(autocommit)) {
      for (let dropped = BATCH; dropped === BATCH; batches += 1) {
        if (batches === MAX_BATCHES) return;
        dropped = await dropMembers(group, BATCH, autocommit);
      }
      await removeGroup(group, autocommit);
    }
  }
}
