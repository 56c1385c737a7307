import { Inject, Injectable, Logger } from '@nestjs/common';
import { BusinessPhonesService } from '../../accounts/business-phones.service.js';
import { enterMovement, lockWallet } from '../../accounts/wallet.queries.js';
import type { Caller } from '../../auth/caller.js';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { BULK_STATEMENT_MS } from '../../database/connections/deadlines.js';
import { isConflict } from '../../database/connections/passing-error.js';
import { tryAgain } from '../../database/connections/try-again.js';
import { BackgroundUnitOfWork, type Tx, UnitOfWork } from '../../database/unit-of-work.js';
import { badRequest } from '../../errors/domain-error.js';
import { noteRecordOfKey } from '../../idempotency/record-notes.js';
import { JobQueue } from '../../queues/job-queue.js';
import { TemplateCatalogService } from '../../templates/rendering/template-catalog.service.js';
import { requireSendable } from '../../templates/rendering/template-choice.js';
import { parseTemplate } from '../../templates/rendering/template-message.js';
import type { Template } from '../../templates/template.entity.js';
import { now } from '../../values/clock.js';
import { renderCommon } from '../authoring/campaign-content.js';
import { checkDeadline } from '../authoring/campaign-times.js';
import { Campaign, type CampaignStatus } from '../campaign.entity.js';
import {
  cancelCampaign,
  completeCampaign,
  failCampaign,
  pauseCampaign,
  restartCampaign,
  type StopConditions,
  startCampaign,
  unpauseCampaign,
} from '../campaign.queries.js';
import {
  campaignNotFound,
  cannotCancel,
  cannotPause,
  cannotResume,
  cannotRetry,
  cannotSend,
  nothingToRetry,
} from '../campaigns.errors.js';
import { openAnew } from '../dispatch/campaign-opening.js';
import { senderOf } from '../dispatch/campaign-sender.js';
import { type DispatchSource, findDispatchSources } from '../dispatch/dispatch-source.queries.js';
import { giveUpPostponed } from '../dispatch/recipient-claim.queries.js';
import { reclaimCredits, refundUntouched } from './campaign-credits.queries.js';
import { ADVICE, CampaignStop, stopsWith } from './campaign-stop.js';
import { retryFailed } from './recipient-retry.queries.js';

/** Tries of a transaction that meets another one head-on. */
const MAX_TRIES = 3;
/** The states from which failed recipients may be retried. */
const RETRIED_FROM: readonly CampaignStatus[] = ['completed', 'failed'];

