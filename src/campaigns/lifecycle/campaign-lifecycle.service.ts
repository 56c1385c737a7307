import { Inject, Injectable, Logger } from '@nestjs/common';
import { BusinessPhonesService } from '../../accounts/business-phones.service.js';
import { enterMovement, lockWallet } from '../../accounts/wallet.queries.js';
import type { AuditAction } from '../../audit/audit-action.js';
import { AuditLog } from '../../audit/audit-log.js';
import type { Caller } from '../../auth/caller.js';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { BULK_STATEMENT_MS } from '../../database/connections/deadlines.js';
import { isConflict } from '../../database/connections/transient-errors.js';
import { withRetries } from '../../database/connections/with-retries.js';
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
import { planNextOpening } from '../dispatch/campaign-opening.js';
import { campaignPhone } from '../dispatch/campaign-phone.js';
import { type DispatchSource, findDispatchSources } from '../dispatch/dispatch-source.queries.js';
import { giveUpPostponed } from '../dispatch/recipient-claim.queries.js';
import { reclaimCredits, refundUntouched } from './campaign-credits.queries.js';
import { ADVICE, CampaignStop, stopsWith } from './campaign-stop.js';
import { retryFailed } from './recipient-retry.queries.js';

/** Tries per transaction that conflicts with another one. */
const MAX_TRIES = 3;
/** Statuses from which failed recipients may be retried. */
const RETRIED_FROM: readonly CampaignStatus[] = ['completed', 'failed'];

