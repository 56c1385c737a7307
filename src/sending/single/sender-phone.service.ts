import { Injectable } from '@nestjs/common';
import { type BusinessPhone, BusinessPhonesService } from '../../accounts/business-phones.service.js';
import { refusesSome } from '../../accounts/restrictions.js';
import { ConfigurationCache, ConfigurationChanges } from '../../database/configuration-changes.js';
import { DomainError } from '../../errors/domain-error.js';
import { TemplateCatalogService } from '../../templates/rendering/template-catalog.service.js';
import type { TemplateRef } from '../../templates/rendering/template-choice.js';
import type { Template } from '../../templates/template.entity.js';

/** What a template message is sent from: the phone, and the template as that phone may send it. */
export interface TemplateSource {
  readonly phone: BusinessPhone;
  readonly template: Template;
}

/** Chooses the phone that a template is sent from. */
@Injectable()
export class SenderPhoneService {
  private readonly sources: ConfigurationCache<TemplateSource>;

  constructor(
    private readonly phones: BusinessPhonesService,
    private readonly templates: TemplateCatalogService,
    changes: ConfigurationChanges,
  ) {
    this.sources = new ConfigurationCache(changes);
  }

  /**
   * The phone and the approved template of a send, in one look-up.
   *
   * @throws DomainError as {@link choose} and {@link TemplateCatalogService.findForSending}
   */
  async source(accountId: string, phoneId: string | null, ref: TemplateRef): Promise<TemplateSource> {
    const find = async (): Promise<TemplateSource> => {
      const phone = await this.choose(accountId, phoneId, ref);
      return { phone, template: await this.templates.findForSending(accountId, { ...ref, phone }) };
    };
    const source = await this.sources.get([accountId, phoneId, ref.language, ref.name].join('\u0000'), find);
    // A restriction may end without a change of the configuration.
    return refusesSome(source.phone.restrictions) ? find() : source;
  }

  /**
   * The phone that a request names, or the primary one. An unknown template is reported before a foreign phone,
   * although the phone determines where we look for the template.
   *
   * @throws DomainError 404 for a template the account does not have, 403 for a foreign phone, 400 without any phone
   */
  async choose(accountId: string, phoneId: string | null, template: TemplateRef): Promise<BusinessPhone> {
    try {
      return await this.phones.choose(accountId, phoneId);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'forbidden') {
        await this.templates.findByName(accountId, { ...template, phone: null });
      }
      throw error;
    }
  }
}
