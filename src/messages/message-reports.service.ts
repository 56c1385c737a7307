import { Injectable } from '@nestjs/common';
import { setConsent } from '../contacts/consent.queries.js';
import type { Tx } from '../database/unit-of-work.js';
import { CONTACT_OPTED_OUT } from '../network/error-classes.js';
import { eventRow, Outbox } from '../outbox/outbox.js';
import { now } from '../values/clock.js';
import { type CampaignDelta, CampaignProgress, type CampaignSettlement } from './campaign-progress.js';
import { foldReports, type MessageReport, type ReportedMessage, type ReportOutcome } from './message-report.js';
import { lockReportedMessages, storeFirstReports, storeReportedMessages } from './message-report.queries.js';

/**
 * Records what is learned about messages, from whatever side: answers to our sends, status reports, taps, the horizon.
 * Duplicates, any order and gaps end in the same rows (D15).
 */
@Injectable()
export class MessageReports {
  constructor(
    private readonly outbox: Outbox,
    private readonly progress: CampaignProgress,
  ) {}

  /**
   * Applies reports in the caller's transaction: messages, events, campaign counters and credits move together. The
   * caller announces the outbox after the commit.
   *
   * @param recipients what the caller changes of campaign recipients, after the messages are locked and before their
   * campaigns are: locks are always taken in that order
   * @returns what became of each message that was found
   */
  async record(
    reports: readonly MessageReport[],
    tx: Tx,
    recipients: (tx: Tx) => Promise<void> = async () => undefined,
  ): Promise<ReportOutcome[]> {
    const reportsOf = new Map<string, MessageReport[]>();
    for (const report of reports) {
      const known = reportsOf.get(keyOf(report));
      if (known === undefined) reportsOf.set(keyOf(report), [report]);
      else known.push(report);
    }
    const named = [...reportsOf.values()].flatMap(([first]) => (first === undefined ? [] : [first]));
    const messages = named.length === 0 ? [] : await lockReportedMessages(named, tx);
    const at = now();
    const outcomes = messages.map((message) => foldReports(message, reportsOf.get(keyOf(message)) ?? [], at));
    const changed = outcomes.filter((outcome) => outcome.changed);
    if (changed.length > 0) {
      await storeReportedMessages(changed, tx);
      await this.heedOptOuts(changed, tx);
      await this.outbox.write(
        changed.flatMap(({ events }) => events),
        tx,
      );
    }
    await recipients(tx);
    if (changed.length > 0) {
      await this.progress.record(sumDeltas(changed), settlementsOf(changed), tx);
    }
    return outcomes;
  }

  /**
   * Records the network's acceptance of messages that were stored moments ago by the caller itself, in one statement.
   *
   * @param accepted the messages as the caller stored them
   * @returns the reports of messages about which something else was learned meanwhile: they are recorded as usual
   */
  async recordFirst(accepted: readonly AcceptedMessage[], autocommit: Tx): Promise<MessageReport[]> {
    const at = now();
    const outcomes = accepted.map(({ message, report }) => foldReports(message, [report], at));
    const events = outcomes.flatMap(({ message, events }) =>
      events.map((event) => ({ ...eventRow(event), messageId: message.messageId })),
    );
    const stored = new Set(await storeFirstReports(outcomes, events, autocommit));
    return accepted.filter(({ report }) => !stored.has(report.messageId)).map(({ report }) => report);
  }

  /** A contact whose message was refused because it opted out has opted out (D21, NETWORK.md). */
  private async heedOptOuts(outcomes: readonly ReportOutcome[], tx: Tx): Promise<void> {
    for (const { message } of outcomes) {
      if (message.error?.code !== CONTACT_OPTED_OUT) continue;
      await setConsent(message.accountId, [message.contactId], false, tx);
    }
  }
}

/** A message is known by its id within its tenant: a report of one tenant says nothing about another's. */
export const keyOf = ({ accountId, messageId }: Pick<MessageReport, 'accountId' | 'messageId'>): string =>
  `${accountId}/${messageId}`;

const settlementsOf = (outcomes: readonly ReportOutcome[]): CampaignSettlement[] =>
  outcomes.flatMap(({ settlement }) => (settlement === null ? [] : [settlement]));

/** A message just stored, and the acceptance that is the first thing learned about it. */
export interface AcceptedMessage {
  readonly message: ReportedMessage;
  readonly report: MessageReport;
}

/** One movement per campaign, in the order of their ids. */
function sumDeltas(outcomes: readonly ReportOutcome[]): CampaignDelta[] {
  const sums = new Map<string, CampaignDelta>();
  for (const { delta } of outcomes) {
    if (delta === null) continue;
    const sum = sums.get(delta.campaignId);
    sums.set(
      delta.campaignId,
      sum === undefined
        ? delta
        : {
            ...sum,
            sent: sum.sent + delta.sent,
            delivered: sum.delivered + delta.delivered,
            read: sum.read + delta.read,
            failed: sum.failed + delta.failed,
          },
    );
  }
  return [...sums.values()].sort((a, b) => (a.campaignId < b.campaignId ? -1 : 1));
}
