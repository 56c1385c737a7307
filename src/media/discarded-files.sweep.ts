import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';
import { DISCARDED_FILE, deleteDiscarded, findDiscarded } from './kept-file.queries.js';
import { mediaKey } from './media-key.js';
import { MediaStore } from './media-store.js';

const BATCH = 500;
/** Files of an account that are deleted at once. */
const AT_ONCE = 8;

/** Deletes the bytes of discarded files, and then their rows: a death in between repeats the deletion. */
@Injectable()
export class DiscardedFilesSweep extends Sweep {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly store: MediaStore,
  ) {
    super(SECOND, { look: DISCARDED_FILE });
  }

  protected async sweep(): Promise<void> {
    const { autocommit } = this.unitOfWork;
    for (let looked = BATCH; looked === BATCH && !this.isStopping; ) {
      const found = await findDiscarded(BATCH, autocommit);
      looked = found.length;
      const failed = await this.forEachAccount(found, async (accountId, own) => {
        const left = await this.forEach(
          own,
          ({ messageId }) => `message ${messageId}`,
          (file) => this.store.delete(mediaKey(file)),
          AT_ONCE,
        );
        const done = own.filter((file) => !left.includes(file)).map(({ messageId }) => messageId);
        await deleteDiscarded(accountId, done, autocommit);
        if (left.length > 0) throw new Error(`${left.length} files are still there`);
      });
      if (failed.length > 0) return;
    }
  }
}
