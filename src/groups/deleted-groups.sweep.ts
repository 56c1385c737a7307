import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';
import { DELETED_GROUP, dropMembers, findDeletedGroups, removeGroup } from './deleted-group.queries.js';

/** Members removed per statement. */
const BATCH = 1000;
/** Batches per run, so that a backlog does not delay a shutdown. */
const MAX_BATCHES = 20;

/** Removes the members of deleted groups in small batches, then the groups themselves. */
@Injectable()
export class DeletedGroupsSweep extends Sweep {
  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {
    super(5 * SECOND, { look: DELETED_GROUP });
  }

  protected async sweep(): Promise<void> {
    const { autocommit } = this.unitOfWork;
    let batches = 0;
    await this.forEach(
      await findDeletedGroups(autocommit),
      ({ groupId }) => `group ${groupId}`,
      async (group) => {
        for (let dropped = BATCH; dropped === BATCH; batches += 1) {
          if (batches >= MAX_BATCHES) return;
          dropped = await dropMembers(group, BATCH, autocommit);
        }
        await removeGroup(group, autocommit);
      },
    );
  }
}
