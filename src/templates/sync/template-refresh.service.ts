import { Injectable, Logger } from '@nestjs/common';
import { type BusinessPhone, BusinessPhonesService } from '../../accounts/business-phones.service.js';
import { ConfigurationChanges } from '../../database/configuration-changes.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { DomainError } from '../../errors/domain-error.js';
import { NetworkRefusal } from '../../network/network-error.js';
import { withAnyPhone } from './any-phone.js';
import type { NetworkTemplate } from './network-template.js';
import { NetworkTemplates, PAGE_SIZE } from './network-templates.js';
import { isUnchanged, refreshedTemplate } from './template-row.js';
import {
  countTemplates,
  databaseTime,
  findTemplatesByMetaId,
  lockBusinessAccount,
  updateFoundTemplates,
} from './template-sync.queries.js';

/** Reads known templates from the network again and stores what has changed. */
@Injectable()
export class TemplateRefreshService {
  private readonly logger = new Logger(TemplateRefreshService.name);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhonesService,
    private readonly upstream: NetworkTemplates,
    private readonly changes: ConfigurationChanges,
  ) {}

  /**
   * Refreshes some templates of a business account with as few requests as possible: page by page, or one by one where
   * that takes fewer.
   *
   * @throws what the network answers
   */
  async refresh(accountId: string, wabaId: string, metaTemplateIds: readonly string[]): Promise<void> {
    const phones = (await this.phones.list(accountId)).filter((phone) => phone.wabaId === wabaId);
    if (phones.length === 0 || metaTemplateIds.length === 0) return;
    const writes = this.unitOfWork.writes(accountId);
    const pages = Math.ceil((await countTemplates(accountId, wabaId, writes)) / PAGE_SIZE);
    if (metaTemplateIds.length < pages) {
      return this.readEach(metaTemplateIds, phones);
    }
    const startedAt = await databaseTime(writes);
    const found = await withAnyPhone(phones, (phone) => this.findUpstream(metaTemplateIds, phone));
    await this.store(accountId, wabaId, found, startedAt);
  }

  /** Refreshes one template; a failure is logged and left to the next time. */
  async refreshOne(phone: BusinessPhone, metaTemplateId: string): Promise<void> {
    try {
      await this.readOne(phone, metaTemplateId);
    } catch (error) {
      this.logFailure(`template ${metaTemplateId}`, error);
    }
  }

  /** Our own errors, such as a token that cannot be decrypted, are logged where they are thrown. */
  logFailure(what: string, error: unknown): void {
    if (error instanceof DomainError) return;
    this.logger.warn(`${what} could not be polled: ${(error as Error).message}`);
  }

  /** A template that the network refuses to show does not keep the others from being read. */
  private async readEach(metaTemplateIds: readonly string[], phones: readonly BusinessPhone[]): Promise<void> {
    for (const id of metaTemplateIds) {
      try {
        await withAnyPhone(phones, (phone) => this.readOne(phone, id));
      } catch (error) {
        if (!(error instanceof NetworkRefusal)) throw error;
        this.logFailure(`template ${id}`, error);
      }
    }
  }

  private async readOne(phone: BusinessPhone, metaTemplateId: string): Promise<void> {
    const startedAt = await databaseTime(this.unitOfWork.writes(phone.accountId));
    const found = await this.upstream.read(phone, metaTemplateId);
    if (found !== null) await this.store(phone.accountId, phone.wabaId, [found], startedAt);
  }

  /** Reads the network's list, newest first, until all of these templates have been found. */
  private async findUpstream(metaTemplateIds: readonly string[], phone: BusinessPhone): Promise<NetworkTemplate[]> {
    const remaining = new Set(metaTemplateIds);
    const found: NetworkTemplate[] = [];
    for await (const { templates } of this.upstream.pages(phone)) {
      found.push(...templates.filter(({ metaTemplateId }) => remaining.delete(metaTemplateId)));
      if (remaining.size === 0) break;
    }
    return found;
  }

  /** Stores what the network returned, except where a callback has changed the row since the request. */
  private async store(
    accountId: string,
    wabaId: string,
    found: readonly NetworkTemplate[],
    startedAt: string,
  ): Promise<void> {
    const byMetaId = new Map(found.map((template) => [template.metaTemplateId, template]));
    const stored = await findTemplatesByMetaId(accountId, [...byMetaId.keys()], this.unitOfWork.writes(accountId));
    const changed = stored.flatMap((template) => {
      const current = byMetaId.get(template.metaTemplateId);
      return current === undefined || isUnchanged(template, current) ? [] : [refreshedTemplate(template, current)];
    });
    if (changed.length === 0) return;
    const written = await this.unitOfWork.writes(accountId).transaction(async (tx) => {
      // A sync writes several rows too. Taking turns keeps the two from locking rows in different orders.
      await lockBusinessAccount(accountId, wabaId, tx);
      return updateFoundTemplates(accountId, changed, startedAt, tx);
    });
    if (written > 0) await this.changes.refresh();
  }
}
