import { Injectable } from '@nestjs/common';
import { type BusinessPhone, BusinessPhonesService } from '../../accounts/business-phones.service.js';
import { DomainError } from '../../errors/domain-error.js';
import { TemplateCatalogService } from '../../templates/rendering/template-catalog.service.js';
import type { TemplateRef } from '../../templates/rendering/template-choice.js';

/** Chooses the phone that a template is sent from. */
@Injectable()
export class SenderPhoneService {
  constructor(
    private readonly phones: BusinessPhonesService,
    private readonly templates: TemplateCatalogService,
  ) {}

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
