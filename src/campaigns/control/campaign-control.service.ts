import { Inject, Injectable, Logger } from '@nestjs/common';
import type { AuditAction } from '../../audit/audit-action.js';
import { AuditLog } from '../../audit/audit-log.js';
import type { Caller } from '../../auth/caller.js';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { BULK_STATEMENT_MS } from '../../database/connections/deadlines.js';
import { isConflict } from '../../database/connections/transient-errors.js';
import { withRetries } from '../../database/connections/with-retries.js';
import { type Tx, UnitOfWork } from '../../database/unit-of-work.js';
import { CampaignListener } from '../../hooks/campaign-listener.js';
import { notify } from '../../hooks/notify.js';
import { noteRecordOfKey } from '../../idempotency/record-notes.js';
import { JobQueue } from '../../queues/job-queue.js';
import { requireForCampaign } from '../../templates/rendering/template-choice.js';
import { holdTemplate } from '../../templates/template-deletion.queries.js';
import { now } from '../../values/clock.js';
import { checkDeadline, isPastDeadline, isTooLate } from '../authoring/schedule-rules.js';
import type { Campaign, CampaignStatus } from '../campaign.entity.js';
import {
  type CampaignStart,
  cancelCampaign,
  pauseCampaign,
  requireCampaign,
  restartCampaign,
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
  codesAreGone,
  nothingToRetry,
} from '../campaigns.errors.js';
import { CAMPAIGN_DISPATCH } from '../campaigns.jobs.js';
import { cancelUntouched, countPending, reclaimCredits, reserveCredits } from '../planning/campaign-credits.queries.js';
import { planNextOpening } from '../planning/campaign-opening.js';
import { CampaignPlansService } from '../planning/campaign-plans.service.js';
import type { CampaignSource } from '../planning/campaign-source.queries.js';
import { ADVICE, CampaignStop, startedTooLate, stopsWith } from '../planning/campaign-stop.js';
import { noteSentTemplate } from '../planning/sent-templates.js';
import { CampaignEndingsService } from './campaign-endings.service.js';
import { countFailures, giveUpPostponed, retryFailed } from './recipient-control.queries.js';
import { chooseFailures, type RetryChoice } from './retry-rules.js';

/** Tries per transaction that conflicts with another one. */
const MAX_TRIES = 3;
/** Statuses from which failed recipients may be retried. */
const RETRIED_FROM: readonly CampaignStatus[] = ['completed', 'failed'];

/**
 * Moves campaigns from status to status. Each transition is one conditional update, so concurrent callers cannot both
 * win.
 */
