import { Injectable, Logger } from '@nestjs/common';
import { BusinessPhonesService } from '../accounts/business-phones.service.js';
import type { LearnedIdentity } from '../contacts/identity/contact-identity.queries.js';
import { LearnedIdentitiesService } from '../contacts/identity/learned-identities.service.js';
import { MicroBatch } from '../database/batching/micro-batch.js';
import { isConflict, isTransient } from '../database/connections/passing-error.js';
import { Pipeline } from '../database/connections/pipeline.js';
import { withRetries } from '../database/connections/try-again.js';
import type { Tx } from '../database/unit-of-work.js';
import type { MessageReport, ReportOutcome } from '../messages/reports/message-report.js';
import { findByNetworkIds } from '../messages/reports/message-report.queries.js';
import { keyOf, MessageReportsService } from '../messages/reports/message-reports.service.js';
import { Outbox } from '../outbox/outbox.js';
import { now } from '../values/clock.js';
import { newRecordId } from '../values/record-id.js';
import type { StatusItem } from './callback.js';
import { parkReports } from './parked-report.queries.js';
import { type AddressedReport, addressReport } from './report-rules.js';
import { recordUnhandled } from './unhandled-callback.queries.js';

/** Reports that commit together. */
const MAX_REPORTS = 200;
/** Commits under way at once. */
const COMMITS = 2;
/** Tries of a commit that conflicts with another one. */
const MAX_TRIES = 3;

/**
 * Records status reports: those of concurrent callbacks share a transaction, and each callback is answered once its own
 * are durable.
 */
@Injectable()
export class ReportIntakeService {
  private readonly logger = new Logger(ReportIntakeService.name);
  private readonly batch = new MicroBatch<readonly StatusItem[], void>(
    async (bodies) => {
      const learned = await this.store(bodies.flat());
      // Afterwards, and for nobody to wait: it may merge contacts, which locks them before their messages.
      this.people.learn(learned);
      return bodies.map(() => undefined);
    },
    {
      name: 'reports',
      maxItems: MAX_REPORTS,
      weigh: (items) => items.length,
      concurrency: COMMITS,
      // A body of the network is about one phone.
      tenantOf: ([first]) => first?.phoneNumberId ?? '',
    },
  );

  constructor(
    private readonly pipeline: Pipeline,
    private readonly phones: BusinessPhonesService,
    private readonly reports: MessageReportsService,
    private readonly people: LearnedIdentitiesService,
    private readonly outbox: Outbox,
  ) {}

  /** Resolves when the reports of one callback are committed; rejects while the database is away. */
  async record(items: readonly StatusItem[]): Promise<void> {
    if (items.length > 0) await this.batch.run(items);
  }

  private async store(items: readonly StatusItem[]): Promise<LearnedIdentity[]> {
    const addressed = await this.address(items);
    const { left, learned } = await this.applyByOurId(addressed);
    const learnedLate = left.length > 0 ? await this.storeOrSplit(left) : [];
    this.outbox.announce();
    return [...learned, ...learnedLate];
  }

  private async address(items: readonly StatusItem[]): Promise<AddressedReport[]> {
    const ids = [...new Set(items.map(({ phoneNumberId }) => phoneNumberId))];
    const phones = await Promise.all(ids.map((id) => this.phones.findByPhoneNumberId(id)));
    const phoneOf = new Map(ids.map((id, index) => [id, phones[index] ?? null]));
    const at = now();
    return items.map((item) => addressReport(item, phoneOf.get(item.phoneNumberId) ?? null, at));
  }

  /**
   * The usual case: reports that carry our own id, of messages that nobody else is changing.
   *
   * @returns the reports that need more than that, all of them after an error that is about one of them, as applying a report
   * twice does no harm; and what the others tell of people
   */
  private async applyByOurId(
    addressed: readonly AddressedReport[],
  ): Promise<{ left: readonly AddressedReport[]; learned: LearnedIdentity[] }> {
    try {
      const { left, outcomes } = await this.reports.recordUnlocked(addressed.flatMap(namedReport));
      const remaining = new Set(left);
      const isLeft = (each: AddressedReport) => namedReport(each).every((report) => remaining.has(report));
      return { left: addressed.filter(isLeft), learned: outcomes.flatMap(learnedFrom) };
    } catch (error) {
      // Whose rows are locked, or whether the database is away, is for the batch to find out.
      if (isTransient(error)) throw error;
      this.logger.debug(`reports are applied the slower way: ${(error as Error).message}`);
      return { left: addressed, learned: [] };
    }
  }

  /** A report that cannot be stored costs only itself: it is recorded, the others are applied. */
  private async storeOrSplit(addressed: readonly AddressedReport[]): Promise<LearnedIdentity[]> {
    const once = () => this.pipeline.transaction((tx) => this.apply(addressed, tx));
    try {
      return await withRetries(once, isConflict, MAX_TRIES);
    } catch (error) {
      if (isTransient(error)) throw error;
      const [only] = addressed;
      if (addressed.length > 1) {
        const middle = addressed.length >> 1;
        const learned = await this.storeOrSplit(addressed.slice(0, middle));
        return [...learned, ...(await this.storeOrSplit(addressed.slice(middle)))];
      }
      if (only !== undefined) {
        this.logger.error(`a status report could not be applied: ${(error as Error).message}`);
        await recordUnhandled([{ ...only.unhandled, reason: 'could not be applied' }], this.pipeline.autocommit);
      }
      return [];
    }
  }

  /** Our own id finds the message first, the network's id second; a report that finds none is parked. */
  private async apply(addressed: readonly AddressedReport[], tx: Tx): Promise<LearnedIdentity[]> {
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
    return [...outcomes, ...byNetworkId].flatMap(learnedFrom);
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
    const reports: MessageReport[] = [];
    const parked: UsefulReport[] = [];
    for (const item of useful) {
      const messageId = found.get(`${item.report.accountId}/${item.report.networkMessageId}`);
      if (messageId === undefined) parked.push(item);
      else reports.push({ ...item.report, messageId });
    }
    const outcomes = await this.reports.record(reports, tx);
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
/** The report, if it carries our own id of the message. */
const namedReport = ({ report }: AddressedReport): MessageReport[] =>
  report !== null && hasOurId(report) ? [report] : [];
const hasOurId = (report: UsefulReport['report']): report is UsefulReport['report'] & MessageReport =>
  report.messageId !== null;
const learnedFrom = ({ learned }: ReportOutcome): LearnedIdentity[] => (learned === null ? [] : [learned]);
