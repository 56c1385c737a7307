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
 * Records what is learned about messages, from whatever side: answers to our sends, status reports, taps, the horizon.
 * Duplicates, any order and gaps end in the same rows.
 */
@Injectable()
export class MessageReportsService {
  constructor(
    private readonly pipeline: Pipeline,
    private readonly credits: CampaignCredits,
  ) {}

  /**
   * Applies reports in the caller's transaction: messages, events, campaign counters and credits move together. The
   * caller announces the outbox after the commit.
   *
   * @param recipients what the caller changes of campaign recipients, after the messages are locked: locks are always
   * taken in that order
   * @returns what became of each message that was found
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
   * Applies reports without locking the messages first: cheaper, and all that is needed as long as nobody else learns
   * something about the same message at the same moment.
   *
   * @returns the reports that are left for {@link record}: of messages that are not known, or that changed meanwhile; and
   * what became of the messages of the others
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
   * Records the network's acceptance of messages that were stored moments ago by the caller itself, in one statement.
   *
   * @param accepted the messages as the caller stored them
   * @param finished batches in flight that end with these outcomes
   * @returns the reports of messages about which something else was learned meanwhile: they are recorded as usual
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

  /** Usually one statement; what concerns credits or consent too is one transaction. */
  private async storeTogether(outcomes: readonly ReportOutcome[]): Promise<Set<string>> {
    if (outcomes.length === 0) return new Set();
    if (!outcomes.some(concernsOthers)) return storeReportOutcomes(outcomes, this.pipeline.autocommit);
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

  /** A refusal that says the contact has opted out opts it out here too. */
  private async applyOptOuts(outcomes: readonly ReportOutcome[], tx: Tx): Promise<void> {
    for (const outcome of outcomes) {
      if (!tellsOfOptOut(outcome)) continue;
      const { message, reached } = outcome;
      const said = { optedIn: false, at: reached.failed ?? now() };
      await setConsent(message.accountId, [message.contactId], said, tx);
    }
  }
}

/** What came of reports that were applied without a lock. */
export interface RecordedUnlocked {
  readonly left: readonly MessageReport[];
  readonly outcomes: readonly ReportOutcome[];
}

/** Whether storing it changes more than one statement does. */
const concernsOthers = (outcome: ReportOutcome): boolean => outcome.settlement !== null || tellsOfOptOut(outcome);

/** Only the first time: whatever is learned about the message afterwards, the contact may have opted in again. */
const tellsOfOptOut = ({ before, message }: ReportOutcome): boolean =>
  message.error?.code === CONTACT_OPTED_OUT && before.error?.code !== CONTACT_OPTED_OUT;

/** A message is known by its id within its tenant: a report of one tenant says nothing about another's. */
export const keyOf = ({ accountId, messageId }: Pick<MessageReport, 'accountId' | 'messageId'>): string =>
  `${accountId}/${messageId}`;

/** A message just stored, and the acceptance that is the first thing learned about it. */
export interface AcceptedMessage {
  readonly message: ReportedMessage;
  readonly report: MessageReport;
}