@Injectable()
export class CampaignControlService {
  private readonly logger = new Logger(CampaignControlService.name);

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly unitOfWork: UnitOfWork,
    private readonly plans: CampaignPlansService,
    private readonly endings: CampaignEndingsService,
    private readonly queue: JobQueue,
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
    const source = await this.read(accountId, campaignId);
    if (source.campaign.status !== 'draft') throw cannotSend(source.campaign.status);
    const price = await this.precheck(source);
    const begin = async (tx: Tx): Promise<void> => {
      const started = await start(source, { from: 'draft', by: caller.userId, source: caller.source, price }, tx);
      if (!started) throw cannotSend((await requireCampaign(accountId, campaignId, tx)).status);
      await holdTemplateOf(source, tx);
      await AuditLog.write(accountId, { action: 'campaign.sent', subjectId: campaignId }, tx);
      await noteRecordOfKey(campaignId, tx);
    };
    await toldToCaller(() => this.unitOfWork.writes(accountId).transaction(begin, { statementMs: BULK_STATEMENT_MS }));
    return this.wake(accountId, campaignId);
  }

  /**
   * Starts a scheduled campaign that is due, unless another process was faster. If it fails the checks of {@link send} or
   * is too late, it becomes `failed`, with a reason that says what to do.
   */
  async startScheduled(accountId: string, campaignId: string): Promise<void> {
    const source = await this.plans.read({ accountId, campaignId });
    if (source?.campaign.status !== 'scheduled') return;
    try {
      checkLateness(source.campaign);
      const price = await this.price(source);
      const begin = async (tx: Tx): Promise<boolean> => {
        if (!(await start(source, { from: 'scheduled', by: null, source: 'schedule', price }, tx))) return false;
        await AuditLog.writeBySystem(accountId, { action: 'campaign.sent', subjectId: campaignId }, tx);
        return true;
      };
      const reserved = () => this.unitOfWork.writes(accountId).transaction(begin, { statementMs: BULK_STATEMENT_MS });
      if (await stopsWith(ADVICE.credits, reserved)) await this.wake(accountId, campaignId);
    } catch (error) {
      if (!(error instanceof CampaignStop)) throw error;
      if (!(await this.endings.fail(accountId, campaignId, error.message, { from: ['scheduled'] }))) return;
      this.logger.warn(`campaign ${campaignId} of account ${accountId} could not start at its time: ${error.message}`);
    }
  }

  /** Queues a job that wakes a worker for the campaign. If that fails, the sweep finds it. Returns the task id. */
  async wake(accountId: string, campaignId: string): Promise<string> {
    try {
      const ids = { account_id: accountId, campaign_id: campaignId };
      await this.queue.enqueue(CAMPAIGN_DISPATCH, ids, { key: campaignId });
    } catch (error) {
      this.logger.warn(
        `campaign ${campaignId} was not queued, so the sweep will start it: ${(error as Error).message}`,
      );
    }
    return `campaign.dispatch.v1:${campaignId}`;
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
        throw cannotCancel(await requireCampaign(accountId, campaignId, tx));
      }
      await cancelUntouched(accountId, campaignId, tx);
      await giveUpPostponed(accountId, campaignId, tx);
      notify(CampaignListener, 'onEnded', accountId, { campaignId, status: 'cancelled' }, tx);
    });
  }

  /**
   * Pauses a running campaign: no recipients are claimed until it is resumed.
   *
   * @throws DomainError 404 for an unknown campaign; 400 when it is not running or is already paused
   */
  async pause({ accountId, userId: by, source }: Caller, campaignId: string): Promise<void> {
    await this.transact(accountId, campaignId, 'campaign.paused', async (tx) => {
      if ((await pauseCampaign(accountId, campaignId, { by, source }, tx)) === 0) {
        throw cannotPause(await requireCampaign(accountId, campaignId, tx));
      }
    });
  }

  /**
   * Resumes a paused or failed campaign. A failed one had its credits refunded, so it must pass the checks for sending
   * and reserve them again. A paused one stays paused if its template can no longer be sent.
   *
   * @throws DomainError 404 for an unknown campaign; 400 for any other status, a failed check, or too few credits
   */
  async resume(accountId: string, campaignId: string): Promise<void> {
    const source = await this.read(accountId, campaignId);
    const price = source.campaign.status === 'failed' ? await this.precheck(source) : null;
    if (source.campaign.paused) requireForCampaign(source.template);
    await this.transact(accountId, campaignId, 'campaign.resumed', async (tx) => {
      if (price === null) {
        if ((await unpauseCampaign(accountId, campaignId, tx)) > 0) return noteTemplateOf(source, tx);
      } else {
        const restarted = await restartCampaign(accountId, campaignId, ['failed'], price, tx);
        if (restarted !== null) {
          await holdTemplateOf(source, tx);
          await noteTemplateOf(source, tx);
          const unsent = await reclaimCredits(accountId, campaignId, tx);
          await openNext(accountId, campaignId, tx);
          notify(CampaignListener, 'onStarted', accountId, { campaignId }, tx);
          return reserveCredits(accountId, campaignId, restarted.price * unsent, tx);
        }
      }
      throw cannotResume(await requireCampaign(accountId, campaignId, tx));
    });
    await this.wake(accountId, campaignId);
  }

  /**
   * Retries recipients whose failure is retryable, and continues with those left untouched when the campaign failed.
   * Reserves the credits of all of them in the same transaction.
   *
   * @throws DomainError 404 for an unknown campaign; 400 when it is neither completed nor failed, no recipient is
   *   retryable, the choice names codes that are not, the template takes one-time codes, a check fails, or there are too few credits
   */
  async retryFailed(accountId: string, campaignId: string, choice: RetryChoice): Promise<void> {
    const source = await this.read(accountId, campaignId);
    const { campaign } = source;
    if (!RETRIED_FROM.includes(campaign.status)) throw cannotRetry(campaign);
    if (campaign.content.code !== undefined) throw codesAreGone();
    const price = await this.precheck(source);
    await this.transact(accountId, campaignId, 'campaign.retried', async (tx) => {
      const restarted = await restartCampaign(accountId, campaignId, RETRIED_FROM, price, tx);
      if (restarted === null) throw cannotRetry(await requireCampaign(accountId, campaignId, tx));
      await holdTemplateOf(source, tx);
      await noteTemplateOf(source, tx);
      const untouched = await reclaimCredits(accountId, campaignId, tx);
      const chosen = chooseFailures(await countFailures(accountId, campaignId, tx), choice, now());
      const retried = await retryFailed(accountId, campaignId, chosen, tx);
      if (retried === 0) throw nothingToRetry();
      await openNext(accountId, campaignId, tx);
      await reserveCredits(accountId, campaignId, restarted.price * (untouched + retried), tx);
      notify(CampaignListener, 'onStarted', accountId, { campaignId }, tx);
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
    return toldToCaller(() => withRetries(once, isConflict, MAX_TRIES));
  }

  /** The stored records of a campaign. @throws DomainError 404 */
  private async read(accountId: string, campaignId: string): Promise<CampaignSource> {
    const source = await this.plans.read({ accountId, campaignId });
    if (source === null) throw campaignNotFound(campaignId);
    return source;
  }

  /**
   * The check before a caller starts a campaign.
   *
   * @returns credits per recipient
   * @throws DomainError 400 when the campaign cannot be sent
   */
  private async precheck(source: CampaignSource): Promise<number> {
    checkDeadline(source.campaign.sendBefore, now());
    return toldToCaller(() => this.price(source));
  }

  /**
   * Checks a campaign.
   *
   * @returns credits per recipient
   * @throws CampaignStop
   */
  private async price(source: CampaignSource): Promise<number> {
    const { template } = await this.plans.check(source);
    return this.environment.messagePrices[template.category] ?? 1;
  }
}

/** Runs a part of a caller's request. @throws DomainError for a stop */
async function toldToCaller<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof CampaignStop ? error.forCaller : error;
  }
}