/** Moves campaigns from state to state; each move is one conditional update. */
@Injectable()
export class CampaignLifecycleService {
  private readonly logger = new Logger(CampaignLifecycleService.name);

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhonesService,
    private readonly templates: TemplateCatalogService,
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
        const started = await start(accountId, campaignId, 'draft', price, tx);
        if (!started) throw cannotSend((await find(accountId, campaignId, tx)).status);
        await noteRecordOfKey(campaignId, tx);
      },
      { statementMs: BULK_STATEMENT_MS },
    );
    return this.wake(accountId, campaignId);
  }

  /**
   * Starts a campaign whose time has come, unless somebody else was faster. One that fails the checks of {@link send}
   * becomes `failed`, with what is wrong and what to do.
   */
  async startScheduled(accountId: string, campaignId: string): Promise<void> {
    const [source] = await findDispatchSources([{ accountId, campaignId }], this.background.autocommit);
    if (source?.campaign.status !== 'scheduled') return;
    try {
      const price = await this.precheckDue(source);
      const reserved = () =>
        this.unitOfWork.writes(accountId).transaction((tx) => start(accountId, campaignId, 'scheduled', price, tx), {
          statementMs: BULK_STATEMENT_MS,
        });
      if (await stopsWith(ADVICE.credits, reserved)) await this.wake(accountId, campaignId);
    } catch (error) {
      if (!(error instanceof CampaignStop)) throw error;
      if (!(await this.fail(accountId, campaignId, error.message, { from: ['scheduled'] }))) return;
      this.logger.warn(`campaign ${campaignId} of account ${accountId} could not start at its time: ${error.message}`);
    }
  }

  /** Wakes a worker for a campaign; what cannot be queued now is found by the sweep. */
  async wake(accountId: string, campaignId: string): Promise<string> {
    try {
      const data = { account_id: accountId, campaign_id: campaignId };
      await this.queue.enqueue('campaign.dispatch.v1', data, { key: campaignId });
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
   * @returns false when the conditions did not hold any more
   */
  async fail(
    accountId: string,
    campaignId: string,
    reason: string,
    { from = ['running', 'scheduled'], run = null }: Partial<StopConditions> = {},
  ): Promise<boolean> {
    const stop = async (tx: Tx): Promise<boolean> => {
      if ((await failCampaign(accountId, campaignId, reason, { from, run }, tx)) === 0) return false;
      await refundUntouched(accountId, campaignId, 'pending', tx);
      await giveUpPostponed(accountId, campaignId, tx);
      return true;
    };
    const once = () => this.background.transaction(stop, { statementMs: BULK_STATEMENT_MS });
    // Claims of the same moment lock recipients before the campaign.
    return tryAgain(once, isConflict, MAX_TRIES);
  }

  /**
   * Cancels a campaign for good. Who was not sent to never will be: their credits go back, at once where nothing was tried
   * yet, else with the message. Who is in hand at this moment may still be sent to.
   *
   * @throws DomainError 404 for an unknown campaign; 400 when it is over
   */
  async cancel(accountId: string, campaignId: string): Promise<void> {
    await this.change(accountId, campaignId, async (tx) => {
      if ((await cancelCampaign(accountId, campaignId, tx)) === 0) {
        throw cannotCancel(await find(accountId, campaignId, tx));
      }
      await refundUntouched(accountId, campaignId, 'cancelled', tx);
      await giveUpPostponed(accountId, campaignId, tx);
    });
  }

  /**
   * Keeps a running campaign from claiming anybody until it is resumed.
   *
   * @throws DomainError 404 for an unknown campaign; 400 when it is not running, or paused already
   */
  async pause(accountId: string, campaignId: string): Promise<void> {
    await this.change(accountId, campaignId, async (tx) => {
      if ((await pauseCampaign(accountId, campaignId, tx)) === 0) {
        throw cannotPause(await find(accountId, campaignId, tx));
      }
    });
  }

  /**
   * Lets a campaign go on that is paused or has stopped. One that has stopped gave its credits back: it passes the checks of
   * a start and reserves them again.
   *
   * @throws DomainError 404 for an unknown campaign; 400 for any other state, a failed precheck, or a wallet that holds less
   */
  async resume(accountId: string, campaignId: string): Promise<void> {
    const campaign = await find(accountId, campaignId, this.unitOfWork.writes(accountId));
    const price = campaign.status === 'failed' ? await this.precheck(accountId, campaign) : null;
    await this.change(accountId, campaignId, async (tx) => {
      if (price === null) {
        if ((await unpauseCampaign(accountId, campaignId, tx)) > 0) return;
      } else {
        const restarted = await restartCampaign(accountId, campaignId, ['failed'], price, tx);
        if (restarted !== null) {
          const untouched = await reclaimCredits(accountId, campaignId, tx);
          await openAnew(accountId, campaignId, tx);
          return reserve(accountId, campaignId, restarted.price * untouched, tx);
        }
      }
      throw cannotResume(await find(accountId, campaignId, tx));
    });
    await this.wake(accountId, campaignId);
  }

  /**
   * Sends once more to those whose failure another message may overcome, and goes on with those whom a stop left untouched.
   * The credits of all of them are reserved in the same transaction.
   *
   * @throws DomainError 404 for an unknown campaign; 400 when it is neither completed nor stopped, when nobody failed that
   * way, a precheck fails, or the wallet holds less
   */
  async retryFailed(accountId: string, campaignId: string): Promise<void> {
    const campaign = await find(accountId, campaignId, this.unitOfWork.writes(accountId));
    if (!RETRIED_FROM.includes(campaign.status)) throw cannotRetry(campaign);
    const price = await this.precheck(accountId, campaign);
    await this.change(accountId, campaignId, async (tx) => {
      const restarted = await restartCampaign(accountId, campaignId, RETRIED_FROM, price, tx);
      if (restarted === null) throw cannotRetry(await find(accountId, campaignId, tx));
      const untouched = await reclaimCredits(accountId, campaignId, tx);
      const retried = await retryFailed(accountId, campaignId, tx);
      if (retried === 0) throw nothingToRetry();
      await openAnew(accountId, campaignId, tx);
      await reserve(accountId, campaignId, restarted.price * (untouched + retried), tx);
    });
    await this.wake(accountId, campaignId);
  }

  /** Does what a caller asked for in one transaction, and again where that meets a worker's head-on. */
  private change(accountId: string, campaignId: string, work: (tx: Tx) => Promise<void>): Promise<void> {
    const noted = async (tx: Tx): Promise<void> => {
      await work(tx);
      await noteRecordOfKey(campaignId, tx);
    };
    const once = () => this.unitOfWork.writes(accountId).transaction(noted, { statementMs: BULK_STATEMENT_MS });
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
    renderCommon(parseTemplate(template), campaign.content, now());
    return this.priceOf(template);
  }

  /**
   * As {@link precheck}, for a campaign that nobody asks for: each reason says what to do.
   *
   * @throws CampaignStop
   */
  private async precheckDue(source: DispatchSource): Promise<number> {
    const { campaign } = source;
    senderOf(source);
    const template = await stopsWith(ADVICE.template, () => requireSendable(source.template));
    await stopsWith(ADVICE.content, () => renderCommon(parseTemplate(template), campaign.content, now()));
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
  await openAnew(accountId, campaignId, tx);
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
