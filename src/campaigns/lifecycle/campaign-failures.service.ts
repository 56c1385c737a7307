import { Injectable, Logger } from '@nestjs/common';
import { isPassing } from '../../database/connections/passing-error.js';
import { BackgroundUnitOfWork } from '../../database/unit-of-work.js';
import { MINUTE, SECOND } from '../../values/clock.js';
import { GroupedLines } from '../../values/grouped-lines.js';
import { OncePer } from '../../values/once-per.js';
import { newRecordId } from '../../values/record-id.js';
import { countCampaign } from '../campaign.queries.js';
import { CampaignLifecycleService } from './campaign-lifecycle.service.js';
import { unforeseenFailure } from './campaign-stop.js';
import { FAILURE_PATIENCE_MS, type FailureStreak, failedAgain, isHopeless, RELATED_MS } from './failure-rules.js';

type State = 'waits' | 'fails';

/** A database that is away stops thousands of campaigns at once: these are lines of one event. Milliseconds. */
const ONE_EVENT_MS = 10 * SECOND;

/** What this process knows of a campaign that fails. */
interface FailureRecord {
  /** Finds the first failure in the log. */
  readonly reference: string;
  /** Recipients that had an outcome then; null while that could not be counted. */
  readonly outcomes: number | null;
  /** Unforeseen failures; null when the database alone was in the way. */
  readonly streak: FailureStreak | null;
  readonly lastAt: number;
  /** The states that have been logged. */
  readonly logged: ReadonlySet<State>;
}

/**
 * Keeps campaigns that fail from running in circles. A campaign waits for a database that is away, however long that takes. A
 * failure that nobody foresaw is tried again after growing pauses, and stops the campaign when no process has sent
 * anything of it for 30 seconds. Each state is logged once, not each try, and once for all campaigns that wait.
 */
@Injectable()
export class CampaignFailuresService {
  private readonly logger = new Logger(CampaignFailuresService.name);
  private readonly records = new Map<string, FailureRecord>();
  /** For campaigns that fail, go on and fail again. */
  private readonly logOnce = new OncePer(MINUTE);

  private readonly waitingLines = new GroupedLines((line) => this.logger.warn(line), ONE_EVENT_MS);
  private readonly recoveredLines = new GroupedLines((line) => this.logger.log(line), ONE_EVENT_MS);

  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly lifecycle: CampaignLifecycleService,
  ) {}

  /** Whether a campaign may be tried now. */
  mayTry(campaignId: string): boolean {
    const streak = this.recent(campaignId)?.streak ?? null;
    return streak === null || performance.now() >= streak.retryAt;
  }

  /** Something was sent and recorded. */
  recovered(campaignId: string): void {
    if (this.records.delete(campaignId) && this.logOnce.allows(`recovered ${campaignId}`)) {
      this.recoveredLines.add(`campaign ${campaignId} goes on`, (others) => `${others} more campaigns go on`);
    }
  }

  /** It is not running any more. */
  forget(campaignId: string): void {
    this.records.delete(campaignId);
  }

  /** Something of a campaign failed. Never throws: the next try is due anyhow. */
  async failed(accountId: string, campaignId: string, error: unknown): Promise<void> {
    try {
      if (isPassing(error)) this.recordWait(campaignId, error as Error);
      else await this.recordFailure(accountId, campaignId, error as Error);
    } catch (next) {
      this.recordWait(campaignId, next as Error);
    }
  }

  private recordWait(campaignId: string, error: Error): void {
    const trouble = this.recent(campaignId) ?? newRecord();
    if (this.shouldLog(campaignId, trouble, 'waits')) {
      const line = `campaign ${campaignId} waits and is tried again: ${error.message}`;
      this.waitingLines.add(line, (others) => `${others} more campaigns wait and are tried again`);
    }
    this.remember(campaignId, trouble, 'waits');
  }

  private async recordFailure(accountId: string, campaignId: string, error: Error): Promise<void> {
    const trouble = this.recent(campaignId) ?? newRecord();
    // Groups that failed together count once.
    if (trouble.streak !== null && performance.now() < trouble.streak.retryAt) return;
    const streak = failedAgain(trouble.streak, performance.now());
    if (this.shouldLog(campaignId, trouble, 'fails')) {
      const line = `campaign ${campaignId} of account ${accountId} fails and is tried again (reference ${trouble.reference})`;
      this.logger.error(line, error.stack, CampaignFailuresService.name);
    }
    const now = this.remember(campaignId, { ...trouble, streak }, 'fails');
    if (streak.failures === 1 || trouble.outcomes === null) {
      this.remember(campaignId, { ...now, outcomes: await this.countOutcomes(accountId, campaignId) }, 'fails');
    } else if (isHopeless(streak)) {
      await this.giveUp(accountId, campaignId, trouble, error);
    }
  }

  private async giveUp(
    accountId: string,
    campaignId: string,
    { reference, outcomes }: FailureRecord,
    error: Error,
  ): Promise<void> {
    // Another process may send what this one cannot.
    if ((await this.countOutcomes(accountId, campaignId)) !== outcomes) return this.forget(campaignId);
    const reason = unforeseenFailure(FAILURE_PATIENCE_MS / 1000, reference);
    if (await this.lifecycle.fail(accountId, campaignId, reason)) {
      const line = `campaign ${campaignId} of account ${accountId} has stopped (reference ${reference})`;
      this.logger.error(line, error.stack, CampaignFailuresService.name);
    }
    this.forget(campaignId);
  }

  private async countOutcomes(accountId: string, campaignId: string): Promise<number> {
    const { sent, failed } = await countCampaign(accountId, campaignId, this.unitOfWork.autocommit);
    return sent + failed;
  }

  private recent(campaignId: string): FailureRecord | null {
    const trouble = this.records.get(campaignId);
    return trouble !== undefined && performance.now() - trouble.lastAt <= RELATED_MS ? trouble : null;
  }

  private shouldLog(campaignId: string, { logged }: FailureRecord, state: State): boolean {
    return !logged.has(state) && this.logOnce.allows(`${state} ${campaignId}`);
  }

  /** Campaigns that other processes have finished or stopped are forgotten in time. */
  private remember(campaignId: string, trouble: FailureRecord, state: State): FailureRecord {
    const at = performance.now();
    for (const [id, { lastAt }] of this.records) if (at - lastAt > RELATED_MS) this.records.delete(id);
    const kept = { ...trouble, lastAt: at, logged: new Set([...trouble.logged, state]) };
    this.records.set(campaignId, kept);
    return kept;
  }
}

const newRecord = (): FailureRecord => ({
  reference: newRecordId(),
  outcomes: null,
  streak: null,
  lastAt: performance.now(),
  logged: new Set(),
});
