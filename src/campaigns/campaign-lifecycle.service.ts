import { Inject, Injectable, Logger } from '@nestjs/common';
import { BusinessPhones } from '../accounts/business-phones.service.js';
import { enterMovement, lockWallet } from '../accounts/wallet.queries.js';
import type { Caller } from '../auth/caller.js';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { BULK_STATEMENT_MS } from '../database/deadlines.js';
import { isConflict } from '../database/passing-error.js';
import { tryAgain } from '../database/try-again.js';
import { BackgroundUnitOfWork, type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { badRequest } from '../errors/domain-error.js';
import { noteRecordOfKey } from '../idempotency/record-notes.js';
import { JobQueue } from '../queues/job-queue.js';
import type { Template } from '../templates/template.entity.js';
import { TemplateCatalog } from '../templates/template-catalog.service.js';
import { readTemplate } from '../templates/template-message.js';
import { now } from '../values/clock.js';
import { Campaign, type CampaignStatus } from './campaign.entity.js';
import { completeCampaign, failCampaign, startCampaign } from './campaign.queries.js';
import { renderCommon } from './campaign-content.js';
import { refundUntouched } from './campaign-credits.queries.js';
import { findSender } from './campaign-sender.js';
import { ADVICE, CampaignStop, stopsWith } from './campaign-stop.js';
import { campaignNotFound, cannotSend } from './campaigns.errors.js';
import { giveUpPostponed } from './recipient-claim.queries.js';

/** Jobs that work on one campaign side by side, over all processes. */
const LANES = 3;
/** Tries of a transaction that meets another one head-on. */
const MAX_TRIES = 3;

/** Moves campaigns from state to state; each move is one conditional update. */
@Injectable()
export class CampaignLifecycle {
  private readonly logger = new Logger(CampaignLifecycle.name);

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhones,
    private readonly templates: TemplateCatalog,
    private readonly queue: JobQueue,
    private readonly background: BackgroundUnitOfWork,
  ) {}

  /**
   * Starts a draft at its owner's request: the credits of all recipients are reserved in the same transaction.
   *
   * @returns the id of the worker's task
   * @throws DomainError 404 for an unknown campaign; 400 when it is no draft or a precheck fails, which leaves it a draft
   */
  async send(caller: Caller, campaignId: string): Promise<string> {
    const { accountId } = caller;
    const campaign = await find(accountId, campaignId, this.unitOfWork.writes(accountId));
    if (campaign.status !== 'draft') throw cannotSend(campaign.status);
    if (caller.suspended) throw badRequest('the business account is suspended: it cannot send campaigns');
    const price = await this.precheck(accountId, campaign);
    await this.unitOfWork.writes(accountId).transaction(async (tx) => {
      const started = await start(accountId, campaignId, 'draft', price, tx);
      if (!started) throw cannotSend((await find(accountId, campaignId, tx)).status);
      await noteRecordOfKey(campaignId, tx);
    });
    return this.wake(accountId, campaignId);
  }

  /**
   * Starts a campaign whose time has come, unless somebody else was faster. One that fails the checks of {@link send}
   * becomes `failed`, with what is wrong and what to do.
   */
  async startScheduled(accountId: string, campaignId: string): Promise<void> {
    const campaign = await find(accountId, campaignId, this.background.autocommit);
    if (campaign.status !== 'scheduled') return;
    try {
      const price = await this.precheckDue(accountId, campaign);
      const reserved = () =>
        this.unitOfWork.writes(accountId).transaction((tx) => start(accountId, campaignId, 'scheduled', price, tx));
      if (await stopsWith(ADVICE.credits, reserved)) await this.wake(accountId, campaignId);
    } catch (error) {
      if (!(error instanceof CampaignStop)) throw error;
      if (!(await this.fail(accountId, campaignId, error.message, ['scheduled']))) return;
      this.logger.warn(`campaign ${campaignId} of account ${accountId} could not start at its time: ${error.message}`);
    }
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
    return (await completeCampaign(accountId, campaignId, this.background.autocommit)) > 0;
  }

  /**
   * Stops a campaign that cannot start or go on; the credits of untouched recipients go back at once. They stay pending,
   * so that the campaign can go on once the reason is gone.
   *
   * @param from the states that it is stopped in
   * @returns false when it was in none of them any more
   */
  async fail(
    accountId: string,
    campaignId: string,
    reason: string,
    from: readonly CampaignStatus[] = ['running', 'scheduled'],
  ): Promise<boolean> {
    const stop = async (tx: Tx): Promise<boolean> => {
      if ((await failCampaign(accountId, campaignId, reason, from, tx)) === 0) return false;
      await refundUntouched(accountId, campaignId, tx);
      await giveUpPostponed(accountId, campaignId, tx);
      return true;
    };
    const once = () => this.background.transaction(stop, { statementMs: BULK_STATEMENT_MS });
    // Claims of the same moment lock recipients before the campaign.
    return tryAgain(once, isConflict, MAX_TRIES);
  }

  /**
   * Template approved, variables and media present, business able to send.
   *
   * @returns the price of one recipient, credits
   */
  private async precheck(accountId: string, campaign: Campaign): Promise<number> {
    const phone = await this.phones.find(accountId, campaign.businessPhoneId);
    if (phone === null) throw badRequest('the business phone of the campaign is gone');
    if (phone.restriction !== null) throw badRequest(`the business account is not active: ${phone.restriction}`);
    const template = await this.templates.get(accountId, campaign.templateId);
    renderCommon(readTemplate(template), campaign.content, now());
    return this.priceOf(template);
  }

  /**
   * As {@link precheck}, for a campaign that nobody asks for: each reason says what to do.
   *
   * @throws CampaignStop
   */
  private async precheckDue(accountId: string, campaign: Campaign): Promise<number> {
    await findSender(accountId, campaign.businessPhoneId, this.background.autocommit);
    const template = await stopsWith(ADVICE.template, () => this.templates.get(accountId, campaign.templateId));
    await stopsWith(ADVICE.content, () => renderCommon(readTemplate(template), campaign.content, now()));
    return this.priceOf(template);
  }

  /** Credits of one recipient. */
  private priceOf({ category }: Template): number {
    return this.environment.messagePrices[category] ?? 1;
  }
}

/**
 * Starts a campaign that is still in the state `from`, with the credits of all its recipients reserved.
 *
 * @returns false when somebody else was faster
 * @throws DomainError 400 when the wallet holds less
 */
async function start(
  accountId: string,
  campaignId: string,
  from: 'draft' | 'scheduled',
  price: number,
  tx: Tx,
): Promise<boolean> {
  const started = await startCampaign(accountId, campaignId, from, price, tx);
  if (started === null) return false;
  await reserve(accountId, campaignId, price * started.totalContacts, tx);
  return true;
}

/** @throws DomainError 404 */
async function find(accountId: string, id: string, tx: Tx): Promise<Campaign> {
  const campaign = await tx.manager.findOneBy(Campaign, { accountId, id });
  if (campaign === null) throw campaignNotFound(id);
  return campaign;
}

/** @throws DomainError 400 when the wallet holds less */
async function reserve(accountId: string, campaignId: string, credits: number, tx: Tx): Promise<void> {
  if (credits === 0) return;
  const balance = (await lockWallet(accountId, tx)) ?? 0;
  if (balance < credits) {
    throw badRequest(`insufficient wallet credits: the campaign needs ${credits}, the wallet holds ${balance}`);
  }
  await enterMovement(accountId, { kind: 'reserve', amount: -credits, campaignId }, tx);
}
