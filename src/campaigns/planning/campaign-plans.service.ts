import { Injectable, Logger } from '@nestjs/common';
import { BusinessPhonesService } from '../../accounts/business-phones.service.js';
import { MicroBatch } from '../../database/batching/micro-batch.js';
import { SecretBox } from '../../database/secrets/secret-box.js';
import { Pipeline } from '../../database/unit-of-work.js';
import { DomainError } from '../../errors/domain-error.js';
import { SendingMediaService } from '../../sending/single/sending-media.service.js';
import { TemplateUsesService } from '../../templates/looks/template-uses.service.js';
import { now } from '../../values/clock.js';
import { maskedContent, openContent, openPersonal } from '../authoring/one-time-codes.js';
import { isPastDeadline } from '../authoring/schedule-rules.js';
import type { Campaign } from '../campaign.entity.js';
import type { CampaignContent } from '../campaign.js';
import { type CampaignPlan, type CheckedCampaign, checkCampaign, preparedPlan } from './campaign-plan.js';
import {
  type CampaignKey,
  type CampaignSource,
  findCampaignSources,
  findCodePerKey,
} from './campaign-source.queries.js';
import { ADVICE, CampaignStop, stopsWith } from './campaign-stop.js';

/** How long reads of campaigns are gathered, milliseconds. */
const GATHER_MS = 5;

/** Checks campaigns and plans their messages; always from the tables: stale data must neither start nor stop one. */
@Injectable()
export class CampaignPlansService {
  private readonly logger = new Logger(CampaignPlansService.name);

  private readonly sources = new MicroBatch<CampaignKey, CampaignSource | null>(
    async (keys) => {
      const found = await findCampaignSources(keys, this.pipeline.autocommit);
      const sources = new Map(found.map((source) => [source.campaign.id, source]));
      return keys.map(({ campaignId }) => sources.get(campaignId) ?? null);
    },
    { name: 'plans', maxItems: 100, concurrency: 1, gatherMs: GATHER_MS, tenantOf: ({ accountId }) => accountId },
  );

  constructor(
    private readonly pipeline: Pipeline,
    private readonly phones: BusinessPhonesService,
    private readonly secrets: SecretBox,
    private readonly uses: TemplateUsesService,
    private readonly media: SendingMediaService,
  ) {}

  /** The stored records that decide whether a campaign can be sent; null: there is no such campaign. */
  read(key: CampaignKey): Promise<CampaignSource | null> {
    return this.sources.run(key);
  }

  /**
   * Checks a campaign before it starts, and looks at the files that all recipients get: they may have changed since it
   * was created. One-time codes stay encrypted.
   *
   * @throws CampaignStop
   */
  async check(source: CampaignSource): Promise<CheckedCampaign> {
    const checked = await this.checked(source, ({ content }) => maskedContent(content), now());
    await stopsWith(ADVICE.media, () => this.media.checkAgain(source.campaign.accountId, checked.rendered.media));
    return checked;
  }

  /**
   * The plan of a running campaign, or null when it is not running or its deadline has passed: the rest is cancelled.
   *
   * @throws CampaignStop for this run, when it cannot be sent
   */
  async plan(key: CampaignKey): Promise<CampaignPlan | null> {
    const source = await this.read(key);
    if (source === null || source.campaign.status !== 'running' || source.campaign.paused) return null;
    const at = now();
    if (isPastDeadline(source.campaign, at)) return null;
    try {
      const checked = await this.checked(source, (campaign) => this.readableValues(campaign), at);
      this.uses.note(checked.template);
      return preparedPlan(checked, await stopsWith(ADVICE.secret, () => this.phones.token(checked.phone)));
    } catch (error) {
      throw error instanceof CampaignStop ? error.in(source.campaign.runs) : error;
    }
  }

  private async checked(
    source: CampaignSource,
    valuesOf: (campaign: Campaign) => CampaignContent | Promise<CampaignContent>,
    at: Date,
  ): Promise<CheckedCampaign> {
    try {
      return await checkCampaign(source, valuesOf, at);
    } catch (error) {
      const { cause } = error as Error;
      if (error instanceof CampaignStop && cause instanceof Error && !(cause instanceof DomainError)) {
        const { name } = CampaignPlansService;
        this.logger.error(`campaign ${source.campaign.id} cannot be rendered`, cause.stack, name);
      }
      throw error;
    }
  }

  /**
   * The campaign's values, with its one-time code decrypted. The recipients' own codes are only tried, one per encryption
   * key: without the key the campaign stops here, before anybody is claimed.
   *
   * @throws UnreadableSecret
   */
  private async readableValues(campaign: Campaign): Promise<CampaignContent> {
    const { accountId, id, content } = campaign;
    if (content.code === undefined) return content;
    for (const each of await findCodePerKey(accountId, id, this.pipeline.autocommit)) {
      openPersonal(accountId, id, { ...each, personal: null }, this.secrets);
    }
    return openContent(campaign, this.secrets);
  }
}
