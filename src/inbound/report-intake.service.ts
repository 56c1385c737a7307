import { Injectable, Logger } from '@nestjs/common';
import { BusinessPhones } from '../accounts/business-phones.service.js';
import { MicroBatch } from '../database/micro-batch.js';
import { isPassing } from '../database/passing-error.js';
import { tryAgain } from '../database/try-again.js';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import type { MessageReport } from '../messages/message-report.js';
import { findByNetworkIds } from '../messages/message-report.queries.js';
import { keyOf, MessageReports } from '../messages/message-reports.service.js';
import { Outbox } from '../outbox/outbox.js';
import { now } from '../values/clock.js';
import { newRecordId } from '../values/record-id.js';
import type { StatusItem } from './callback.js';
import { parkReports, recordUnhandled } from './inbound.queries.js';
import { type AddressedReport, addressReport } from './report-rules.js';

/** Reports that commit together at most. */
const MOST_REPORTS = 500;
/** Commits under way at once. */
const COMMITS = 2;
/** Tries when two commits met head-on. */
const MOST_TRIES = 3;

/**
 * Takes status reports in: those of concurrent callbacks share one transaction, and each callback is answered once its
 * own are durable.
 */
@Injectable()
export class ReportIntake {
  private readonly logger = new Logger(ReportIntake.name);
  private readonly batch = new MicroBatch<readonly StatusItem[], void>(
    async (bodies) => {
      await this.store(bodies.flat());
      return bodies.map(() => undefined);
    },
    { mostItems: MOST_REPORTS, weigh: (items) => items.length, concurrency: COMMITS },
  );

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhones,
    private readonly reports: MessageReports,
    private readonly outbox: Outbox,
  ) {}

  /** Resolves when the reports of one callback are committed; rejects while the database is away. */
  async take(items: readonly StatusItem[]): Promise<void> {
    if (items.length > 0) await this.batch.run(items);
  }

  private async store(items: readonly StatusItem[]): Promise<void> {
    const addressed = await this.address(items);
    const rest = await this.applyByOurId(addressed);
    if (rest.length > 0) await this.storeOrSplit(rest);
    this.outbox.announce();
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
   * @returns those that need more than that; all of them when something went wrong, for the same report may be applied
   * twice without harm
   */
  private async applyByOurId(addressed: readonly AddressedReport[]): Promise<readonly AddressedReport[]> {
    try {
      const left = new Set(await this.reports.recordUnlocked(addressed.flatMap(namedReport)));
      const isLeft = (each: AddressedReport) => namedReport(each).every((report) => left.has(report));
      return addressed.filter(isLeft);
    } catch (error) {
      this.logger.debug(`reports are applied one way after the other: ${(error as Error).message}`);
      return addressed;
    }
  }

  /** One report that cannot be stored costs only itself: it is recorded, the others are applied. */
  private async storeOrSplit(addressed: readonly AddressedReport[]): Promise<void> {
    const once = () => this.unitOfWork.transaction((tx) => this.apply(addressed, tx));
    try {
      await tryAgain(once, isPassing, MOST_TRIES);
    } catch (error) {
      if (isPassing(error)) throw error;
      const [only] = addressed;
      if (addressed.length > 1) {
        const middle = addressed.length >> 1;
        await this.storeOrSplit(addressed.slice(0, middle));
        await this.storeOrSplit(addressed.slice(middle));
      } else if (only !== undefined) {
        this.logger.error(`a status report could not be applied: ${(error as Error).message}`);
        await recordUnhandled([{ ...only.unhandled, reason: 'could not be applied' }], this.unitOfWork.autocommit);
      }
    }
  }

  /** Our own id finds the message first, the network's id second; a report that finds none waits for one (D15). */
  private async apply(addressed: readonly AddressedReport[], tx: Tx): Promise<void> {
    const useful = addressed.filter(isUseful);
    const named = useful.flatMap(namedReport);
    const found = new Set((await this.reports.record(named, tx)).map(({ message }) => keyOf(message)));
    const others = useful.filter(
      ({ report: { accountId, messageId } }) => messageId === null || !found.has(keyOf({ accountId, messageId })),
    );
    if (others.length > 0) await this.applyByNetworkId(others, tx);
    await recordUnhandled(
      addressed.filter(({ report }) => report === null).map(({ unhandled }) => unhandled),
      tx,
    );
  }

  private async applyByNetworkId(useful: readonly UsefulReport[], tx: Tx): Promise<void> {
    const rows = await findByNetworkIds(
      useful.map(({ report }) => report.accountId),
      useful.map(({ report }) => report.networkMessageId ?? ''),
      tx,
    );
    const found = new Map(rows.map((row) => [`${row.account_id}/${row.network_message_id}`, row.id]));
    const reports: MessageReport[] = [];
    const parked: UsefulReport[] = [];
    for (const item of useful) {
      const messageId = found.get(`${item.report.accountId}/${item.report.networkMessageId}`);
      if (messageId === undefined) parked.push(item);
      else reports.push({ ...item.report, messageId });
    }
    await this.reports.record(reports, tx);
    await parkReports(
      parked.map(({ report: { accountId, networkMessageId }, unhandled }) => ({
        id: newRecordId(),
        accountId,
        networkMessageId: networkMessageId ?? '',
        report: unhandled.body,
      })),
      tx,
    );
  }
}

type UsefulReport = AddressedReport & { readonly report: NonNullable<AddressedReport['report']> };
const isUseful = (addressed: AddressedReport): addressed is UsefulReport => addressed.report !== null;
/** The report, if it carries our own id of the message. */
const namedReport = ({ report }: AddressedReport): MessageReport[] =>
  report !== null && hasOurId(report) ? [report] : [];
const hasOurId = (report: UsefulReport['report']): report is UsefulReport['report'] & MessageReport =>
  report.messageId !== null;
