import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import type { Tx } from '../database/unit-of-work.js';
import type { MessageReport, ReportedMessage } from '../messages/message-report.js';
import type { AcceptedMessage } from '../messages/message-reports.service.js';
import { OutcomeRecorder } from '../messages/outcome-recorder.js';
import { settleInFlight } from '../messages/send-in-flight.queries.js';
import { now } from '../values/clock.js';
import type { AttemptVerdict } from './attempt-rules.js';
import type { DispatchPlan } from './dispatch-plan.js';
import { FailureBrake } from './failure-brake.service.js';
import { giveUpPostponed, lockBatch, lockRunning, postponeRecipients } from './recipient-claim.queries.js';

/** A message that was attempted, and what the attempt came to. */
export interface AttemptedMessage {
  readonly message: ReportedMessage;
  readonly verdict: AttemptVerdict;
}

/**
 * Records what a batch in flight came to. Acceptances are one statement, with the end of the batch when there is nothing
 * else; anything else goes the general way, in a transaction that ends the batch.
 */
@Injectable()
export class BatchOutcomes {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly outcomes: OutcomeRecorder,
    private readonly brake: FailureBrake,
  ) {}

  /** Resolves when everything is durable, however long the database takes. */
  async record(plan: DispatchPlan, batchId: string, attempted: readonly AttemptedMessage[]): Promise<void> {
    await this.store(plan, batchId, attempted);
    if (plan.campaign.maxFailurePercent !== null) await this.brake.judge(plan.campaign);
  }

  private async store(plan: DispatchPlan, batchId: string, attempted: readonly AttemptedMessage[]): Promise<void> {
    const { accountId } = plan.phone;
    const accepted = attempted.flatMap(acceptedOf);
    const others = attempted.filter((each) => acceptedOf(each).length === 0);
    const finished = others.length === 0 ? [{ accountId, id: batchId }] : [];
    if (accepted.length > 0) await this.outcomes.batch(accepted, finished);
    if (others.length === 0) return;
    await this.outcomes.together({
      reports: others.flatMap(reportOf),
      recipients: (tx) => this.endBatch(plan, batchId, others, tx),
    });
  }

  /** A lease that has expired meanwhile has left the recipients to the reports and the horizon of their messages. */
  private async endBatch(
    { phone: { accountId }, campaign }: DispatchPlan,
    batchId: string,
    others: readonly AttemptedMessage[],
    tx: Tx,
  ): Promise<void> {
    if (!(await lockBatch(accountId, batchId, tx))) return;
    const retried = others.filter(({ verdict }) => verdict.retryAt !== null);
    const putBack = retried.length === 0 ? NOBODY : await this.putBack(accountId, campaign.id, retried, tx);
    const unknown = others.filter(({ message, verdict }) => verdict.report === null && !putBack.has(message.contactId));
    const settleAt = new Date(now().getTime() + this.environment.unknownOutcomeHorizonMs);
    const messageIds = unknown.map(({ message }) => message.messageId);
    await settleInFlight(accountId, batchId, messageIds.length === 0 ? null : { messageIds, settleAt }, tx);
  }

  /** Recipients of a campaign that was stopped meanwhile are given up at once: nobody would claim them again. */
  private async putBack(
    accountId: string,
    campaignId: string,
    retried: readonly AttemptedMessage[],
    tx: Tx,
  ): Promise<Set<string>> {
    // Locked before recipients are: whoever stops the campaign at this moment finds them put back.
    const running = await lockRunning(accountId, campaignId, tx);
    const postponed = retried.map(({ message: { contactId }, verdict: { retryAt } }) => ({
      contactId,
      dueAt: retryAt ?? now(),
    }));
    const putBack = await postponeRecipients(accountId, campaignId, postponed, tx);
    if (!running) await giveUpPostponed(accountId, campaignId, tx);
    return putBack;
  }
}

const NOBODY: ReadonlySet<string> = new Set();

const reportOf = ({ message, verdict: { report } }: AttemptedMessage): MessageReport[] =>
  report === null ? [] : [{ accountId: message.accountId, messageId: message.messageId, at: now(), ...report }];

const acceptedOf = (attempted: AttemptedMessage): AcceptedMessage[] => {
  const { kind } = attempted.verdict.report ?? {};
  if (kind !== 'accepted' && kind !== 'held') return [];
  return reportOf(attempted).map((report) => ({ message: attempted.message, report }));
};
