import { Inject, Injectable, Logger } from '@nestjs/common';
import { BusinessPhones } from '../accounts/business-phones.service.js';
import type { Caller } from '../auth/caller.js';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { badRequest } from '../errors/domain-error.js';
import { noteRecordOfKey } from '../idempotency/record-notes.js';
import { JobQueue } from '../queues/job-queue.js';
import { TemplateCatalog } from '../templates/template-catalog.service.js';
import { renderTemplateMessage } from '../templates/template-message.js';
import { now } from '../values/clock.js';
import {
  type CampaignRow,
  completeCampaign,
  failCampaign,
  findCampaign,
  refundUntouched,
  reserveCredits,
  startCampaign,
  walletBalance,
} from './campaign.queries.js';
import { campaignNotFound, cannotSend } from './campaigns.errors.js';

/** Jobs that work on one campaign side by side, over all processes. */
const LANES = 3;

/** Moves campaigns from state to state; each move is one conditional update (D27). */
@Injectable()
export class CampaignLifecycle {
  private readonly logger = new Logger(CampaignLifecycle.name);

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhones,
    private readonly templates: TemplateCatalog,
    private readonly queue: JobQueue,
  ) {}

  /**
   * Starts a draft at its owner's request (SPEC §8).
   *
   * @returns the id of the worker's task
   * @throws DomainError 404 for an unknown campaign; 400 when it is no draft or a precheck fails, which leaves it a draft
   */
  async send(caller: Caller, campaignId: string): Promise<string> {
    const { accountId } = caller;
    const campaign = await findCampaign(accountId, campaignId, this.unitOfWork.autocommit);
    if (campaign === null) throw campaignNotFound(campaignId);
    if (campaign.status !== 'draft') throw cannotSend(campaign.status);
    if (caller.suspended) throw badRequest('the business account is suspended: it cannot send campaigns');
    const price = await this.precheck(accountId, campaign);
    await this.unitOfWork.transaction(async (tx) => {
      const started = await startCampaign(accountId, campaignId, 'draft', price, tx);
      if (started === null) {
        const lost = await findCampaign(accountId, campaignId, tx);
        throw lost === null ? campaignNotFound(campaignId) : cannotSend(lost.status);
      }
      const total = price * started.total_contacts;
      if (!(await reserveCredits(accountId, campaignId, { price, total }, tx))) {
        const balance = await walletBalance(accountId, tx);
        throw badRequest(`insufficient wallet credits: the campaign needs ${total}, the wallet holds ${balance}`);
      }
      await noteRecordOfKey(campaignId, tx);
    });
    return this.wake(accountId, campaignId);
  }

  /** Queues the lanes of a campaign; what cannot be queued now is found by the sweep. */
  async wake(accountId: string, campaignId: string): Promise<string> {
    try {
      await this.queue.enqueueAll(
        'campaign.dispatch.v1',
        Array.from({ length: LANES }, (_, lane) => ({
          data: { account_id: accountId, campaign_id: campaignId, lane },
          options: { key: `${campaignId}:${lane}` },
        })),
      );
    } catch (error) {
      this.logger.warn(`campaign ${campaignId} waits for the sweep: ${(error as Error).message}`);
    }
    return `campaign.dispatch.v1:${campaignId}`;
  }

  /** Completes the campaign if nothing of it is left to do. */
  async completeIfDone(accountId: string, campaignId: string): Promise<boolean> {
    return (await completeCampaign(accountId, campaignId, this.unitOfWork.autocommit)) > 0;
  }

  /** Stops a campaign that cannot go on; the credits of untouched recipients go back at once (D30). */
  async fail(accountId: string, campaignId: string, reason: string): Promise<void> {
    await this.unitOfWork.transaction(async (tx) => {
      const failed = await failCampaign(accountId, campaignId, reason, tx);
      if (failed > 0) await refundUntouched(accountId, campaignId, tx);
    });
  }

  /**
   * Template approved, variables and media present, business able to send (SPEC §8).
   *
   * @returns the price of one recipient, credits
   */
  private async precheck(accountId: string, campaign: CampaignRow): Promise<number> {
    const phone = await this.phones.find(accountId, campaign.business_phone_id);
    if (phone === null) throw badRequest('the business phone of the campaign is gone');
    if (phone.restriction !== null) throw badRequest(`the business account is not active: ${phone.restriction}`);
    const template = await this.templates.get(accountId, campaign.template_id);
    renderTemplateMessage(template, campaign.content, now());
    return this.environment.messagePrices[template.category] ?? 1;
  }
}
