import { Injectable, Logger } from '@nestjs/common';
import { type BusinessPhone, BusinessPhonesService } from '../../accounts/business-phones.service.js';
import { ConfigurationChanges } from '../../database/configuration-changes.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { DomainError } from '../../errors/domain-error.js';
import { newRecordId } from '../../values/record-id.js';
import { networkFailure } from '../templates.errors.js';
import { withAnyPhone } from './any-phone.js';
import type { NetworkTemplate } from './network-template.js';
import { NetworkTemplates } from './network-templates.js';
import {
  databaseTime,
  findTemplatesOfBusiness,
  lockBusinessAccount,
  type SyncedCounts,
  writeSyncPlan,
} from './template-sync.queries.js';
import { distinctTemplates, isEmptyPlan, planSync } from './template-sync-plan.js';

/** The counts of a sync. */
export interface SyncSummary extends SyncedCounts {
  readonly total: number;
  readonly skipped: number;
}

/** The result of a sync; business accounts that could not be listed are in `failures`. */
export interface SyncOutcome {
  readonly summary: SyncSummary;
  readonly failures: readonly { readonly wabaId: string; readonly reason: string }[];
}

const NOTHING: SyncSummary = { total: 0, created: 0, updated: 0, skipped: 0, deleted: 0 };

/** Brings the stored templates in line with the network's. Concurrent syncs are safe. */
@Injectable()
export class TemplateSyncService {
  private readonly logger = new Logger(TemplateSyncService.name);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhonesService,
    private readonly upstream: NetworkTemplates,
    private readonly epoch: ConfigurationChanges,
  ) {}

  /**
   * Synchronises every business account of the account once.
   *
   * @throws DomainError when none of them could be listed
   */
  async sync(accountId: string): Promise<SyncOutcome> {
    const phones = await this.phones.list(accountId);
    const wabaIds = [...new Set(phones.map(({ wabaId }) => wabaId))];
    const results = await Promise.allSettled(
      wabaIds.map((wabaId) => this.syncBusiness(phones.filter((phone) => phone.wabaId === wabaId))),
    );
    const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failed = results.flatMap((result, index) => {
      const wabaId = wabaIds[index] ?? '';
      return result.status === 'rejected' ? [{ wabaId, error: result.reason as unknown }] : [];
    });
    if (done.length === 0 && failed[0] !== undefined) {
      throw networkFailure(
        failed[0].error,
        `the templates of business account ${failed[0].wabaId} were not read`,
        'read',
      );
    }
    const failures = failed.map(({ wabaId, error }) => {
      const failure = networkFailure(error, 'its templates were not read', 'read');
      // Our own errors, such as a token that cannot be decrypted, are logged where they are thrown.
      if (!(error instanceof DomainError)) {
        this.logger.warn(`templates of ${wabaId} were not synchronised: ${(error as Error).message}`);
      }
      return { wabaId, reason: failure instanceof DomainError ? failure.message : 'something went wrong on our side' };
    });
    return { summary: done.reduce(sum, NOTHING), failures };
  }

  /** @param phones all phones of one business account; new templates are assigned to the first */
  private async syncBusiness(phones: readonly BusinessPhone[]): Promise<SyncSummary> {
    const [first] = phones;
    if (first === undefined) return NOTHING;
    const { accountId, wabaId, id: businessPhoneId } = first;
    const startedAt = await databaseTime(this.unitOfWork.writes(accountId));
    const { found, unreadable } = await withAnyPhone(phones, (phone) => this.listingOf(phone));
    if (unreadable > 0) {
      this.logger.warn(`${unreadable} templates of ${wabaId} could not be read, so this sync deletes nothing`);
    }
    const written = await this.unitOfWork.writes(accountId).transaction(async (tx) => {
      await lockBusinessAccount(accountId, wabaId, tx);
      const plan = planSync(await findTemplatesOfBusiness(accountId, wabaId, tx), found, {
        wabaId,
        businessPhoneId,
        startedAt: new Date(startedAt),
        complete: unreadable === 0,
        newId: newRecordId,
      });
      return isEmptyPlan(plan) ? NOTHING : writeSyncPlan(accountId, plan, startedAt, tx);
    });
    await this.epoch.refresh();
    const { created, updated, deleted } = written;
    return {
      total: found.length + unreadable,
      created,
      updated,
      skipped: found.length - created - updated,
      deleted,
    };
  }

  private async listingOf(phone: BusinessPhone): Promise<{ found: NetworkTemplate[]; unreadable: number }> {
    const found: NetworkTemplate[] = [];
    let unreadable = 0;
    for await (const page of this.upstream.pages(phone)) {
      found.push(...page.templates);
      unreadable += page.unreadable;
    }
    return { found: distinctTemplates(found), unreadable };
  }
}

const sum = (a: SyncSummary, b: SyncSummary): SyncSummary => ({
  total: a.total + b.total,
  created: a.created + b.created,
  updated: a.updated + b.updated,
  skipped: a.skipped + b.skipped,
  deleted: a.deleted + b.deleted,
});
