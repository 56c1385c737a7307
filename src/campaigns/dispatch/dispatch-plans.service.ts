import { Injectable, Logger } from '@nestjs/common';
import { BusinessPhonesService } from '../../accounts/business-phones.service.js';
import { MicroBatch } from '../../database/batching/micro-batch.js';
import { Pipeline } from '../../database/connections/pipeline.js';
import { MAX_PROBE_MS } from '../../egress/media-probe.js';
import { DomainError } from '../../errors/domain-error.js';
import { templateBody } from '../../messages/sending/template-body.js';
import type { NetworkRefusal } from '../../network/network-error.js';
import { plainWords } from '../../network/refusal-texts.js';
import { TemplateCatalogService } from '../../templates/rendering/template-catalog.service.js';
import { requireSendable } from '../../templates/rendering/template-choice.js';
import {
  type ParsedTemplate,
  parseTemplate,
  type RenderedTemplate,
} from '../../templates/rendering/template-message.js';
import type { Template } from '../../templates/template.entity.js';
import { isMediaFormat } from '../../templates/template.js';
import { now } from '../../values/clock.js';
import { renderCommon } from '../authoring/campaign-content.js';
import type { Campaign } from '../campaign.entity.js';
import { CampaignLifecycleService } from '../lifecycle/campaign-lifecycle.service.js';
import { ADVICE, CampaignStop, stopsWith } from '../lifecycle/campaign-stop.js';
import { campaignPhone } from './campaign-phone.js';
import type { DispatchPlan } from './dispatch-plan.js';
import { type CampaignKey, type DispatchSource, findDispatchSources } from './dispatch-source.queries.js';
import { personalPlan } from './personal-body.js';

/** How long reads of dispatch sources are gathered into one batch, milliseconds. */
const GATHER_MS = 15;

/** Builds dispatch plans, and stops campaigns that cannot be sent. */
@Injectable()
export class DispatchPlansService {
  private readonly logger = new Logger(DispatchPlansService.name);
  /** Stops that are not stored yet, by campaign. Nothing more is sent until they are. */
  private readonly unfinishedStops = new Map<string, { readonly reason: string; readonly run: number }>();

  /** Always read from the tables, never from a cache: a campaign must not be stopped because of stale data. */
  private readonly sources = new MicroBatch<CampaignKey, DispatchSource | null>(
    async (keys) => {
      const found = await findDispatchSources(keys, this.pipeline.autocommit);
      const sources = new Map(found.map((source) => [source.campaign.id, source]));
      return keys.map(({ campaignId }) => sources.get(campaignId) ?? null);
    },
    { name: 'plans', maxItems: 100, concurrency: 1, gatherMs: GATHER_MS, tenantOf: ({ accountId }) => accountId },
  );

  constructor(
    private readonly pipeline: Pipeline,
    private readonly phones: BusinessPhonesService,
    private readonly templates: TemplateCatalogService,
    private readonly lifecycle: CampaignLifecycleService,
  ) {}

  /** The plan of a running campaign, or null when it is not running. Fails the campaign if it cannot be sent. */
  async prepare(accountId: string, campaignId: string): Promise<DispatchPlan | null> {
    const source = await this.sources.run({ accountId, campaignId });
    if (source === null || source.campaign.status !== 'running' || source.campaign.paused) return null;
    const unfinished = this.unfinishedStops.get(campaignId);
    if (unfinished !== undefined && unfinished.run === source.campaign.runs) {
      await this.fail(source.campaign, unfinished.reason);
      return null;
    }
    try {
      return await this.planOf(source);
    } catch (error) {
      if (!(error instanceof CampaignStop)) throw error;
      await this.fail(source.campaign, error.message);
      return null;
    }
  }

  /** Stops a campaign because the network refused its phone or template. */
  async stop({ campaign, phone, templateId }: DispatchPlan, refusal: NetworkRefusal): Promise<void> {
    const advice = refusal.errorClass === 'stop_template' ? ADVICE.template : ADVICE.phone;
    try {
      await this.fail(campaign, `${plainWords(refusal)}. ${advice}`);
    } finally {
      if (refusal.errorClass === 'stop_template') {
        await this.templates.markUnavailable(phone.accountId, templateId, refusal.code);
      }
    }
  }

  /** Stops this run of the campaign, unless it has been restarted in the meantime. */
  private async fail({ accountId, id, runs: run }: Campaign, reason: string): Promise<void> {
    this.unfinishedStops.set(id, { reason, run });
    if (await this.lifecycle.fail(accountId, id, reason, { run })) {
      this.logger.warn(`campaign ${id} of account ${accountId} has stopped: ${reason}`);
    }
    this.unfinishedStops.delete(id);
  }

  /** @throws CampaignStop when the campaign cannot be sent */
  private async planOf(source: DispatchSource): Promise<DispatchPlan> {
    const { campaign } = source;
    const phone = campaignPhone(source);
    const template = await stopsWith(ADVICE.template, () => requireSendable(source.template));
    const at = now();
    const { read, rendered } = await stopsWith(ADVICE.content, () => this.render(template, campaign, at));
    return {
      campaign,
      phone,
      token: await stopsWith(ADVICE.token, () => this.phones.token(phone)),
      templateId: template.id,
      marketing: template.category === 'MARKETING',
      content: rendered.content,
      personal: personalPlan(template, read, campaign.content, at),
      probeMs: isMediaFormat(template.headerFormat) ? MAX_PROBE_MS : 0,
      body: templateBody(template, rendered),
    };
  }

  /** Renders the shared message. It depends only on stored data, so any error would recur and stops the campaign. */
  private render(
    template: Template,
    { id, content }: Campaign,
    at: Date,
  ): { read: ParsedTemplate; rendered: RenderedTemplate } {
    try {
      const read = parseTemplate(template);
      return { read, rendered: renderCommon(read, content, at) };
    } catch (error) {
      if (error instanceof DomainError) throw error;
      this.logger.error(`campaign ${id} cannot be rendered`, (error as Error).stack, DispatchPlansService.name);
      throw new CampaignStop(
        `template ${template.name} cannot be rendered with the campaign’s values. Run POST /api/v1/templates/sync, ` +
          'then create the campaign again',
        { cause: error },
      );
    }
  }
}
