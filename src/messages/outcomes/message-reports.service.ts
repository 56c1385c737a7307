import { Injectable } from '@nestjs/common';
import { ConsentLedger } from '../../consent/consent-ledger.js';
import { type Database, Pipeline, type Tx } from '../../database/unit-of-work.js';
import { CONTACT_OPTED_OUT } from '../../network/network-codes.js';
import { now } from '../../values/clock.js';
import { NIL_ID } from '../../values/record-id.js';
import { type AcceptedMessage, isPlainAcceptance, storeAcceptances } from './acceptance.queries.js';
import { CampaignCredits, type CreditSettlement } from './campaign-credits.js';
import { foldReports, type MessageReport, type ReportOutcome, untouchedMessage } from './message-report.js';
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
      const { ids } = await storeReportOutcomes(changed, tx);
      if (ids.size !== changed.length) throw new Error('a message changed although it was locked');
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
   * @returns the reports of messages that changed in the meantime, to be passed to {@link record}, and whether the
   * outbox has something new
   */
  async recordFirst(
    accepted: readonly AcceptedMessage[],
    finished: readonly FinishedBatch[] = [],
  ): Promise<{ readonly overtaken: readonly MessageReport[]; readonly announces: boolean }> {
    const at = now();
    const { autocommit } = this.pipeline;
    const { ids, announces } = accepted.every(isPlainAcceptance)
      ? await storeAcceptances(accepted, at, finished, autocommit)
      : await storeReportOutcomes(
          accepted.map(({ message, report }) => foldReports(message, [report], at)),
          autocommit,
          finished,
        );
    const overtaken = ids.size === accepted.length ? [] : accepted.filter(({ report }) => !ids.has(report.messageId));
    return { overtaken: overtaken.map(({ report }) => report), announces };
  }

  /** Prepares the statement of {@link recordFirst} on a connection. Stores nothing. */
  async warmUp(): Promise<void> {
    await storeAcceptances([NO_MESSAGE], now(), [{ accountId: NIL_ID, id: NIL_ID }], this.pipeline.autocommit);
  }

  private async fold(
    reports: readonly MessageReport[],
    options: { readonly lock: boolean },
    db: Database,
  ): Promise<ReportOutcome[]> {
    if (reports.length === 0) return [];
    const reportsOf = new Map<string, MessageReport[]>();
    for (const report of reports) {
      const known = reportsOf.get(keyOf(report));
      if (known === undefined) reportsOf.set(keyOf(report), [report]);
      else known.push(report);
    }
    const named = [...reportsOf.values()].flatMap(([first]) => (first === undefined ? [] : [first]));
    const messages = await readReportedMessages(named, options, db);
    const at = now();
    return messages.map((message) => foldReports(message, reportsOf.get(keyOf(message)) ?? [], at));
  }

  /** Usually one statement; a transaction if credits or consent change too. */
  private async storeTogether(outcomes: readonly ReportOutcome[]): Promise<ReadonlySet<string>> {
    if (outcomes.length === 0) return new Set();
    if (!outcomes.some(needsTransaction)) return (await storeReportOutcomes(outcomes, this.pipeline.autocommit)).ids;
    return this.pipeline.transaction(async (tx) => {
      const { ids: stored } = await storeReportOutcomes(outcomes, tx);
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
      const evidence = { kind: 'message', id: message.messageId } as const;
      const optOut = { optedIn: false, by: 'network', at: reached.failed ?? now(), evidence } as const;
      await ConsentLedger.decide(message.accountId, message.contactId, optOut, tx);
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

const NO_MESSAGE: AcceptedMessage = {
  message: untouchedMessage(
    {
      accountId: NIL_ID,
      messageId: NIL_ID,
      contactId: NIL_ID,
      contact: { phoneNumber: null, userId: null },
      waId: null,
      contactName: '',
      businessPhoneId: NIL_ID,
      reference: null,
    },
    { id: NIL_ID, name: '' },
  ),
  report: { accountId: NIL_ID, messageId: NIL_ID, kind: 'accepted', at: new Date(0), networkMessageId: '' },
};
