import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { recipientOf, refOf } from '../contacts/contact-ref.js';
import { MESSAGE_ERRORS } from '../errors/error-catalog.js';
import { THROUGHPUT_EXCEEDED } from '../network/error-classes.js';
import { MessagingNetwork } from '../network/network.js';
import { NetworkRefusal } from '../network/network-error.js';
import { Throughput } from '../network/throughput.js';
import { now } from '../values/clock.js';
import { type AttemptResult, judge, refused } from './attempt-rules.js';
import { type AttemptedMessage, BatchOutcomes } from './batch-outcomes.service.js';
import type { DispatchPlan } from './dispatch-plan.js';
import { DispatchPlans } from './dispatch-plans.service.js';
import { type ClaimedBatch, type ClaimedMessage, RecipientClaims } from './recipient-claims.service.js';

/** Messages that one lane has in flight at once. */
const MAX_GROUP = 128;
/** How long a lane works before it yields to other campaigns, milliseconds. */
const TURN_MS = 3000;
/** How long to wait when the phone is booked out, milliseconds. */
const BOOKED_OUT_MS = 50;

/** Why a lane stopped. */
export type LaneEnd = 'not running' | 'nothing due' | 'turn over';

/** Sends a campaign's messages: claims due recipients in small groups, sends each group at once, records its outcomes. */
@Injectable()
export class CampaignDispatcher {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly plans: DispatchPlans,
    private readonly claims: RecipientClaims,
    private readonly throughput: Throughput,
    private readonly network: MessagingNetwork,
    private readonly outcomes: BatchOutcomes,
  ) {}

  /**
   * Works one lane of a campaign until nothing is due or its turn is over.
   *
   * @param progressed called whenever a group was sent and recorded
   */
  async dispatch(accountId: string, campaignId: string, progressed: () => void): Promise<LaneEnd> {
    const plan = await this.plans.prepare(accountId, campaignId);
    if (plan === null) return 'not running';
    const turnEnds = Date.now() + TURN_MS;
    const groupSize = this.throughput.groupSize(plan.phone, MAX_GROUP);
    let fromPosition = 0;
    while (Date.now() < turnEnds) {
      if (!(await this.throughput.admitGroup(plan.phone, groupSize))) {
        await new Promise((resolve) => setTimeout(resolve, BOOKED_OUT_MS));
        continue;
      }
      const batch = await this.claims.claim(plan, groupSize, fromPosition, this.leaseMs);
      if (batch.claimed.length === 0 && fromPosition === 0) return 'nothing due';
      // Behind the last one everything is claimed; those put back for a later try are before it.
      fromPosition = batch.claimed.length < groupSize ? 0 : batch.lastPosition + 1;
      if (batch.claimed.length === 0) continue;
      const stopped = await this.sendBatch(plan, batch);
      progressed();
      if (stopped) return 'not running';
    }
    return 'turn over';
  }

  /** A lease outlives the longest wait for an answer. Milliseconds. */
  private get leaseMs(): number {
    return Math.max(this.environment.leaseMs, this.environment.network.timeoutMs + 2000);
  }

  /** @returns whether the campaign was stopped by what the network said */
  private async sendBatch(plan: DispatchPlan, { id, claimed }: ClaimedBatch): Promise<boolean> {
    const attempted = await Promise.all(claimed.map((each) => this.attempt(plan, each)));
    // Outcomes first: nothing that fails after this loses them.
    await this.outcomes.record(plan, id, attempted);
    if (attempted.some(({ tooFast }) => tooFast)) await this.throughput.slowDown(plan.phone);
    const stop = attempted.find(({ verdict }) => verdict.stop !== null)?.verdict.stop ?? null;
    if (stop !== null) await this.plans.stop(plan, stop);
    return stop !== null;
  }

  private async attempt(plan: DispatchPlan, claimed: ClaimedMessage): Promise<Attempted> {
    const { message } = claimed;
    if (plan.marketing && !claimed.optedIn) return { message, verdict: refused(MESSAGE_ERRORS.optedOut) };
    if (claimed.deleted) return { message, verdict: refused(CONTACT_DELETED) };
    const { personal } = claimed;
    if (personal !== null && 'fault' in personal) return { message, verdict: refused(personal.fault) };
    const result = await this.tryOnce(plan, claimed, personal?.body ?? plan.body);
    return { message, verdict: judge(claimed, result, now()), tooFast: isTooFast(result) };
  }

  private async tryOnce(
    { phone, token }: DispatchPlan,
    claimed: ClaimedMessage,
    body: DispatchPlan['body'],
  ): Promise<AttemptResult> {
    try {
      const acceptance = await this.network.send(phone.phoneNumberId, token, {
        ...body,
        ...recipientOf(refOf(claimed.message.contact)),
        biz_opaque_callback_data: claimed.message.messageId,
      });
      return { acceptance };
    } catch (error) {
      return { error };
    }
  }
}

interface Attempted extends AttemptedMessage {
  /** Whether the network said that the phone sends too fast. */
  readonly tooFast?: boolean;
}

const isTooFast = (result: AttemptResult): boolean =>
  'error' in result && result.error instanceof NetworkRefusal && result.error.code === THROUGHPUT_EXCEEDED;

const CONTACT_DELETED = {
  code: MESSAGE_ERRORS.cancelled.code,
  message: 'The contact was deleted before this message was sent.',
};