/** Plans the next opening of a campaign that starts. @throws CampaignStop when it could not send to anybody */
async function openNext(accountId: string, campaignId: string, tx: Tx): Promise<void> {
  const stop = await planNextOpening(accountId, campaignId, tx);
  if (stop !== null) throw stop;
}

/**
 * Starts a campaign if its status still allows it, and reserves the credits of all its recipients.
 *
 * @returns false when another caller was faster
 * @throws DomainError 400 when there are too few credits
 */
async function start(source: CampaignSource, how: CampaignStart, tx: Tx): Promise<boolean> {
  const { accountId, id: campaignId } = source.campaign;
  if (!(await startCampaign(accountId, campaignId, how, tx))) return false;
  await noteTemplateOf(source, tx);
  await openNext(accountId, campaignId, tx);
  await reserveCredits(accountId, campaignId, how.price * (await countPending(accountId, campaignId, tx)), tx);
  notify(CampaignListener, 'onStarted', accountId, { campaignId }, tx);
  return true;
}

/** @throws CampaignStop when the time of a scheduled campaign is long over */
function checkLateness(campaign: Campaign): void {
  const { scheduledAt } = campaign;
  const at = now();
  if (scheduledAt === null || !isTooLate(scheduledAt, at)) return;
  throw startedTooLate(scheduledAt, at, isPastDeadline(campaign, at));
}

/** From here on the template is not deleted while the campaign runs. @throws DomainError 400 when it is gone */
const holdTemplateOf = ({ campaign }: CampaignSource, tx: Tx): Promise<void> =>
  holdTemplate(campaign.accountId, { id: campaign.templateId, name: campaign.templateName }, tx);

/** Its records show the template as it is now, whatever becomes of it. */
const noteTemplateOf = async ({ campaign, template }: CampaignSource, tx: Tx): Promise<void> => {
  if (template !== null) await noteSentTemplate(campaign.accountId, campaign.id, template, tx);
};
