import { Injectable, Logger } from '@nestjs/common';
import { BusinessPhones } from '../accounts/business-phones.service.js';
import { MicroBatch } from '../database/micro-batch.js';
import { Pipeline } from '../database/pipeline.js';
import { DomainError } from '../errors/domain-error.js';
import { templateBody } from '../messages/template-body.js';
import type { NetworkRefusal } from '../network/network-error.js';
import { plainWords } from '../network/refusal-texts.js';
import type { Template } from '../templates/template.entity.js';
import { TemplateCatalog } from '../templates/template-catalog.service.js';
import { type RenderedTemplate, renderTemplateMessage } from '../templates/template-message.js';
import { MINUTE, now } from '../values/clock.js';
import type { Campaign } from './campaign.entity.js';
import { CampaignLifecycle } from './campaign-lifecycle.service.js';
import {
  ADVICE,
  accountGone,
  accountSuspended,
  CampaignStop,
  phoneGone,
  phoneRestricted,
  stopsWith,
} from './campaign-stop.js';
import type { DispatchPlan } from './dispatch-plan.js';
import { type CampaignKey, type DispatchSource, findDispatchSources } from './dispatch-source.queries.js';

/** How long the reason of an unfinished stop holds; another process may have finished it since. Milliseconds. */
const STOP_VALID_MS = MINUTE;

/** Works out what the messages of a campaign have in common, and stops campaigns that cannot go on. */
@Injectable()
export class DispatchPlans {
  private readonly logger = new Logger(DispatchPlans.name);
  /** Stops that the database has not taken yet, by campaign: nothing more is sent until it does. */
  private readonly unfinishedStops = new Map<string, { readonly reason: string; readonly at: number }>();

  /** Read from the tables, not from what this process remembers: a campaign is not stopped over news that are a moment old. */
  private readonly sources = new MicroBatch<CampaignKey, DispatchSource | null>(
    async (keys) => {
      const found = await findDispatchSources(keys, this.pipeline.autocommit);
      const sources = new Map(found.map((source) => [source.campaign.id, source]));
      return keys.map(({ campaignId }) => sources.get(campaignId) ?? null);
    },
    { name: 'plans', maxItems: 100, concurrency: 1, tenantOf: ({ accountId }) => accountId },
  );

  constructor(
    private readonly pipeline: Pipeline,
    private readonly phones: BusinessPhones,
    private readonly templates: TemplateCatalog,
    private readonly lifecycle: CampaignLifecycle,
  ) {}

  /** The plan of a campaign that may be sent right now, or null. One that cannot be sent is failed with the reason. */
  async prepare(accountId: string, campaignId: string): Promise<DispatchPlan | null> {
    const source = await this.sources.run({ accountId, campaignId });
    if (source === null || source.campaign.status !== 'running' || source.campaign.paused) return null;
    const unfinished = this.unfinishedStops.get(campaignId);
    if (unfinished !== undefined && Date.now() - unfinished.at < STOP_VALID_MS) {
      await this.fail(accountId, campaignId, unfinished.reason);
      return null;
    }
    try {
      return await this.planOf(source);
    } catch (error) {
      if (!(error instanceof CampaignStop)) throw error;
      await this.fail(accountId, campaignId, error.message);
      return null;
    }
  }

  /** Stops a campaign for what the network said about its phone or template. */
  async stop({ campaign, phone, templateId }: DispatchPlan, refusal: NetworkRefusal): Promise<void> {
    const advice = refusal.errorClass === 'stop_template' ? ADVICE.template : ADVICE.phone;
    try {
      await this.fail(phone.accountId, campaign.id, `${plainWords(refusal)}. ${advice}`);
    } finally {
      if (refusal.errorClass === 'stop_template') {
        await this.templates.markUnavailable(phone.accountId, templateId, refusal.code);
      }
    }
  }

  private async fail(accountId: string, campaignId: string, reason: string): Promise<void> {
    this.unfinishedStops.set(campaignId, { reason, at: Date.now() });
    if (await this.lifecycle.fail(accountId, campaignId, reason)) {
      this.logger.warn(`campaign ${campaignId} of account ${accountId} has stopped: ${reason}`);
    }
    this.unfinishedStops.delete(campaignId);
  }

  /** @throws CampaignStop when the campaign cannot be sent */
  private async planOf({ campaign, accountStatus, phone }: DispatchSource): Promise<DispatchPlan> {
    const { accountId } = campaign;
    if (accountStatus === null) throw accountGone(accountId);
    if (accountStatus !== 'active') throw accountSuspended();
    if (phone === null) throw phoneGone(campaign.businessPhoneId);
    if (phone.restriction !== null) throw phoneRestricted(phone, phone.restriction);
    const template = await stopsWith(ADVICE.template, () => this.templates.get(accountId, campaign.templateId));
    const rendered = await stopsWith(ADVICE.content, () => this.render(template, campaign));
    return {
      campaign,
      phone,
      token: await stopsWith(ADVICE.token, () => this.phones.token(phone)),
      templateId: template.id,
      marketing: template.category === 'MARKETING',
      content: rendered.content,
      body: templateBody(template, rendered),
    };
  }

  /** Filling in depends on nothing but what is stored, so whatever goes wrong would go wrong again. */
  private render(template: Template, { id, content }: Campaign): RenderedTemplate {
    try {
      return renderTemplateMessage(template, content, now());
    } catch (error) {
      if (error instanceof DomainError) throw error;
      this.logger.error(`campaign ${id} cannot be filled in`, (error as Error).stack, DispatchPlans.name);
      throw new CampaignStop(
        `template ${template.name} cannot be filled in with the campaign’s values. Run POST /api/v1/templates/sync, ` +
          'then create the campaign anew',
        { cause: error },
      );
    }
  }
}
