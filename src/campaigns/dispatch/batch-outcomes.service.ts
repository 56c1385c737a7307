import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import type { Tx } from '../../database/unit-of-work.js';
import type { MessageReport, ReportedMessage } from '../../messages/reports/message-report.js';
import type { AcceptedMessage } from '../../messages/reports/message-reports.service.js';
import { OutcomeRecorder } from '../../messages/sending/outcome-recorder.js';
import { settleInFlight } from '../../messages/sending/send-in-flight.queries.js';
import { now } from '../../values/clock.js';
import type { DispatchPlan } from './dispatch-plan.js';
import { giveUpPostponed, lockBatch, lockRunning, postponeRecipients } from './recipient-claim.queries.js';
import type { SendVerdict } from './send-verdict.js';

/** A message that was attempted, with its verdict. */
export interface AttemptedMessage {
  readonly message: ReportedMessage;
  readonly verdict: SendVerdict;
}

/**
 * Records the outcomes of a batch in flight. Acceptances take one fast statement, which also ends the batch if nothing
 * else happened. Refusals, retries and unknown outcomes are recorded in a transaction that ends the batch.
 */
@Injectable()
export class BatchOutcomesService {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly outcomes: OutcomeRecorder,
  ) {}

  /** Stores some outcomes while others of the batch are still pending. Resolves when they are durable. */
  async recordSome(plan: DispatchPlan, attempted: readonly AttemptedMessage[]): Promise<void> {
    const { accountId } = plan.phone;
    const accepted = attempted.flatMap(acceptedOf);
    if (accepted.length > 0) await this.outcomes.batch({ accountId, accepted, finished: [] });
    const refused = attempted.filter((each) => acceptedOf(each).length === 0).flatMap(reportOf);
    if (refused.length > 0) await this.outcomes.together({ reports: refused });
  }

  /**
   * Stores the remaining outcomes and ends the batch. Resolves when everything is durable, however long the database
   * takes.
   *
   * @param stored how many of the first outcomes {@link recordSome} has already stored
   */
  async record(
    plan: DispatchPlan,
    batchId: string,
    attempted: readonly AttemptedMessage[],
    stored: number,
  ): Promise<void> {
    const { accountId } = plan.phone;
    const last = attempted.slice(stored);
    const accepted = last.flatMap(acceptedOf);
    const others = last.filter((each) => acceptedOf(each).length === 0);
    const open = attempted.filter(({ verdict }) => verdict.report === null);
    const isSimple = others.length === 0 && open.length === 0;
    const finished = isSimple ? [{ accountId, id: batchId }] : [];
    if (accepted.length > 0) await this.outcomes.batch({ accountId, accepted, finished });
    if (isSimple) return;
    await this.outcomes.together({
      reports: others.flatMap(reportOf),
      recipients: (tx) => this.endBatch(plan, batchId, open, tx),
    });
  }

  /** Does nothing if the horizon has settled the batch in the meantime. */
  private async endBatch(
    { phone: { accountId }, campaign }: DispatchPlan,
    batchId: string,
    open: readonly AttemptedMessage[],
    tx: Tx,
  ): Promise<void> {
    if ((await lockBatch(accountId, batchId, tx)) === null) return;
    const retried = open.filter(({ verdict }) => verdict.retryAt !== null);
    const putBack = retried.length === 0 ? NONE : await this.putBack(accountId, campaign.id, retried, tx);
    const unknown = open.filter(({ message }) => !putBack.has(message.messageId));
    const settleAt = new Date(now().getTime() + this.environment.unknownOutcomeHorizonMs);
    const messageIds = unknown.map(({ message }) => message.messageId);
    await settleInFlight(accountId, batchId, messageIds.length === 0 ? null : { messageIds, settleAt }, tx);
  }

  /**
   * If the campaign was stopped in the meantime, its recipients are given up instead: nothing would claim them again.
   */
  private async putBack(
    accountId: string,
    campaignId: string,
    retried: readonly AttemptedMessage[],
    tx: Tx,
  ): Promise<Set<string>> {
    // Lock the campaign before its recipients, so that a concurrent stop sees these recipients as pending again.
    const running = await lockRunning(accountId, campaignId, tx);
    const postponed = retried.map(({ message: { contactId, messageId }, verdict: { retryAt } }) => ({
      contactId,
      messageId,
      dueAt: retryAt ?? now(),
    }));
    const putBack = await postponeRecipients(accountId, campaignId, postponed, tx);
    if (!running) await giveUpPostponed(accountId, campaignId, tx);
    return putBack;
  }
}

const NONE: ReadonlySet<string> = new Set();

const reportOf = ({ message, verdict: { report } }: AttemptedMessage): MessageReport[] =>
  report === null ? [] : [{ accountId: message.accountId, messageId: message.messageId, at: now(), ...report }];

const acceptedOf = (attempted: AttemptedMessage): AcceptedMessage[] => {
  const { kind } = attempted.verdict.report ?? {};
  if (kind !== 'accepted' && kind !== 'held') return [];
  return reportOf(attempted).map((report) => ({ message: attempted.message, report }));
};
