import { Injectable } from '@nestjs/common';
import { type BusinessPhone, BusinessPhonesService } from '../../accounts/business-phones.service.js';
import { ConfigurationCache, ConfigurationChanges } from '../../database/configuration-changes.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { badRequest, DomainError } from '../../errors/domain-error.js';
import { networkStateOf, networkStatusOfError } from '../review/template-state.js';
import type { Template } from '../template.entity.js';
import { findTemplate, findTemplatesByName, withdrawTemplate } from '../template.queries.js';
import { checkApproved, chooseTemplate, stillSendable } from './template-choice.js';

/** Which template is wanted. */
export interface TemplateWanted {
  readonly name: string;
  readonly language: string | null;
  /** The phone that will send, or null when the template may be of any of the account's businesses. */
  readonly phone: BusinessPhone | null;
}

/** Finds templates for those who send or preview them. */
@Injectable()
export class TemplateCatalogService {
  /** By account and name; templates change rarely, and sends ask all the time. */
  private readonly byName: ConfigurationCache<readonly Template[]>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhonesService,
    private readonly epoch: ConfigurationChanges,
  ) {
    this.byName = new ConfigurationCache(epoch);
  }

  /** Call after templates have changed: this process sees it at once, the others within a second. */
  changed(): Promise<void> {
    return this.epoch.refresh();
  }

  /**
   * The approved template for a send.
   *
   * @throws DomainError 404 or 400 as {@link chooseTemplate}; 400 naming the status when it is not approved
   */
  findForSending(accountId: string, wanted: TemplateWanted): Promise<Template> {
    return this.find(accountId, wanted, checkApproved);
  }

  /** As {@link findForSending}; a FLOW button is a 400 too, since every message would need a token of its own. */
  async findForCampaign(accountId: string, wanted: TemplateWanted): Promise<Template> {
    const template = await this.findForSending(accountId, wanted);
    if (template.buttons.some(({ type }) => type === 'FLOW')) {
      throw badRequest(`template ${template.name} has a FLOW button, which campaigns do not support`);
    }
    return template;
  }

  /** The template of this name, whatever its status; errors as {@link chooseTemplate}. */
  findByName(accountId: string, wanted: TemplateWanted): Promise<Template> {
    return this.find(accountId, wanted, () => undefined);
  }

  /** What is remembered may be a moment old: good enough to send, but before a refusal the templates are read again. */
  private async find(accountId: string, wanted: TemplateWanted, check: (found: Template) => void): Promise<Template> {
    const key = `${accountId}/${wanted.name}`;
    const read = () => findTemplatesByName(accountId, wanted.name, this.unitOfWork.control);
    const chosen = async (named: readonly Template[]): Promise<Template> => {
      const template = await this.choose(accountId, named, wanted);
      check(template);
      return template;
    };
    try {
      return await chosen(await this.byName.get(key, read));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return chosen(await this.byName.getCurrent(key, read));
    }
  }

  private async choose(
    accountId: string,
    named: readonly Template[],
    { name, language, phone }: TemplateWanted,
  ): Promise<Template> {
    const wabaId = phone?.wabaId ?? null;
    const ofBusiness = named.filter((template) => wabaId === null || template.wabaId === wabaId);
    const primaryWabaId = wabaId ?? (await this.phones.primary(accountId))?.wabaId ?? null;
    return chooseTemplate(ofBusiness, { name, language, primaryWabaId });
  }

  /**
   * The template that a campaign was made from, which must still be sendable.
   *
   * @throws DomainError 400 when it is deleted or not approved
   */
  async get(accountId: string, templateId: string): Promise<Template> {
    return stillSendable(await findTemplate(accountId, templateId, this.unitOfWork.writes(accountId)));
  }

  /**
   * Records what a refused send revealed: sends with this template stop at once.
   *
   * @param code the network's error code; one that is not about the template changes nothing
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
