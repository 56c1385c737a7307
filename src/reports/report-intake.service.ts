import { Injectable, Logger } from '@nestjs/common';
import { BusinessPhonesService } from '../accounts/business-phones.service.js';
import { MicroBatch } from '../database/batching/micro-batch.js';
import { isConflict, isTransient } from '../database/connections/transient-errors.js';
import { withRetries } from '../database/connections/with-retries.js';
import { Pipeline, type Tx } from '../database/unit-of-work.js';
import type { MessageReport, ReportOutcome } from '../messages/outcomes/message-report.js';
import { findByNetworkIds } from '../messages/outcomes/message-report.queries.js';
import { keyOf, MessageReportsService } from '../messages/outcomes/message-reports.service.js';
import { Outbox } from '../outbox/outbox.js';
import { Metrics, type Observer } from '../runtime/metrics.js';
import { MINUTE, now } from '../values/clock.js';
import { OncePer } from '../values/once-per.js';
import { newRecordId } from '../values/record-id.js';
import { type AddressedReport, addressReport } from './addressed-report.js';
import { parkReports } from './parked-report.queries.js';
import { ReportConsequencesService } from './report-consequences.service.js';
import type { StatusItem } from './status-item.js';
import { recordUnhandled } from './unhandled-callback.queries.js';

/** Reports per transaction. */
export const MAX_REPORTS = 200;
/** Concurrent transactions. */
const MAX_CONCURRENT_COMMITS = 2;
/** Attempts of a transaction that conflicts with another one. */
const MAX_TRIES = 3;
/** Seconds. The network waits a few seconds for its 200. */
const STORED_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Records status reports. Reports of concurrent callbacks share a transaction, and each callback is acknowledged once
 * its own reports are committed.
 */
@Injectable()
export class ReportIntakeService {
  private readonly logger = new Logger(ReportIntakeService.name);
  private readonly logLines = new OncePer(MINUTE);
  private readonly seconds: Observer;
  private readonly batch = new MicroBatch<readonly StatusItem[], void>(
    async (bodies) => {
      await this.store(bodies.flat());
      return bodies.map(() => undefined);
    },
    {
      name: 'reports',
      maxItems: MAX_REPORTS,
      weigh: (items) => items.length,
      concurrency: MAX_CONCURRENT_COMMITS,
      // Each callback is about one phone.
      tenantOf: ([first]) => first?.phoneNumberId ?? '',
    },
  );

  constructor(
    private readonly pipeline: Pipeline,
    private readonly phones: BusinessPhonesService,
    private readonly reports: MessageReportsService,
    private readonly consequences: ReportConsequencesService,
    private readonly outbox: Outbox,
    metrics: Metrics,
  ) {
    this.seconds = metrics.histogram(
      { name: 'parley_report_seconds', help: 'From the arrival of a callback until its status reports are stored' },
      STORED_BUCKETS,
    );
  }

  /** Resolves when the reports of one callback are committed; rejects while the database is unavailable. */
  async record(items: readonly StatusItem[]): Promise<void> {
    if (items.length === 0) return;
    const receivedAt = performance.now();
    await this.batch.run(items);
    this.seconds.observe((performance.now() - receivedAt) / 1000);
  }

  /** What follows from outcomes is begun as soon as they are stored: when a later part fails, they are not told again. */
  private async store(items: readonly StatusItem[]): Promise<void> {
    const remaining = await this.applyByOurId(await this.address(items));
    try {
      if (remaining.length > 0) await this.storeOrSplit(remaining);
    } finally {
      this.outbox.announce();
    }
  }

  private async address(items: readonly StatusItem[]): Promise<AddressedReport[]> {
    const ids = [...new Set(items.map(({ phoneNumberId }) => phoneNumberId))];
    const phones = await Promise.all(ids.map((id) => this.phones.findByPhoneNumberId(id)));
    const phoneOf = new Map(ids.map((id, index) => [id, phones[index] ?? null]));
    const at = now();
    return items.map((item) => addressReport(item, phoneOf.get(item.phoneNumberId) ?? null, at));
  }

