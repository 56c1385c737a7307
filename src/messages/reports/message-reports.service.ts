import { Injectable } from '@nestjs/common';
import { setConsent } from '../../contacts/consent.queries.js';
import { Pipeline } from '../../database/connections/pipeline.js';
import type { Tx } from '../../database/unit-of-work.js';
import { CONTACT_OPTED_OUT } from '../../network/error-classes.js';
import { now } from '../../values/clock.js';
import { CampaignCredits, type CreditSettlement } from './campaign-credits.js';
import { foldReports, type MessageReport, type ReportedMessage, type ReportOutcome } from './message-report.js';
import { type FinishedBatch, readReportedMessages, storeReportOutcomes } from './message-report.queries.js';

/**
 * Records reports about messages from every source: answers to our sends, status reports, taps, the horizon.
 * Duplicates, gaps and the order of reports make no difference to the final rows.
 */
@Injectable()
export class MessageReportsService {
  constructor(
    private readonly pipeline: Pipeline,
    private readonly credits: CampaignCredits,
  ) {}

  /**
   * Applies reports in the caller's transaction, so that messages, events, campaign counters and credits change
   * together. The caller announces the outbox after the commit.
   *
   * @param recipients the caller's changes to campaign recipients; they run after the messages are locked, because
   * locks are always taken in that order
   * @returns the outcome for each message that was found
   */
  async record(
    reports: readonly MessageReport[],
    tx: Tx,
    recipients: (tx: Tx) => Promise<void> = async () => undefined,
  ): Promise<ReportOutcome[]> {
    const outcomes = await this.fold(reports, { lock: true }, tx);
    const changed = outcomes.filter((outcome) => outcome.changed);
    if (changed.length > 0) {
      await storeReportOutcomes(changed, tx);
      await this.applyOptOuts(changed, tx);
    }
    await recipients(tx);
    await this.settle(changed, tx);
    return outcomes;
  }

  /**
   * Applies reports without locking the messages first. This is cheaper and usually enough: concurrent reports about
   * the same message are rare.
   *
   * @returns the outcomes, and the reports left for {@link record}, whose messages are unknown or changed concurrently
   */
  async recordUnlocked(reports: readonly MessageReport[]): Promise<RecordedUnlocked> {
    const outcomes = await this.fold(reports, { lock: false }, this.pipeline.autocommit);
    const changed = outcomes.filter((outcome) => outcome.changed);
    const stored = await this.storeTogether(changed);
    const recorded = outcomes.filter(
      ({ changed: wasChanged, message }) => !wasChanged || stored.has(message.messageId),
    );
    const done = new Set(recorded.map(({ message }) => keyOf(message)));
    return { left: reports.filter((report) => !done.has(keyOf(report))), outcomes: recorded };
  }

  /**
   * Records the network's acceptance of messages that the caller has just stored, in one statement.
   *
   * @param accepted the messages as the caller stored them
   * @param finished batches in flight that are complete with these outcomes
   * @returns the reports of messages that changed in the meantime, to be passed to {@link record}
   */
  async recordFirst(
    accepted: readonly AcceptedMessage[],
    finished: readonly FinishedBatch[] = [],
  ): Promise<MessageReport[]> {
    const at = now();
    const outcomes = accepted.map(({ message, report }) => foldReports(message, [report], at));
    const stored = await storeReportOutcomes(outcomes, this.pipeline.autocommit, finished);
    return accepted.filter(({ report }) => !stored.has(report.messageId)).map(({ report }) => report);
  }

  private async fold(
    reports: readonly MessageReport[],
    options: { readonly lock: boolean },
    tx: Tx,
  ): Promise<ReportOutcome[]> {
    if (reports.length === 0) return [];
    const reportsOf = new Map<string, MessageReport[]>();
    for (const report of reports) {
      const known = reportsOf.get(keyOf(report));
      if (known === undefined) reportsOf.set(keyOf(report), [report]);
      else known.push(report);
    }
    const named = [...reportsOf.values()].flatMap(([first]) => (first === undefined ? [] : [first]));
    const messages = await readReportedMessages(named, options, tx);
    const at = now();
    return messages.map((message) => foldReports(message, reportsOf.get(keyOf(message)) ?? [], at));
  }

  /** Usually one statement; a transaction if credits or consent change too. */
  private async storeTogether(outcomes: readonly ReportOutcome[]): Promise<Set<string>> {
    if (outcomes.length === 0) return new Set();
    if (!outcomes.some(needsTransaction)) return storeReportOutcomes(outcomes, this.pipeline.autocommit);
    return this.pipeline.transaction(async (tx) => {
      const stored = await storeReportOutcomes(outcomes, tx);
      const kept = outcomes.filter(({ message }) => stored.has(message.messageId));
      await this.applyOptOuts(kept, tx);
      await this.settle(kept, tx);
      return stored;
    });
  }

  private async settle(outcomes: readonly ReportOutcome[], tx: Tx): Promise<void> {
    const settlements = outcomes.flatMap(({ settlement }): CreditSettlement[] =>
      settlement === null ? [] : [settlement],
    );
    if (settlements.length > 0) await this.credits.settle(settlements, tx);
  }

  /** Opts a contact out when the network refused a message because the contact opted out there. */
  private async applyOptOuts(outcomes: readonly ReportOutcome[], tx: Tx): Promise<void> {
    for (const outcome of outcomes) {
      if (!revealsOptOut(outcome)) continue;
      const { message, reached } = outcome;
      const consent = { optedIn: false, at: reached.failed ?? now() };
      await setConsent(message.accountId, [message.contactId], consent, tx);
    }
  }
}

/** The result of applying reports without a lock. */
export interface RecordedUnlocked {
  readonly left: readonly MessageReport[];
  readonly outcomes: readonly ReportOutcome[];
}

/** Whether storing it takes more than one statement. */
const needsTransaction = (outcome: ReportOutcome): boolean => outcome.settlement !== null || revealsOptOut(outcome);

/** Only true the first time: by the time of a later report the contact may have opted in again. */
const revealsOptOut = ({ before, message }: ReportOutcome): boolean =>
  message.error?.code === CONTACT_OPTED_OUT && before.error?.code !== CONTACT_OPTED_OUT;

/** Message ids are only compared within a tenant, so a report of one tenant cannot affect another's messages. */
export const keyOf = ({ accountId, messageId }: Pick<MessageReport, 'accountId' | 'messageId'>): string =>
  `${accountId}/${messageId}`;

/** A message that was just stored, and the report that the network accepted it. */
export interface AcceptedMessage {
  readonly message: ReportedMessage;
  readonly report: MessageReport;
}
