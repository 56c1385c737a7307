import { Injectable } from '@nestjs/common';
import { BusinessPhonesService } from '../accounts/business-phones.service.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { notFound } from '../errors/domain-error.js';
import { now } from '../values/clock.js';
import type { Paged } from '../values/page.js';
import type { SendingInput } from './rendering/sending-input.js';
import { TemplateCatalogService } from './rendering/template-catalog.service.js';
import type { TemplateRef } from './rendering/template-choice.js';
import { previewTemplateMessage, type TemplatePreview } from './rendering/template-message.js';
import { TemplateReviewService } from './review/template-review.service.js';
import { withAnyPhone } from './sync/any-phone.js';
import { NetworkTemplates } from './sync/network-templates.js';
import type { Template } from './template.entity.js';
import { deleteTemplate, findTemplate, listTemplates, type TemplateFilter } from './template.queries.js';
import { networkFailure } from './templates.errors.js';

const unknownTemplate = () => notFound('template not found');

/** The template to preview, and the values to fill in. */
export interface PreviewOrder extends TemplateRef {
  readonly wabaPhoneId: string | null;
  readonly input: SendingInput;
}

/** Lists, previews and deletes an account's templates. */
@Injectable()
export class TemplatesService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhonesService,
    private readonly upstream: NetworkTemplates,
    private readonly review: TemplateReviewService,
    private readonly catalog: TemplateCatalogService,
  ) {}

  /** Lists templates after picking up the network's latest review decisions. */
  async list(accountId: string, filter: TemplateFilter): Promise<Paged<Template>> {
    await this.review.pollPending(accountId);
    return listTemplates(accountId, filter, this.unitOfWork.reads(accountId));
  }

  /** @throws DomainError 404 */
  async get(accountId: string, id: string): Promise<Template> {
    const template = await findTemplate(accountId, id, this.unitOfWork.reads(accountId));
    if (template === null) throw unknownTemplate();
    return template;
  }

  /**
   * Shows a template filled in, whatever its status.
   *
   * @throws DomainError 403 for a foreign phone, 404 and 400 as for a send
   */
  async preview(accountId: string, { name, language, wabaPhoneId, input }: PreviewOrder): Promise<TemplatePreview> {
    const phone = await this.phones.choose(accountId, wabaPhoneId);
    return previewTemplateMessage(await this.catalog.findByName(accountId, { name, language, phone }), input, now());
  }

  /**
   * Deletes a template from the network, then here. If the network fails or refuses, the template stays.
   *
   * @throws DomainError 404, or the network's error
   */
  async delete(accountId: string, id: string): Promise<void> {
    const { wabaId, name, metaTemplateId } = await this.get(accountId, id);
    const phones = (await this.phones.list(accountId)).filter((phone) => phone.wabaId === wabaId);
    if (phones.length > 0) {
      try {
        await withAnyPhone(phones, (phone) => this.upstream.remove(phone, name, metaTemplateId));
      } catch (error) {
        throw networkFailure(error, `the template ${name} was not deleted`);
      }
    }
    // A sync or another caller may have deleted it here in the meantime; that is fine.
    await deleteTemplate(accountId, id, this.unitOfWork.writes(accountId));
    await this.catalog.changed();
  }
}
