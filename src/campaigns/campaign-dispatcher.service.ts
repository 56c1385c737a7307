import { Injectable } from '@nestjs/common';
import { recipientOf, refOf } from '../contacts/contact-ref.js';
import { MESSAGE_ERRORS } from '../errors/error-catalog.js';
import { THROUGHPUT_EXCEEDED } from '../network/error-classes.js';
import { MessagingNetwork } from '../network/network.js';
import { NetworkRefusal } from '../network/network-error.js';
import { Throughput } from '../network/throughput.js';
import { endsWithin } from '../runtime/shutdown.js';
import { now } from '../values/clock.js';
import { AbandonedClaims } from './abandoned-claims.service.js';
import { type AttemptResult, judge, refused } from './attempt-rules.js';
import { type AttemptedMessage, BatchOutcomes } from './batch-outcomes.service.js';
import type { Beat } from './beat.js';
import type { DispatchPlan } from './dispatch-plan.js';
import { DispatchPlans } from './dispatch-plans.service.js';
import { FailureBrake } from './failure-brake.service.js';
import type { PersonalFault, PersonalMessage } from './personal-body.js';
import { PersonalMessageMaker, type PersonalMessages } from './personal-messages.service.js';
import type { ClaimedBatch, ClaimedMessage } from './recipient-claims.service.js';
import type { SendPacer, Slots } from './send-pacer.js';

/** Outcomes are stored at least this often while others of their group are still awaited, milliseconds. */
const STORE_EVERY_MS = 250;

/** Sends claimed recipients of a campaign, each in its turn, and records what comes of it. */
@Injectable()
export class CampaignDispatcher {
  constructor(
    private readonly plans: DispatchPlans,
    private readonly personal: PersonalMessageMaker,
    private readonly abandoned: AbandonedClaims,
    private readonly throughput: Throughput,
    private readonly network: MessagingNetwork,
    private readonly outcomes: BatchOutcomes,
    private readonly brake: FailureBrake,
  ) {}

  /**
   * Resolves when every outcome is stored.
   *
   * @returns whether the campaign was stopped by what the network said
   */
  async send(plan: DispatchPlan, batch: ClaimedBatch, { pacer, slots, beat }: SendTimes): Promise<boolean> {
    const { id, claimed } = batch;
    const personal = await this.makePersonal(plan, batch);
    const turns = pacer.turns(claimed.length, slots);
    const attempted: Attempted[] = [];
    const all = Promise.all(
      claimed.map(async (each, place) => {
        await turns[place];
        attempted.push(await this.attempt(plan, each, personal.get(each.message.messageId)));
      }),
    );
    let stored = 0;
    while (!(await endsWithin(all, STORE_EVERY_MS))) {
      const answered = attempted.slice(stored);
      stored += answered.length;
      await this.outcomes.recordSome(plan, answered);
    }
    await beat?.after(0);
    // Outcomes first: nothing that fails after this loses them.
    await this.outcomes.record(plan, id, attempted, stored);
    if (plan.campaign.maxFailurePercent !== null) await this.brake.judge(plan.campaign);
    if (attempted.some(({ tooFast }) => tooFast)) await this.throughput.slowDown(plan.phone);
    const stop = attempted.find(({ verdict }) => verdict.stop !== null)?.verdict.stop ?? null;
    if (stop !== null) await this.plans.stop(plan, stop);
    return stop !== null;
  }

  /** What fails here has sent nothing: the recipients are given back. */
  private async makePersonal(plan: DispatchPlan, { id, rows, at }: ClaimedBatch): Promise<PersonalMessages> {
    try {
      return await this.personal.make(plan, rows, at);
    } catch (error) {
      this.abandoned.giveBack(plan, id);
      throw error;
    }
  }

  private async attempt(
    plan: DispatchPlan,
    claimed: ClaimedMessage,
    personal: PersonalMessage | PersonalFault | undefined,
  ): Promise<Attempted> {
    const { message } = claimed;
    if (plan.marketing && !claimed.optedIn) return { message, verdict: refused(MESSAGE_ERRORS.optedOut) };
    if (claimed.deleted) return { message, verdict: refused(CONTACT_DELETED) };
    if (personal !== undefined && 'fault' in personal) return { message, verdict: refused(personal.fault) };
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

/** When the messages of a group are sent, and their outcomes stored. */
export interface SendTimes {
  readonly pacer: SendPacer;
  readonly slots: Slots;
  /** Outcomes wait for it; null: they are stored at once. */
  readonly beat: Beat | null;
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
