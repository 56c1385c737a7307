import { Injectable, Logger } from '@nestjs/common';
import { type BusinessPhone, BusinessPhones } from '../accounts/business-phones.service.js';
import { ConfigurationEpoch } from '../database/configuration-epoch.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { newRecordId } from '../values/record-id.js';
import type { NetworkTemplate } from './network-template.js';
import { NetworkTemplates } from './network-templates.js';
import {
  databaseTime,
  deleteVanishedTemplates,
  findTemplatesOfBusiness,
  insertFoundTemplates,
  lockBusinessAccount,
  updateFoundTemplates,
} from './template-sync.queries.js';
import { distinctTemplates, planSync } from './template-sync-plan.js';
import { networkFailure } from './templates.errors.js';

/** What a sync did (SPEC §6, D74). */
export interface SyncSummary {
  readonly total: number;
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  readonly deleted: number;
}

/** A sync of all business accounts; the ones that the network did not list are named with the reason. */
export interface SyncOutcome {
  readonly summary: SyncSummary;
  readonly failures: readonly { readonly wabaId: string; readonly reason: string }[];
}

const NOTHING: SyncSummary = { total: 0, created: 0, updated: 0, skipped: 0, deleted: 0 };

/** Brings the stored templates in line with the network's (SPEC §6). Several syncs at once do each other no harm. */
@Injectable()
export class TemplateSync {
  private readonly logger = new Logger(TemplateSync.name);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhones,
    private readonly upstream: NetworkTemplates,
    private readonly epoch: ConfigurationEpoch,
  ) {}

  /**
   * Synchronises every business account of the account, each one once.
   *
   * @throws DomainError when the network listed none of them
   */
  async sync(accountId: string): Promise<SyncOutcome> {
    const phones = await this.phones.list(accountId);
    // The first phone of each business account speaks for it.
    const businesses = [...new Map([...phones].reverse().map((phone) => [phone.wabaId, phone])).values()].reverse();
    const results = await Promise.allSettled(businesses.map((phone) => this.syncBusiness(phone)));
    const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failed = results.flatMap((result, index) => {
      const wabaId = businesses[index]?.wabaId ?? '';
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
      this.logger.warn(`templates of ${wabaId} were not synchronised: ${(error as Error).message}`);
      const told = networkFailure(error, 'its templates were not read', 'read');
      return { wabaId, reason: told === error ? 'something went wrong on our side' : (told as Error).message };
    });
    return { summary: done.reduce(sum, NOTHING), failures };
  }

  private async syncBusiness(phone: BusinessPhone): Promise<SyncSummary> {
    const { accountId, wabaId } = phone;
    const startedAt = await databaseTime(this.unitOfWork.autocommit);
    const found: NetworkTemplate[] = [];
    for await (const page of this.upstream.pages(phone)) found.push(...page);
    const distinct = distinctTemplates(found);
    const summary = await this.unitOfWork.transaction(async (tx) => {
      await lockBusinessAccount(accountId, wabaId, tx);
      const plan = planSync(await findTemplatesOfBusiness(accountId, wabaId, tx), distinct, {
        wabaId,
        businessPhoneId: phone.id,
        startedAt: new Date(startedAt),
        newId: newRecordId,
      });
      const deleted = await deleteVanishedTemplates(accountId, plan.remove, startedAt, tx);
      const created = await insertFoundTemplates(accountId, plan.create, tx);
      const updated = await updateFoundTemplates(accountId, plan.update, startedAt, tx);
      const total = distinct.length;
      return { total, created, updated, skipped: total - created - updated, deleted };
    });
    await this.epoch.refresh();
    return summary;
  }
}

const sum = (a: SyncSummary, b: SyncSummary): SyncSummary => ({
  total: a.total + b.total,
  created: a.created + b.created,
  updated: a.updated + b.updated,
  skipped: a.skipped + b.skipped,
  deleted: a.deleted + b.deleted,
});