/**
 * Moves campaigns from status to status. Each transition is one conditional update, so concurrent callers cannot both
 * win.
 */
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
   * Starts a draft on request. Reserves the credits of all recipients in the same transaction.
   *
   * @returns the id of the background task
   * @throws DomainError 404 for an unknown campaign; 400 when it is not a draft or a check fails, and it then stays a
   *   draft
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
        await AuditLog.write(accountId, { action: 'campaign.sent', subjectId: campaignId }, tx);
        await noteRecordOfKey(campaignId, tx);
      },
      { statementMs: BULK_STATEMENT_MS },
    );
    return this.wake(accountId, campaignId);
  }

  /**
   * Starts a scheduled campaign that is due, unless another process was faster. If it fails the checks of {@link send},
   * it becomes `failed`, with a reason that says what to do.
   */
  async startScheduled(accountId: string, campaignId: string): Promise<void> {
    const [source] = await findDispatchSources([{ accountId, campaignId }], this.background.autocommit);
    if (source?.campaign.status !== 'scheduled') return;
    try {
      const price = await this.precheckDue(source);
      const begin = async (tx: Tx): Promise<boolean> => {
        if (!(await start(accountId, campaignId, 'scheduled', price, tx))) return false;
        await AuditLog.writeBySystem(accountId, { action: 'campaign.sent', subjectId: campaignId }, tx);
        return true;
      };
      const reserved = () => this.unitOfWork.writes(accountId).transaction(begin, { statementMs: BULK_STATEMENT_MS });
      if (await stopsWith(ADVICE.credits, reserved)) await this.wake(accountId, campaignId);
    } catch (error) {
      if (!(error instanceof CampaignStop)) throw error;
      if (!(await this.fail(accountId, campaignId, error.message, { from: ['scheduled'] }))) return;
      this.logger.warn(`campaign ${campaignId} of account ${accountId} could not start at its time: ${error.message}`);
    }
  }

  /**
   * Queues a job that wakes a worker for the campaign. If that fails, the sweep finds the campaign. Returns the task
   * id.
   */
  async wake(accountId: string, campaignId: string): Promise<string> {
    try {
      const data = { account_id: accountId, campaign_id: campaignId };
      await this.queue.enqueue('campaign.dispatch.v1', data, { key: campaignId });
    } catch (error) {
      this.logger.warn(
        `campaign ${campaignId} was not queued, so the sweep will start it: ${(error as Error).message}`,
      );
    }
    return `campaign.dispatch.v1:${campaignId}`;
  }

  /** Completes the campaign if nothing is left to do. @returns whether it did */
  async completeIfDone(accountId: string, campaignId: string): Promise<boolean> {
    return (await completeCampaign(accountId, campaignId, this.background.autocommit)) > 0;
  }

  /**
   * Stops a campaign that cannot start or continue, and refunds the credits of untouched recipients immediately. They
   * stay pending, so that the campaign can be resumed once the cause is fixed.
   *
   * @returns false when the conditions no longer held
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
      await AuditLog.writeBySystem(accountId, { action: 'campaign.failed', subjectId: campaignId }, tx);
      return true;
    };
    const once = () => this.background.transaction(stop, { statementMs: BULK_STATEMENT_MS });
    // Concurrent claims lock recipients before the campaign, so this can deadlock with them and must be retried.
    return withRetries(once, isConflict, MAX_TRIES);
  }

  /**
   * Cancels a campaign permanently. Credits of untouched recipients are refunded immediately; credits of those tried
   * before are refunded when their messages are settled. Recipients in flight at this moment may still be sent to.
   *
   * @throws DomainError 404 for an unknown campaign; 400 when it has ended
   */
  async cancel(accountId: string, campaignId: string): Promise<void> {
    await this.transact(accountId, campaignId, 'campaign.cancelled', async (tx) => {
      if ((await cancelCampaign(accountId, campaignId, tx)) === 0) {
        throw cannotCancel(await find(accountId, campaignId, tx));
      }
      await refundUntouched(accountId, campaignId, 'cancelled', tx);
      await giveUpPostponed(accountId, campaignId, tx);
    });
  }

  /**
   * Pauses a running campaign: no recipients are claimed until it is resumed.
   *
   * @throws DomainError 404 for an unknown campaign; 400 when it is not running or is already paused
   */
  async pause(accountId: string, campaignId: string): Promise<void> {
    await this.transact(accountId, campaignId, 'campaign.paused', async (tx) => {
      if ((await pauseCampaign(accountId, campaignId, tx)) === 0) {
        throw cannotPause(await find(accountId, campaignId, tx));
      }
    });
  }

  /**
   * Resumes a paused or failed campaign. A failed one had its credits refunded, so it must pass the checks for sending
   * and reserve them again.
   *
   * @throws DomainError 404 for an unknown campaign; 400 for any other status, a failed check, or too few credits
   */
  async resume(accountId: string, campaignId: string): Promise<void> {
    const campaign = await find(accountId, campaignId, this.unitOfWork.writes(accountId));
    const price = campaign.status === 'failed' ? await this.precheck(accountId, campaign) : null;
    await this.transact(accountId, campaignId, 'campaign.resumed', async (tx) => {
      if (price === null) {
        if ((await unpauseCampaign(accountId, campaignId, tx)) > 0) return;
      } else {
        const restarted = await restartCampaign(accountId, campaignId, ['failed'], price, tx);
        if (restarted !== null) {
          const untouched = await reclaimCredits(accountId, campaignId, tx);
          await planNextOpening(accountId, campaignId, tx);
          return reserve(accountId, campaignId, restarted.price * untouched, tx);
        }
      }
      throw cannotResume(await find(accountId, campaignId, tx));
    });
    await this.wake(accountId, campaignId);
  }

  /**
   * Retries recipients whose failure is retryable, and continues with those left untouched when the campaign failed.
   * Reserves the credits of all of them in the same transaction.
   *
   * @throws DomainError 404 for an unknown campaign; 400 when it is neither completed nor failed, no recipient is
   *   retryable, a check fails, or there are too few credits
   */
  async retryFailed(accountId: string, campaignId: string): Promise<void> {
    const campaign = await find(accountId, campaignId, this.unitOfWork.writes(accountId));
    if (!RETRIED_FROM.includes(campaign.status)) throw cannotRetry(campaign);
    const price = await this.precheck(accountId, campaign);
    await this.transact(accountId, campaignId, 'campaign.retried', async (tx) => {
      const restarted = await restartCampaign(accountId, campaignId, RETRIED_FROM, price, tx);
      if (restarted === null) throw cannotRetry(await find(accountId, campaignId, tx));
      const untouched = await reclaimCredits(accountId, campaignId, tx);
      const retried = await retryFailed(accountId, campaignId, tx);
      if (retried === 0) throw nothingToRetry();
      await planNextOpening(accountId, campaignId, tx);
      await reserve(accountId, campaignId, restarted.price * (untouched + retried), tx);
    });
    await this.wake(accountId, campaignId);
  }

  /** Runs and records `work` in a transaction, and retries both if it conflicts with a worker's transaction. */
  private transact(
    accountId: string,
    campaignId: string,
    action: AuditAction,
    work: (tx: Tx) => Promise<void>,
  ): Promise<void> {
    const noted = async (tx: Tx): Promise<void> => {
      await work(tx);
      await AuditLog.write(accountId, { action, subjectId: campaignId }, tx);
      await noteRecordOfKey(campaignId, tx);
    };
    const once = () => this.unitOfWork.writes(accountId).transaction(noted, { statementMs: BULK_STATEMENT_MS });
    return withRetries(once, isConflict, MAX_TRIES);
  }

  /**
   * Checks that the phone may send, the deadline has not passed, the template is available, and its values are
   * complete.
   *
   * @returns credits per recipient
   */
  private async precheck(accountId: string, campaign: Campaign): Promise<number> {
    const phone = await this.phones.find(accountId, campaign.businessPhoneId);
    if (phone === null) throw badRequest('the campaign’s business phone no longer exists');
    if (phone.restriction !== null) throw badRequest(`the business account is not active: ${phone.restriction}`);
    checkDeadline(campaign.sendBefore, now());
    const template = await this.templates.get(accountId, campaign.templateId);
    renderCommon(parseTemplate(template), campaign.content, now());
    return this.priceOf(template);
  }

  /**
   * Like {@link precheck}, but for a start without a caller to respond to: the reason is stored and says what to do.
   *
   * @throws CampaignStop
   */
  private async precheckDue(source: DispatchSource): Promise<number> {
    const { campaign } = source;
    campaignPhone(source);
    const template = await stopsWith(ADVICE.template, () => requireSendable(source.template));
    await stopsWith(ADVICE.content, () => renderCommon(parseTemplate(template), campaign.content, now()));
    return this.priceOf(template);
  }

  /** Credits per recipient. */
  private priceOf({ category }: Template): number {
    return this.environment.messagePrices[category] ?? 1;
  }
}

/**
 * Starts a campaign if its status is still `from`, and reserves the credits of all its recipients.
 *
 * @returns false when another caller was faster
 * @throws DomainError 400 when there are too few credits
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
  await planNextOpening(accountId, campaignId, tx);
  await reserve(accountId, campaignId, price * started.totalContacts, tx);
  return true;
}

/** @throws DomainError 404 */
async function find(accountId: string, id: string, tx: Tx): Promise<Campaign> {
  const campaign = await tx.manager.findOneBy(Campaign, { accountId, id });
  if (campaign === null) throw campaignNotFound(id);
  return campaign;
}

/** @throws DomainError 400 when there are too few credits */
async function reserve(accountId: string, campaignId: string, credits: number, tx: Tx): Promise<void> {
  if (credits === 0) return;
  const balance = (await lockWallet(accountId, tx)) ?? 0;
  if (balance < credits) {
    throw badRequest(`insufficient wallet credits: the campaign needs ${credits}, the wallet holds ${balance}`);
  }
  await enterMovement(accountId, { kind: 'reserve', amount: -credits, campaignId }, tx);
}
