import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import type { Tx } from '../../database/unit-of-work.js';
import type { AcceptedMessage } from '../../messages/outcomes/acceptance.queries.js';
import type { MessageReport, ReportedMessage } from '../../messages/outcomes/message-report.js';
import { LearnedIdentitiesService } from '../../people/learned-identities.service.js';
import { settleInFlight } from '../../sending/ledger/send-in-flight.queries.js';
import { OutcomeRecorder } from '../../sending/outcome-recorder.js';
import { now } from '../../values/clock.js';
import { release } from '../control/recipient-control.queries.js';
import { closeEarly } from '../planning/campaign-opening.queries.js';
import type { CampaignPlan } from '../planning/campaign-plan.js';
import { type Attempted, dueAgain } from './group.js';
import { lockGroup, lockStatus, postponeRecipients } from './recipient-claim.queries.js';

/** When a recipient has followed its contact after a merge, milliseconds. */
const FOLLOWED_AFTER_MS = 2000;

/**
 * Records the outcomes of a claimed group. Acceptances take one fast statement, which also ends the group if nothing
 * else happened. Refusals, retries and unknown outcomes are recorded in a transaction that ends the group.
 */
@Injectable()
export class GroupOutcomesService {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly outcomes: OutcomeRecorder,
    private readonly people: LearnedIdentitiesService,
  ) {}

  /** Stores some outcomes while others of the group are still pending. Resolves when they are durable. */
  async recordSome(plan: CampaignPlan, attempted: readonly Attempted[]): Promise<void> {
    const { accountId } = plan.phone;
    const { accepted, refused } = this.answersOf(attempted);
    if (accepted.length > 0) await this.outcomes.batch({ accountId, accepted, finished: [] });
    if (refused.length > 0) await this.outcomes.together({ reports: refused });
  }

  /**
   * Stores the remaining outcomes and ends the group. Resolves when everything is durable, however long the database
   * takes.
   *
   * @param stored how many of the first outcomes {@link recordSome} has already stored
   */
  async record(plan: CampaignPlan, groupId: string, attempted: readonly Attempted[], stored: number): Promise<void> {
    const { accountId } = plan.phone;
    const { accepted, refused } = this.answersOf(attempted.slice(stored));
    const open = attempted.filter(({ verdict }) => verdict.report === null);
    const isSimple = refused.length === 0 && open.length === 0;
    const finished = isSimple ? [{ accountId, id: groupId }] : [];
    if (accepted.length > 0) await this.outcomes.batch({ accountId, accepted, finished });
    if (isSimple) return;
    await this.outcomes.together({
      reports: refused,
      recipients: (tx) => this.endGroup(plan, groupId, open, tx),
    });
  }

  /** Prepares the statement that stores acceptances on a connection. Stores nothing. */
  warmUp(): Promise<void> {
    return this.outcomes.warmUp();
  }

  /** The network's answers as reports. What they say about people is learned in the background. */
  private answersOf(attempted: readonly Attempted[]): Answers {
    const answers: Answers = { accepted: [], refused: [] };
    const at = now();
    for (const { message, verdict, acceptance } of attempted) {
      if (acceptance !== null) this.people.learnAnswer(message, acceptance);
      if (verdict.report === null) continue;
      const { kind, networkMessageId, error } = verdict.report;
      const { accountId, messageId } = message;
      const report = { accountId, messageId, kind, at, networkMessageId, error };
      if (kind === 'accepted' || kind === 'held') answers.accepted.push({ message, report });
      else answers.refused.push(report);
    }
    return answers;
  }

  /** Puts back a recipient whose contact was merged meanwhile, until the recipient has followed to the other contact. */
  followMerge(message: ReportedMessage): Attempted {
    this.people.follow(message.accountId, message.contactId);
    return dueAgain(message, FOLLOWED_AFTER_MS);
  }

  /** Does nothing if the horizon has settled the group in the meantime. */
  private async endGroup(
    { phone: { accountId }, campaign }: CampaignPlan,
    groupId: string,
    open: readonly Attempted[],
    tx: Tx,
  ): Promise<void> {
    if ((await lockGroup(accountId, groupId, tx)) === null) return;
    const retried = open.filter(({ dueAt }) => dueAt !== null);
    const putBack = retried.length === 0 ? NONE : await this.putBack(accountId, campaign.id, retried, tx);
    const unknown = open.filter(({ message }) => !putBack.has(message.messageId));
    const settleAt = new Date(now().getTime() + this.environment.unknownOutcomeHorizonMs);
    const messageIds = unknown.map(({ message }) => message.messageId);
    await settleInFlight(accountId, groupId, messageIds.length === 0 ? null : { messageIds, settleAt }, tx);
  }

  private async putBack(
    accountId: string,
    campaignId: string,
    retried: readonly Attempted[],
    tx: Tx,
  ): Promise<Set<string>> {
    if (retried.some(({ isHeld }) => isHeld)) await closeEarly(accountId, campaignId, tx);
    // Lock the campaign before its recipients, so that a concurrent stop sees these recipients as pending again.
    const status = await lockStatus(accountId, campaignId, tx);
    const postponed = retried.flatMap(({ message: { contactId, messageId }, dueAt, isUntried, isHeld }) =>
      dueAt === null ? [] : [{ contactId, messageId, dueAt, isUntried, isHeld }],
    );
    const putBack = await postponeRecipients(accountId, campaignId, postponed, tx);
    await release(accountId, campaignId, status, tx);
    return putBack;
  }
}

const NONE: ReadonlySet<string> = new Set();

/** Reports of the network's answers; acceptances have a statement of their own. */
interface Answers {
  readonly accepted: AcceptedMessage[];
  readonly refused: MessageReport[];
}
