import { Injectable } from '@nestjs/common';
import { type BusinessPhone, BusinessPhonesService } from '../../accounts/business-phones.service.js';
import { ConfigurationCache, ConfigurationChanges } from '../../database/configuration-changes.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { DomainError, notFound } from '../../errors/domain-error.js';
import { withSuggestion } from '../../http/field-rules.js';
import type { Template } from '../template.entity.js';
import { findSimilarNames, findTemplate, findTemplatesByName, withdrawTemplate } from '../template.queries.js';
import { networkStateOf, networkStatusOfError } from '../template-state.js';
import {
  checkForCampaign,
  checkSendable,
  chooseTemplate,
  requireForCampaign,
  type TemplateRef,
} from './template-choice.js';

/** How a request names a template, and where to look for it. */
export interface TemplateLookup extends TemplateRef {
  /** The phone that will send; null searches all business accounts of the account. */
  readonly phone: BusinessPhone | null;
}

/** Finds templates for sends and previews. */
@Injectable()
export class TemplateCatalogService {
  /** By account and name: templates change rarely and are read on every send. */
  private readonly byName: ConfigurationCache<readonly Template[]>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhonesService,
    private readonly changes: ConfigurationChanges,
  ) {
    this.byName = new ConfigurationCache(changes);
  }

  /** Call after templates have changed: this process sees it immediately, the others within a second. */
  changed(): Promise<void> {
    return this.changes.refresh();
  }

  /**
   * The approved template for a send.
   *
   * @throws DomainError 404 or 400 as {@link chooseTemplate}; 400 as {@link checkSendable}
   */
  findForSending(accountId: string, lookup: TemplateLookup): Promise<Template> {
    return this.find(accountId, lookup, checkSendable);
  }

  /** Like {@link findForSending}; 400 also as {@link checkForCampaign}. */
  findForCampaign(accountId: string, lookup: TemplateLookup): Promise<Template> {
    return this.find(accountId, lookup, checkForCampaign);
  }

  /** The template of this name, whatever its status; errors as {@link chooseTemplate}. */
  findByName(accountId: string, lookup: TemplateLookup): Promise<Template> {
    return this.find(accountId, lookup, () => undefined);
  }

  /** The cache may be slightly stale. That is good enough to send, but before refusing we read the templates again. */
  private async find(accountId: string, lookup: TemplateLookup, check: (found: Template) => void): Promise<Template> {
    const key = `${accountId}/${lookup.name}`;
    const read = () => findTemplatesByName(accountId, lookup.name, this.unitOfWork.control);
    const chosen = async (named: readonly Template[]): Promise<Template> => {
      const template = await this.choose(accountId, named, lookup);
      check(template);
      return template;
    };
    try {
      return await chosen(await this.byName.get(key, read));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const current = await this.byName.getCurrent(key, read);
      if (this.ofBusiness(current, lookup).length === 0) throw await this.unknownName(accountId, lookup);
      return chosen(current);
    }
  }

  /** Compares many names, so it stays off the connections that keys are looked up on; the suggestion is optional. */
  private async unknownName(accountId: string, { name, phone }: TemplateLookup): Promise<DomainError> {
    const reads = this.unitOfWork.reads(accountId);
    const similar = await findSimilarNames(accountId, name, phone?.wabaId ?? null, reads).catch(() => []);
    return notFound(withSuggestion(`template ${name} was not found`, name, similar));
  }

  private ofBusiness(named: readonly Template[], { phone }: TemplateLookup): readonly Template[] {
    return phone === null ? named : named.filter(({ wabaId }) => wabaId === phone.wabaId);
  }

  private async choose(accountId: string, named: readonly Template[], lookup: TemplateLookup): Promise<Template> {
    const primaryWabaId = lookup.phone?.wabaId ?? (await this.phones.primary(accountId))?.wabaId ?? null;
    return chooseTemplate(this.ofBusiness(named, lookup), lookup, primaryWabaId);
  }

  /**
   * The template of a campaign, which must still be sendable.
   *
   * @throws DomainError 400 as {@link requireForCampaign}
   */
  async get(accountId: string, templateId: string): Promise<Template> {
    return requireForCampaign(await findTemplate(accountId, templateId, this.unitOfWork.writes(accountId)));
  }

  /**
   * Stops sends with a template after the network refused one because of it.
   *
   * @param code the network's error code; codes that are not about the template are ignored
   */
  async markUnavailable(accountId: string, templateId: string, code: number): Promise<void> {
    const networkStatus = networkStatusOfError(code);
    if (networkStatus === null) return;
    await withdrawTemplate(
      accountId,
      templateId,
      networkStateOf(networkStatus, null),
      this.unitOfWork.writes(accountId),
    );
    await this.changed();
  }
}
