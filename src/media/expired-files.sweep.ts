import { Inject, Injectable } from '@nestjs/common';
import { findAccountIds } from '../accounts/account.queries.js';
import type { Retention } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { lowestIdAt } from '../database/schema/partitions.js';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { conservativeNow, HOUR } from '../values/clock.js';
import { NIL_ID, type RecordId } from '../values/record-id.js';
import { discardBefore, findStored, recordExpired } from './kept-file.queries.js';
import { mediaKey } from './media-key.js';
import { expiryOf, type FileExpiry } from './media-retention.js';
import { MediaStore } from './media-store.js';

const BATCH = 500;
const ACCOUNT_BATCH = 1000;
const AT_ONCE = 8;

/** Deletes files whose time is over, and forgets those of messages that are deleted. */
@Injectable()
export class ExpiredFilesSweep extends Sweep {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly store: MediaStore,
    @Inject(ENVIRONMENT) private readonly retention: Retention,
  ) {
    super(HOUR);
  }

  protected async sweep(): Promise<void> {
    const { autocommit } = this.unitOfWork;
    const expiry = expiryOf(this.retention, conservativeNow());
    let accountIds: string[] = [];
    do {
      accountIds = await findAccountIds(accountIds.at(-1) ?? null, ACCOUNT_BATCH, autocommit);
      await this.forEach(
        accountIds,
        (accountId) => `account ${accountId}`,
        (accountId) => this.expire(accountId, expiry),
      );
    } while (accountIds.length === ACCOUNT_BATCH && !this.isStopping);
  }

  private async expire(accountId: RecordId, { filesBefore, rowsBefore, days }: FileExpiry): Promise<void> {
    const { autocommit } = this.unitOfWork;
    if (rowsBefore !== null) {
      while (!this.isStopping && (await discardBefore(accountId, lowestIdAt(rowsBefore), BATCH, autocommit)) === BATCH);
    }
    let expired: RecordId[] = [];
    do {
      expired = await findStored(accountId, expired.at(-1) ?? NIL_ID, lowestIdAt(filesBefore), BATCH, autocommit);
      const left = await this.forEach(
        expired,
        (messageId) => `message ${messageId}`,
        (messageId) => this.store.delete(mediaKey({ accountId, messageId })),
        AT_ONCE,
      );
      const deleted = expired.filter((messageId) => !left.includes(messageId));
      if (deleted.length > 0) await recordExpired(accountId, deleted, days, autocommit);
    } while (expired.length === BATCH && !this.isStopping);
  }
}