  /**
   * Applies the common case: reports that carry our own id, about messages that are not locked.
   *
   * @returns the reports that need more, or all of them after an error, since applying a report twice is harmless
   */
  private async applyByOurId(addressed: readonly AddressedReport[]): Promise<readonly AddressedReport[]> {
    let recorded: Awaited<ReturnType<MessageReportsService['recordUnlocked']>>;
    try {
      recorded = await this.reports.recordUnlocked(addressed.flatMap(namedReport));
    } catch (error) {
      // Temporary database errors fail the whole batch.
      if (isTransient(error)) throw error;
      if (this.logLines.allows('fast path')) {
        this.logger.warn(`the fast path for reports failed, using the slow one: ${(error as Error).message}`);
      }
      return addressed;
    }
    this.consequences.follow(recorded.outcomes);
    const unapplied = new Set(recorded.left);
    return addressed.filter((each) => namedReport(each).every((report) => unapplied.has(report)));
  }

  /**
   * Applies reports; if that fails, it splits them until only the failing ones are left, which are recorded as
   * unhandled.
   */
  private async storeOrSplit(addressed: readonly AddressedReport[]): Promise<void> {
    const once = () => this.pipeline.transaction((tx) => this.apply(addressed, tx));
    let outcomes: readonly ReportOutcome[];
    try {
      outcomes = await withRetries(once, isConflict, MAX_TRIES);
    } catch (error) {
      if (isTransient(error)) throw error;
      const [only] = addressed;
      if (addressed.length > 1) {
        const middle = addressed.length >> 1;
        await this.storeOrSplit(addressed.slice(0, middle));
        await this.storeOrSplit(addressed.slice(middle));
      } else if (only !== undefined) {
        this.logger.error(`a status report could not be applied: ${(error as Error).message}`);
        await recordUnhandled([{ ...only.unhandled, reason: 'could not be applied' }], this.pipeline.autocommit);
      }
      return;
    }
    this.consequences.follow(outcomes);
  }

  /** Finds each message by our own id, then by the network's id. A report whose message is unknown is parked. */
  private async apply(addressed: readonly AddressedReport[], tx: Tx): Promise<ReportOutcome[]> {
    const useful = addressed.filter(isUseful);
    const outcomes = await this.reports.record(useful.flatMap(namedReport), tx);
    const found = new Set(outcomes.map(({ message }) => keyOf(message)));
    const others = useful.filter(
      ({ report: { accountId, messageId } }) => messageId === null || !found.has(keyOf({ accountId, messageId })),
    );
    const byNetworkId = others.length > 0 ? await this.applyByNetworkId(others, tx) : [];
    await recordUnhandled(
      addressed.filter(({ report }) => report === null).map(({ unhandled }) => unhandled),
      tx,
    );
    return [...outcomes, ...byNetworkId];
  }

  private async applyByNetworkId(useful: readonly UsefulReport[], tx: Tx): Promise<ReportOutcome[]> {
    const rows = await findByNetworkIds(
      useful.map(({ report }) => report.accountId),
      useful.map(({ report }) => report.networkMessageId ?? ''),
      tx,
    );
    const found = new Map(
      rows.map(({ accountId, networkMessageId, messageId }) => [`${accountId}/${networkMessageId}`, messageId]),
    );
    const known: { readonly item: UsefulReport; readonly report: MessageReport }[] = [];
    const parked: UsefulReport[] = [];
    for (const item of useful) {
      const messageId = found.get(`${item.report.accountId}/${item.report.networkMessageId}`);
      if (messageId === undefined) parked.push(item);
      else known.push({ item, report: { ...item.report, messageId } });
    }
    const outcomes = await this.reports.record(
      known.map(({ report }) => report),
      tx,
    );
    const told = new Set(outcomes.map(({ message }) => keyOf(message)));
    const untold = known.filter(({ report }) => !told.has(keyOf(report)));
    await recordUnhandled(
      untold.map(({ item: { unhandled } }) => ({ ...unhandled, reason: 'its message is gone' })),
      tx,
    );
    await parkReports(
      parked.map(({ report: { accountId, networkMessageId }, unhandled }) => ({
        id: newRecordId(),
        accountId,
        networkMessageId: networkMessageId ?? '',
        report: unhandled.body,
      })),
      tx,
    );
    return outcomes;
  }
}

type UsefulReport = AddressedReport & { readonly report: NonNullable<AddressedReport['report']> };
const isUseful = (addressed: AddressedReport): addressed is UsefulReport => addressed.report !== null;
/** The report, if it carries our own message id. */
const namedReport = ({ report }: AddressedReport): MessageReport[] =>
  report !== null && hasOurId(report) ? [report] : [];
const hasOurId = (report: UsefulReport['report']): report is UsefulReport['report'] & MessageReport =>
  report.messageId !== null;
