import { Injectable, Logger } from '@nestjs/common';
import { AuditLog } from '../../audit/audit-log.js';
import { BULK_STATEMENT_MS } from '../../database/connections/deadlines.js';
import { isConflict } from '../../database/connections/transient-errors.js';
import { withRetries } from '../../database/connections/with-retries.js';
import { BackgroundUnitOfWork, type Database, type Tx } from '../../database/unit-of-work.js';
import { CampaignListener } from '../../hooks/campaign-listener.js';
import { isHeard, notify } from '../../hooks/notify.js';
import type { MessageError } from '../../messages/message-event.js';
import { TemplateCatalogService } from '../../templates/rendering/template-catalog.service.js';
import type { Campaign } from '../campaign.entity.js';
import { completeCampaign, failCampaign, type StopConditions } from '../campaign.queries.js';
import { refundPending } from '../planning/campaign-credits.queries.js';
import { ADVICE } from '../planning/campaign-stop.js';
import type { Stopped } from './stops.queries.js';

/** Tries per transaction that conflicts with another one. */
const MAX_TRIES = 3;

/** The run of a campaign that stops. */
type StoppedRun = Pick<Campaign, 'accountId' | 'id' | 'runs'>;

/** Ends campaigns without a caller: completed, or failed for a reason that says what to do. */
@Injectable()
export class CampaignEndingsService {
  private readonly logger = new Logger(CampaignEndingsService.name);
  /** Stops that are not stored yet, by campaign. Nothing more is sent until they are. */
  private readonly unfinished = new Map<string, { readonly reason: string; readonly run: number }>();

  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly templates: TemplateCatalogService,
  ) {}

  /** Completes the campaign if nothing is left to do. @returns whether it did */
  async completeIfDone(accountId: string, campaignId: string): Promise<boolean> {
    const complete = async (db: Database): Promise<boolean> => {
      if ((await completeCampaign(accountId, campaignId, db)) === 0) return false;
      notify(CampaignListener, 'onEnded', accountId, { campaignId, status: 'completed' }, db);
      return true;
    };
    const { autocommit } = this.unitOfWork;
    return isHeard(CampaignListener, autocommit) ? this.unitOfWork.transaction(complete) : complete(autocommit);
  }

  /**
   * Stops a campaign that cannot start or continue, and refunds the credits of all who have not been sent to, also of
   * those who wait for a retry. They stay pending, so that the campaign can be resumed once the cause is fixed.
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
      await refundPending(accountId, campaignId, tx);
      await AuditLog.writeBySystem(accountId, { action: 'campaign.failed', subjectId: campaignId }, tx);
      notify(CampaignListener, 'onEnded', accountId, { campaignId, status: 'failed' }, tx);
      return true;
    };
    const once = () => this.unitOfWork.transaction(stop, { statementMs: BULK_STATEMENT_MS });
    // Concurrent claims lock recipients before the campaign, so this can deadlock with them and must be retried.
    return withRetries(once, isConflict, MAX_TRIES);
  }

  /** Stops this run of the campaign, unless it has been restarted in the meantime. */
  async stop({ accountId, id, runs: run }: StoppedRun, reason: string): Promise<void> {
    this.unfinished.set(id, { reason, run });
    if (await this.fail(accountId, id, reason, { run })) {
      this.logger.warn(`campaign ${id} of account ${accountId} has stopped: ${reason}`);
    }
    this.unfinished.delete(id);
  }

  /**
   * Stops a run because the network refuses its phone, its template or its category; a template then counts as
   * unavailable.
   *
   * @param error the network's code, and what it means in plain words
   * @param stopped what is refused
   */
  async stopFor(
    run: StoppedRun & Pick<Campaign, 'templateId'>,
    { code, message }: MessageError,
    stopped: Stopped,
  ): Promise<void> {
    try {
      await this.stop(run, `${message}. ${ADVICE[stopped]}`);
    } finally {
      if (stopped === 'template') await this.templates.markUnavailable(run.accountId, run.templateId, code);
    }
  }

  /** Stores the stop of a run that could not be stored when it was found. @returns whether there was one */
  async finishStop(run: StoppedRun): Promise<boolean> {
    const unfinished = this.unfinished.get(run.id);
    if (unfinished === undefined || unfinished.run !== run.runs) return false;
    await this.stop(run, unfinished.reason);
    return true;
  }
}
