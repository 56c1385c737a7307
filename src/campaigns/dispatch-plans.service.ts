import { Injectable, Logger } from '@nestjs/common';
import { BusinessPhones } from '../accounts/business-phones.service.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { DomainError } from '../errors/domain-error.js';
import { templateBody } from '../messages/template-body.js';
import type { NetworkRefusal } from '../network/network-error.js';
import { plainWords } from '../network/refusal-texts.js';
import { TemplateCatalog } from '../templates/template-catalog.service.js';
import { renderTemplateMessage } from '../templates/template-message.js';
import { now } from '../values/clock.js';
import { findCampaign } from './campaign.queries.js';
import { CampaignLifecycle } from './campaign-lifecycle.service.js';
import type { DispatchPlan } from './dispatch-plan.js';

/** Works out what the messages of a campaign have in common, and stops campaigns that cannot go on. */
@Injectable()
export class DispatchPlans {
  private readonly logger = new Logger(DispatchPlans.name);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhones,
    private readonly templates: TemplateCatalog,
    private readonly lifecycle: CampaignLifecycle,
  ) {}

  /** The plan of a campaign that may be sent right now, or null. One that never can be is failed with the reason. */
  async prepare(accountId: string, campaignId: string): Promise<DispatchPlan | null> {
    const campaign = await findCampaign(accountId, campaignId, this.unitOfWork.autocommit);
    if (campaign === null || campaign.status !== 'running' || campaign.paused) return null;
    try {
      const phone = await this.phones.find(accountId, campaign.business_phone_id);
      if (phone === null) throw new DomainError('bad_request', 'the business phone is gone');
      const template = await this.templates.get(accountId, campaign.template_id);
      const rendered = renderTemplateMessage(template, campaign.content, now());
      return {
        campaign,
        phone,
        token: await this.phones.token(phone),
        templateId: template.id,
        marketing: template.category === 'MARKETING',
        content: rendered.content,
        body: templateBody(template, rendered),
      };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      await this.lifecycle.fail(accountId, campaignId, error.message);
      return null;
    }
  }

  /** Stops a campaign for what the network said about its phone or template (NETWORK.md, Errors). */
  async stop({ campaign, phone, templateId }: DispatchPlan, refusal: NetworkRefusal): Promise<void> {
    this.logger.warn(`campaign ${campaign.id} stops: ${refusal.message}`);
    if (refusal.errorClass === 'stop_template') {
      await this.templates.markUnavailable(phone.accountId, templateId, refusal.code);
    }
    await this.lifecycle.fail(phone.accountId, campaign.id, plainWords(refusal));
  }
}
