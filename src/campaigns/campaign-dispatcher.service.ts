import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { MESSAGE_ERRORS } from '../errors/error-catalog.js';
import { OutcomeRecorder } from '../messages/outcome-recorder.js';
import { THROUGHPUT_EXCEEDED } from '../network/error-classes.js';
import { MessagingNetwork } from '../network/network.js';
import { NetworkRefusal } from '../network/network-error.js';
import { Throughput } from '../network/throughput.js';
import { now } from '../values/clock.js';
import { type AttemptResult, type AttemptVerdict, judge, leaveOut } from './attempt-rules.js';
import type { DispatchPlan } from './dispatch-plan.js';
import { DispatchPlans } from './dispatch-plans.service.js';
import { storeOutcomes } from './recipient.queries.js';
import { type ClaimedMessage, RecipientClaims } from './recipient-claims.service.js';

/** Messages that one lane has in flight at once: they are marked *sending* together right before they are written. */
const GROUP = 64;
/** How long a lane works before it yields to other campaigns, milliseconds. */
const TURN_MS = 3000;
/** How long to wait when the phone is booked out, milliseconds. */
const BOOKED_OUT_MS = 50;

/** Why a lane stopped. */
export type LaneEnd = 'nothing due' | 'turn over';

/** Sends a campaign's messages: claims due recipients in small groups, sends each group at once, records its outcomes. */
@Injectable()
export class CampaignDispatcher {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly plans: DispatchPlans,
    private readonly claims: RecipientClaims,
    private readonly throughput: Throughput,
    private readonly network: MessagingNetwork,
    private readonly outcomes: OutcomeRecorder,
  ) {}

  /** Works one lane of a campaign until nothing is due or its turn is over. */
  async dispatch(accountId: string, campaignId: string): Promise<LaneEnd> {
    const plan = await this.plans.prepare(accountId, campaignId);
    if (plan === null) return 'nothing due';
    const turnEnds = Date.now() + TURN_MS;
    const groupSize = this.throughput.groupSize(plan.phone, GROUP);
    while (Date.now() < turnEnds) {
      if (!(await this.throughput.admitGroup(plan.phone, groupSize))) {
        await new Promise((resolve) => setTimeout(resolve, BOOKED_OUT_MS));
        continue;
      }
      const group = await this.claims.claim(plan, groupSize, this.leaseMs);
      if (group.length === 0) return 'nothing due';
      const stopped = await this.sendGroup(plan, group);
      if (stopped) return 'nothing due';
    }
    return 'turn over';
  }

  /** A lease outlives the longest wait for an answer. Milliseconds. */
  private get leaseMs(): number {
    return Math.max(this.environment.leaseMs, this.environment.network.timeoutMs + 2000);
  }

  /** @returns whether the campaign was stopped by what the network said */
  private async sendGroup(plan: DispatchPlan, group: readonly ClaimedMessage[]): Promise<boolean> {
    const verdicts = await Promise.all(group.map((claimed) => this.attempt(plan, claimed)));
    const { accountId } = plan.phone;
    await this.outcomes.together({
      reports: verdicts.flatMap(({ report }, index) => {
        const claimed = group[index];
        return report === null || claimed === undefined
          ? []
          : [{ accountId, messageId: claimed.messageId, at: now(), ...report }];
      }),
      recipients: (tx) =>
        storeOutcomes(
          accountId,
          verdicts.map(({ recipient }) => recipient),
          tx,
        ),
    });
    const stop = verdicts.find((verdict) => verdict.stop !== null)?.stop ?? null;
    if (stop !== null) await this.plans.stop(plan, stop);
    return stop !== null;
  }

  private async attempt(plan: DispatchPlan, claimed: ClaimedMessage): Promise<AttemptVerdict> {
    if (plan.marketing && !claimed.optedIn) return leaveOut(claimed, MESSAGE_ERRORS.optedOut);
    if (claimed.deleted) return leaveOut(claimed, CONTACT_DELETED);
    const result = await this.tryOnce(plan, claimed);
    return judge(claimed, result, now());
  }

  private async tryOnce({ phone, token, body }: DispatchPlan, claimed: ClaimedMessage): Promise<AttemptResult> {
    try {
      const acceptance = await this.network.send(phone.phoneNumberId, token, {
        ...body,
        to: claimed.phoneNumber,
        biz_opaque_callback_data: claimed.messageId,
      });
      return { acceptance };
    } catch (error) {
      if (error instanceof NetworkRefusal && error.code === THROUGHPUT_EXCEEDED) await this.throughput.slowDown(phone);
      return { error };
    }
  }
}

const CONTACT_DELETED = {
  code: MESSAGE_ERRORS.cancelled.code,
  message: 'The contact was deleted before this message was sent.',
};
