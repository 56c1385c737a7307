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
import { TemplateCatalog } from '../templates/template-catalog.service.js';
import { renderTemplateMessage } from '../templates/template-message.js';
import { now } from '../values/clock.js';
import { Campaign } from './campaign.entity.js';
import { completeCampaign, failCampaign, startCampaign } from './campaign.queries.js';
import { refundUntouched } from './campaign-credits.queries.js';
import { openAnew } from './campaign-opening.js';
import { checkDeadline } from './campaign-times.js';
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
    await this.unitOfWork.writes(accountId).transaction(
      async (tx) => {
        const started = await startCampaign(accountId, campaignId, 'draft', price, tx);
        if (started === null) throw cannotSend((await find(accountId, campaignId, tx)).status);
        await openAnew(accountId, campaignId, tx);
        await reserve(accountId, campaignId, price * started.totalContacts, tx);
        await noteRecordOfKey(campaignId, tx);
      },
      { statementMs: BULK_STATEMENT_MS },
    );
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
    return (await completeCampaign(accountId, campaignId, this.background.autocommit)) > 0;
  }

  /**
   * Stops a campaign that cannot go on; the credits of untouched recipients go back at once. They stay pending, so that
   * the campaign can go on once the reason is gone.
   *
   * @returns false when it was not running any more
   */
  async fail(accountId: string, campaignId: string, reason: string): Promise<boolean> {
    const stop = async (tx: Tx): Promise<boolean> => {
      if ((await failCampaign(accountId, campaignId, reason, tx)) === 0) return false;
      await refundUntouched(accountId, campaignId, 'pending', tx);
      await giveUpPostponed(accountId, campaignId, tx);
      return true;
    };
    const once = () => this.background.transaction(stop, { statementMs: BULK_STATEMENT_MS });
    // Claims of the same moment lock recipients before the campaign.
    return tryAgain(once, isConflict, MAX_TRIES);
  }

  /**
   * Template approved, variables and media present, business able to send, deadline not over.
   *
   * @returns the price of one recipient, credits
   */
  private async precheck(accountId: string, campaign: Campaign): Promise<number> {
    const phone = await this.phones.find(accountId, campaign.businessPhoneId);
    if (phone === null) throw badRequest('the business phone of the campaign is gone');
    if (phone.restriction !== null) throw badRequest(`the business account is not active: ${phone.restriction}`);
    checkDeadline(campaign.sendBefore, now());
    const template = await this.templates.get(accountId, campaign.templateId);
    renderTemplateMessage(template, campaign.content, now());
    return this.environment.messagePrices[template.category] ?? 1;
  }
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
