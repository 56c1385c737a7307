import { Injectable, Logger } from '@nestjs/common';
import { isTransient } from '../../database/connections/transient-errors.js';
import { BackgroundUnitOfWork } from '../../database/unit-of-work.js';
import { MINUTE, SECOND } from '../../values/clock.js';
import { GroupedLines } from '../../values/grouped-lines.js';
import { OncePer } from '../../values/once-per.js';
import { newRecordId } from '../../values/record-id.js';
import { countCampaign } from '../campaign-counts.queries.js';
import { CampaignStop, unexpectedFailure } from '../planning/campaign-stop.js';
import { CampaignEndingsService } from './campaign-endings.service.js';
import { FAILURE_PATIENCE_MS, type FailureStreak, failedAgain, isHopeless, RELATED_MS } from './failure-rules.js';

type State = 'waits' | 'fails';

/**
 * Log lines within this time are grouped as one event: a database outage affects thousands of campaigns. Milliseconds.
 */
const ONE_EVENT_MS = 10 * SECOND;

/** What this process knows about a failing campaign. */
interface FailureRecord {
  /** Logged with the first failure, so that operators can find it. */
  readonly reference: string;
  /** Recipients with an outcome at the first failure; null while they could not be counted. */
  readonly outcomes: number | null;
  /** Unexpected failures; null when only the database was unavailable. */
  readonly streak: FailureStreak | null;
  readonly lastAt: number;
  /** States that have been logged already. */
  readonly logged: ReadonlySet<State>;
}

/**
 * Decides when failing campaigns are retried and when they are stopped: immediately when a person has to act
 * ({@link CampaignStop}). While the database is unavailable, campaigns wait indefinitely. After an unexpected failure, a campaign is retried with backoff, and stopped when no process has
 * sent anything of it for 30 seconds. Each state is logged once, not per retry, and lines of many campaigns are
 * grouped.
 */
@Injectable()
export class CampaignFailuresService {
  private readonly logger = new Logger(CampaignFailuresService.name);
  private readonly records = new Map<string, FailureRecord>();
  /** Limits lines about a campaign that keeps failing and recovering. */
  private readonly logLimit = new OncePer(MINUTE);

  private readonly waitingLines = new GroupedLines((line) => this.logger.warn(line), ONE_EVENT_MS);
  private readonly recoveredLines = new GroupedLines((line) => this.logger.log(line), ONE_EVENT_MS);

  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly endings: CampaignEndingsService,
  ) {}

  /** Whether a campaign may be tried now. */
  mayTry(campaignId: string): boolean {
    const streak = this.recent(campaignId)?.streak ?? null;
    return streak === null || performance.now() >= streak.retryAt;
  }

  /** Call when messages were sent and their outcomes recorded. */
  recovered(campaignId: string): void {
    if (this.records.delete(campaignId) && this.logLimit.allows(`recovered ${campaignId}`)) {
      this.recoveredLines.add(
        `campaign ${campaignId} has recovered`,
        (others) => `${others} more campaigns have recovered`,
      );
    }
  }

  /** Call when the campaign is no longer running. */
  forget(campaignId: string): void {
    this.records.delete(campaignId);
  }

  /** Call when work on a campaign failed. Never throws: the campaign is retried anyway. */
  async failed(accountId: string, campaignId: string, error: unknown): Promise<void> {
    try {
      if (error instanceof CampaignStop && error.run !== null) {
        await this.endings.stop({ accountId, id: campaignId, runs: error.run }, error.message);
      } else if (isTransient(error)) this.recordWait(campaignId, error as Error);
      else await this.recordFailure(accountId, campaignId, error as Error);
    } catch (next) {
      this.recordWait(campaignId, next as Error);
    }
  }

  private recordWait(campaignId: string, error: Error): void {
    const record = this.recent(campaignId) ?? newRecord();
    if (this.shouldLog(campaignId, record, 'waits')) {
      const line = `campaign ${campaignId} is waiting and will be retried: ${error.message}`;
      this.waitingLines.add(line, (others) => `${others} more campaigns are waiting and will be retried`);
    }
    this.remember(campaignId, record, 'waits');
  }

  private async recordFailure(accountId: string, campaignId: string, error: Error): Promise<void> {
    const record = this.recent(campaignId) ?? newRecord();
    // Groups that failed together count once.
    if (record.streak !== null && performance.now() < record.streak.retryAt) return;
    const streak = failedAgain(record.streak, performance.now());
    if (this.shouldLog(campaignId, record, 'fails')) {
      const line = `campaign ${campaignId} of account ${accountId} failed and will be retried`;
      this.logger.error(`${line} (reference ${record.reference})`, error.stack, CampaignFailuresService.name);
    }
    const now = this.remember(campaignId, { ...record, streak }, 'fails');
    if (streak.failures === 1 || record.outcomes === null) {
      this.remember(campaignId, { ...now, outcomes: await this.countOutcomes(accountId, campaignId) }, 'fails');
    } else if (isHopeless(streak)) {
      await this.giveUp(accountId, campaignId, record, error);
    }
  }

  private async giveUp(
    accountId: string,
    campaignId: string,
    { reference, outcomes }: FailureRecord,
    error: Error,
  ): Promise<void> {
    // Another process may be able to send what this one cannot.
    if ((await this.countOutcomes(accountId, campaignId)) !== outcomes) return this.forget(campaignId);
    const reason = unexpectedFailure(FAILURE_PATIENCE_MS / 1000, reference);
    if (await this.endings.fail(accountId, campaignId, reason)) {
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
    const record = this.records.get(campaignId);
    return record !== undefined && performance.now() - record.lastAt <= RELATED_MS ? record : null;
  }

  private shouldLog(campaignId: string, { logged }: FailureRecord, state: State): boolean {
    return !logged.has(state) && this.logLimit.allows(`${state} ${campaignId}`);
  }

  /** Also drops old records, so that campaigns finished by other processes are eventually forgotten. */
  private remember(campaignId: string, record: FailureRecord, state: State): FailureRecord {
    const at = performance.now();
    for (const [id, { lastAt }] of this.records) if (at - lastAt > RELATED_MS) this.records.delete(id);
    const kept = { ...record, lastAt: at, logged: new Set([...record.logged, state]) };
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
