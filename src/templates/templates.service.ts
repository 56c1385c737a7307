import { Injectable } from '@nestjs/common';
import { BusinessPhonesService } from '../accounts/business-phones.service.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { notFound } from '../errors/domain-error.js';
import { MINUTE, now } from '../values/clock.js';
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
import { announceDeletion, withdrawDeletion } from './template-deletion.queries.js';
import { TemplateUsers } from './template-users.js';
import { MAX_USERS_NAMED, networkFailure, templateInUse } from './templates.errors.js';

/** How long a deletion may take, milliseconds. After a crash, campaigns with the template can be started again then. */
const MAX_DELETION_MS = 15 * MINUTE;

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
    private readonly users: TemplateUsers,
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
   * Deletes a template from the network, then here. If the network fails or refuses, the template stays. Campaigns that
   * need it are looked for once nobody can start another one.
   *
   * @throws DomainError 404; 409 while scheduled or running campaigns use it; or the network's error
   */
  async delete(accountId: string, id: string): Promise<void> {
    const { wabaId, name, metaTemplateId } = await this.get(accountId, id);
    const until = await this.announce(accountId, { id, name });
    try {
      const phones = (await this.phones.list(accountId)).filter((phone) => phone.wabaId === wabaId);
      if (phones.length > 0) {
        await withAnyPhone(phones, (phone) => this.upstream.remove(phone, name, metaTemplateId));
      }
    } catch (error) {
      // If this fails too, the announcement ends by itself.
      await withdrawDeletion(accountId, id, until, this.unitOfWork.writes(accountId)).catch(() => undefined);
      throw networkFailure(error, `the template ${name} was not deleted`);
    }
    // A sync or another caller may have deleted it here in the meantime; that is fine.
    await deleteTemplate(accountId, id, this.unitOfWork.writes(accountId));
    await this.catalog.changed();
  }

  private announce(accountId: string, { id, name }: Pick<Template, 'id' | 'name'>): Promise<Date> {
    const until = new Date(now().getTime() + MAX_DELETION_MS);
    return this.unitOfWork.writes(accountId).transaction(async (tx) => {
      if (!(await announceDeletion(accountId, id, until, tx))) throw unknownTemplate();
      const users = await this.users.find(accountId, id, MAX_USERS_NAMED + 1, tx);
      if (users.length > 0) throw templateInUse(name, users);
      return until;
    });
  }
}
