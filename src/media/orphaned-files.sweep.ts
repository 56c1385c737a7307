import { Injectable, Logger } from '@nestjs/common';
import { findAccountIds } from '../accounts/account.queries.js';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { conservativeNow, DAY, HOUR } from '../values/clock.js';
import { NIL_ID, type RecordId } from '../values/record-id.js';
import { FETCHED_FOR_MS } from './file-fetch.service.js';
import { findStored, findWanted, recordFound, recordMissing } from './kept-file.queries.js';
import { type FileOwner, mediaKey, ownerOf } from './media-key.js';
import { type ListedMedia, type MediaKey, MediaStore } from './media-store.js';

const BATCH = 500;
const ACCOUNT_BATCH = 1000;
const AT_ONCE = 8;
/** No attempt takes this long, so whoever has begun to write such a file has died. */
const ABANDONED_AFTER_MS = HOUR;
/** Leaves time to notice that a wrong backup of the database was restored. */
const UNWANTED_AFTER_MS = DAY;

/**
 * Compares store and table once a day, because a process may die between the two, and either may come from a backup. A
 * file that nobody wants is deleted. One that is missing is fetched again while the network has it; after that it is gone,
 * until it is found in the store.
 */
@Injectable()
export class OrphanedFilesSweep extends Sweep {
  private readonly logger = new Logger(OrphanedFilesSweep.name);
  private accountIds: ReadonlySet<RecordId> = new Set();

  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly store: MediaStore,
  ) {
    super(DAY);
  }

  protected async sweep(): Promise<void> {
    const written = (ago: number): Date => new Date(conservativeNow().getTime() - ago);
    await this.store.tidy(written(ABANDONED_AFTER_MS));
    this.accountIds = await this.allAccounts();
    const deleted = await this.deleteUnwanted(written(UNWANTED_AFTER_MS));
    const missing = await this.findMissing();
    if (deleted > 0) this.logger.log(`deleted ${deleted} media files that belong to no message`);
    if (missing > 0) this.logger.warn(`${missing} files are missing in the media store`);
  }

  private async allAccounts(): Promise<ReadonlySet<RecordId>> {
    const all = new Set<RecordId>();
    let page: string[] = [];
    do {
      page = await findAccountIds(page.at(-1) ?? null, ACCOUNT_BATCH, this.unitOfWork.autocommit);
      for (const accountId of page) all.add(accountId);
    } while (page.length === ACCOUNT_BATCH);
    return all;
  }

  private async deleteUnwanted(before: Date): Promise<number> {
    const batches = batchesWrittenBefore(before, this.store.list());
    let deleted = 0;
    let next = await batches.next();
    while (next.done !== true && !this.isStopping) {
      deleted += await this.deleteUnwantedOf(next.value);
      next = await batches.next();
    }
    await batches.return();
    return deleted;
  }

  /** Files of other accounts than those of this database are left alone: another installation may share the directory. */
  private async deleteUnwantedOf(keys: readonly MediaKey[]): Promise<number> {
    const owners = keys.map(ownerOf).filter((owner) => owner !== null);
    let deleted = 0;
    await this.forEachAccount<FileOwner>(owners, async (accountId, own) => {
      if (!this.accountIds.has(accountId)) return;
      const ids = own.map(({ messageId }) => messageId);
      await recordFound(accountId, ids, this.unitOfWork.autocommit);
      const wanted = await findWanted(accountId, ids, this.unitOfWork.autocommit);
      const unwanted = own.filter(({ messageId }) => !wanted.has(messageId));
      const left = await this.forEach(
        unwanted,
        ({ messageId }) => `message ${messageId}`,
        (owner) => this.store.delete(mediaKey(owner)),
        AT_ONCE,
      );
      deleted += unwanted.length - left.length;
    });
    return deleted;
  }

  private async findMissing(): Promise<number> {
    let missing = 0;
    await this.forEach(
      this.accountIds,
      (accountId) => `account ${accountId}`,
      async (accountId) => {
        missing += await this.findMissingOf(accountId);
      },
    );
    return missing;
  }

  private async findMissingOf(accountId: RecordId): Promise<number> {
    const { autocommit } = this.unitOfWork;
    let found = 0;
    let page: RecordId[] = [];
    do {
      page = await findStored(accountId, page.at(-1) ?? NIL_ID, null, BATCH, autocommit);
      const missing: RecordId[] = [];
      await this.forEach(
        page,
        (messageId) => `message ${messageId}`,
        async (messageId) => {
          if (!(await this.store.has(mediaKey({ accountId, messageId })))) missing.push(messageId);
        },
        AT_ONCE,
      );
      if (missing.length > 0) await recordMissing(accountId, missing, FETCHED_FOR_MS, autocommit);
      found += missing.length;
    } while (page.length === BATCH && !this.isStopping);
    return found;
  }
}

/** The keys of old files, {@link BATCH} at a time. */
async function* batchesWrittenBefore(
  before: Date,
  files: AsyncIterable<ListedMedia>,
): AsyncGenerator<MediaKey[], void> {
  let batch: MediaKey[] = [];
  for await (const { key, writtenAt } of files) {
    if (writtenAt >= before || batch.push(key) < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
