import { Injectable } from '@nestjs/common';
import { findAccountIds } from '../accounts/account.queries.js';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { HOUR } from '../values/clock.js';
import type { RecordId } from '../values/record-id.js';
import { mediaKey } from './media-key.js';
import { MediaStore } from './media-store.js';
import { UploadUsers } from './upload-users.js';
import type { UploadedFile } from './uploaded-file.entity.js';
import { deleteUploads, findExpiredUploads } from './uploaded-file.queries.js';

const BATCH = 500;
const ACCOUNT_BATCH = 1000;
const AT_ONCE = 8;
/** No request that was let in before a file expired takes this long. */
const GRACE_MS = HOUR;

/** Deletes uploaded files whose time is over and that no campaign uses: the bytes first, so that a death repeats it. */
@Injectable()
export class ExpiredUploadsSweep extends Sweep {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly store: MediaStore,
    private readonly users: UploadUsers,
  ) {
    super(HOUR);
  }

  protected async sweep(): Promise<void> {
    let accountIds: string[] = [];
    do {
      accountIds = await findAccountIds(accountIds.at(-1) ?? null, ACCOUNT_BATCH, this.unitOfWork.autocommit);
      await this.forEach(
        accountIds,
        (accountId) => `account ${accountId}`,
        (accountId) => this.expire(accountId),
      );
    } while (accountIds.length === ACCOUNT_BATCH && !this.isStopping);
  }

  private async expire(accountId: RecordId): Promise<void> {
    const { autocommit } = this.unitOfWork;
    let page: Pick<UploadedFile, 'id' | 'expiresAt'>[] = [];
    do {
      page = await findExpiredUploads(accountId, page.at(-1) ?? null, GRACE_MS, BATCH, autocommit);
      if (page.length === 0) return;
      const ids = page.map(({ id }) => id);
      const used = await this.users.used(accountId, ids, autocommit);
      const unused = ids.filter((id) => !used.has(id));
      const left = await this.forEach(
        unused,
        (id) => `upload ${id}`,
        (id) => this.store.delete(mediaKey({ accountId, messageId: id })),
        AT_ONCE,
      );
      const deleted = unused.filter((id) => !left.includes(id));
      if (deleted.length > 0) await deleteUploads(accountId, deleted, autocommit);
    } while (page.length === BATCH && !this.isStopping);
  }
}
