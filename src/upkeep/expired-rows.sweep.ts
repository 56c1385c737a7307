import { Inject, Injectable } from '@nestjs/common';
import { findAccountIds } from '../accounts/account.queries.js';
import { deleteEndedSessions, deleteExpiredLinks } from '../accounts/session.queries.js';
import { deleteAuditEntries } from '../audit/audit-entry.queries.js';
import { limitsAt } from '../auth/session-limits.js';
import type { Retention } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { lowestIdAt } from '../database/schema/partitions.js';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { deleteOldTries } from '../sessions/sign-in.queries.js';
import { conservativeNow, DAY, HOUR } from '../values/clock.js';
import { deleteUnhandledCallbacks, deleteUnusedWindows } from './retention.queries.js';

const BATCH = 2000;
const ACCOUNT_BATCH = 1000;
/** Retention of unhandled callbacks, milliseconds. */
export const UNHANDLED_CALLBACKS_KEPT_MS = 30 * DAY;
/** Retention of a rate-limit window after its last request, milliseconds. The window itself spans a minute. */
export const WINDOWS_KEPT_MS = HOUR;

/** Retention of failed attempts to sign in after the last one, milliseconds. */
const TRIES_KEPT_MS = DAY;

/** Deletes expired rows from tables without partitions. */
@Injectable()
export class ExpiredRowsSweep extends Sweep {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    @Inject(ENVIRONMENT) private readonly retention: Pick<Retention, 'auditRetentionDays'>,
  ) {
    super(HOUR);
  }

  async sweep(): Promise<void> {
    const { autocommit } = this.unitOfWork;
    const before = lowestIdAt(new Date(conservativeNow().getTime() - UNHANDLED_CALLBACKS_KEPT_MS));
    const dayAgo = new Date(conservativeNow().getTime() - TRIES_KEPT_MS);
    const deletions: [table: string, work: () => Promise<void>][] = [
      ['unhandled_callbacks', () => repeat(() => deleteUnhandledCallbacks(before, BATCH, autocommit))],
      ['rate_limit_windows', () => repeat(() => deleteUnusedWindows(WINDOWS_KEPT_MS, BATCH, autocommit))],
      ['audit_entries', () => this.deleteAuditEntries()],
      ['sessions', () => repeat(() => deleteEndedSessions(limitsAt(conservativeNow()), BATCH, autocommit))],
      ['sign_in_links', () => repeat(() => deleteExpiredLinks(conservativeNow(), BATCH, autocommit))],
      ['sign_in_tries', () => repeat(() => deleteOldTries(dayAgo, BATCH, autocommit))],
    ];
    await this.forEach(
      deletions,
      ([table]) => `table ${table}`,
      ([, work]) => work(),
    );
  }

  private async deleteAuditEntries(): Promise<void> {
    const { autocommit } = this.unitOfWork;
    const before = lowestIdAt(new Date(conservativeNow().getTime() - this.retention.auditRetentionDays * DAY));
    let accountIds: string[] = [];
    do {
      accountIds = await findAccountIds(accountIds.at(-1) ?? null, ACCOUNT_BATCH, autocommit);
      await repeat(() => deleteAuditEntries(accountIds, before, BATCH, autocommit));
    } while (accountIds.length === ACCOUNT_BATCH);
  }
}

/** Deletes batches until one is not full. */
async function repeat(deleteBatch: () => Promise<number>): Promise<void> {
  while ((await deleteBatch()) === BATCH);
}
