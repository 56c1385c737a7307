import { Injectable } from '@nestjs/common';
import { recipientOf, refOf } from '../../contacts/contact-ref.js';
import { MESSAGE_ERRORS } from '../../errors/error-catalog.js';
import { THROUGHPUT_EXCEEDED } from '../../network/error-classes.js';
import { MessagingNetwork } from '../../network/network.js';
import { NetworkRefusal } from '../../network/network-error.js';
import type { SendPacer, Slots } from '../../network/send-pacer.js';
import { Throughput } from '../../network/throughput.js';
import { type SpanStart, traced } from '../../tracing/spans.js';
import { now } from '../../values/clock.js';
import { endsWithin } from '../../values/ends-within.js';
import { FailureBrakeService } from '../lifecycle/failure-brake.service.js';
import { type AttemptedMessage, BatchOutcomesService } from './batch-outcomes.service.js';
import type { Beat } from './beat.js';
import type { DispatchPlan } from './dispatch-plan.js';
import { DispatchPlansService } from './dispatch-plans.service.js';
import type { PersonalFault, PersonalMessage } from './personal-body.js';
import { PersonalMessagesService } from './personal-messages.service.js';
import type { ClaimedBatch, ClaimedMessage } from './recipient-claims.service.js';
import { type AttemptResult, judgeSend, refused } from './send-verdict.js';

/** How often outcomes are stored while the rest of their group is pending, milliseconds. */
const STORE_EVERY_MS = 250;
/**
 * A message this late for its slot is put back: the process was frozen, and others may have taken over. Milliseconds.
 */
const MAX_LATE_MS = 5000;

/** Sends to claimed recipients, each in its time slot, and records the outcomes. */
@Injectable()
export class CampaignDispatcherService {
  constructor(
    private readonly plans: DispatchPlansService,
    private readonly personal: PersonalMessagesService,
    private readonly throughput: Throughput,
    private readonly network: MessagingNetwork,
    private readonly outcomes: BatchOutcomesService,
    private readonly brake: FailureBrakeService,
  ) {}

  /** Resolves when every outcome is stored and, if the network demanded it, the campaign is stopped. */
  send(plan: DispatchPlan, batch: ClaimedBatch, schedule: GroupSchedule): Promise<void> {
    return traced(
      () => spanOf(plan, batch),
      () => this.sendBatch(plan, batch, schedule),
    );
  }

  private async sendBatch(plan: DispatchPlan, batch: ClaimedBatch, schedule: GroupSchedule): Promise<void> {
    const { id, claimed } = batch;
    const { pacer, beat } = schedule;
    const personal = await this.personal.make(plan, batch);
    // Checking recipients' own media may have taken until after the first slot.
    const slots = { ...schedule.slots, startsAt: Math.max(schedule.slots.startsAt, performance.now()) };
    const turns = pacer.turns(claimed.length, slots);
    const endsBy = slots.startsAt + claimed.length * slots.intervalMs + MAX_LATE_MS;
    const attempted: Attempted[] = [];
    const all = Promise.all(
      claimed.map(async (each, index) => {
        await turns[index];
        const isTooLate = performance.now() > endsBy;
        const { messageId } = each.message;
        attempted.push(isTooLate ? notAttempted(each) : await this.attempt(plan, each, personal.get(messageId)));
      }),
    );
    const reactions: Promise<void>[] = [];
    let stored = 0;
    while (!(await endsWithin(all, STORE_EVERY_MS))) {
      const answered = attempted.slice(stored);
      stored += answered.length;
      await this.outcomes.recordSome(plan, answered);
      schedule.onStored(answered.length);
      const reaction = this.applyNetworkSignals(plan, answered, schedule);
      // An error here surfaces at the end: pending outcomes come first.
      reaction.catch(() => undefined);
      reactions.push(reaction);
    }
    await beat?.after(0);
    const last = attempted.slice(stored);
    // Store outcomes first, so that no later failure can lose them.
    await this.outcomes.record(plan, id, attempted, stored);
    schedule.onStored(last.length);
    await Promise.all([...reactions, this.applyNetworkSignals(plan, last, schedule)]);
    if (plan.campaign.maxFailurePercent !== null) void this.brake.judge(plan.campaign);
  }

  /** Stops the campaign or slows the phone down when the network's answers demand it. */
  private async applyNetworkSignals(
    plan: DispatchPlan,
    attempted: readonly Attempted[],
    { onStopped }: GroupSchedule,
  ): Promise<void> {
    const stop = attempted.find(({ verdict }) => verdict.stop !== null)?.verdict.stop ?? null;
    if (stop !== null) {
      onStopped();
      await this.plans.stop(plan, stop);
    }
    if (attempted.some(({ tooFast }) => tooFast)) await this.throughput.slowDown(plan.phone);
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
    const result = await this.sendOne(plan, claimed, personal?.body ?? plan.body);
    return { message, verdict: judgeSend(claimed, result, now()), tooFast: isTooFast(result) };
  }

  private async sendOne(
    { phone, token }: DispatchPlan,
    claimed: ClaimedMessage,
    body: DispatchPlan['body'],
  ): Promise<AttemptResult> {
    try {
      const message = {
        ...body,
        ...recipientOf(refOf(claimed.message.contact)),
        biz_opaque_callback_data: claimed.message.messageId,
      };
      const acceptance = await this.network.send(phone.phoneNumberId, token, message, 'campaign');
      return { acceptance };
    } catch (error) {
      return { error };
    }
  }
}

/** When a group's messages are sent and their outcomes stored, with callbacks for its progress. */
export interface GroupSchedule {
  readonly pacer: SendPacer;
  readonly slots: Slots;
  /** The final outcomes are stored at its next beat; null: immediately. */
  readonly beat: Beat | null;
  /** Called with the number of messages whose outcomes were just stored. */
  readonly onStored: (messages: number) => void;
  /** Called when the network refuses the phone or the template, so that no more recipients are claimed. */
  readonly onStopped: () => void;
}

interface Attempted extends AttemptedMessage {
  /** Whether the network reported that the phone sends too fast. */
  readonly tooFast?: boolean;
}

/** One span for the whole group: thousands of messages a second would drown everything else. */
const spanOf = ({ phone, campaign }: DispatchPlan, { claimed }: ClaimedBatch): SpanStart => ({
  name: 'campaign group',
  kind: 'internal',
  isRoot: true,
  attributes: {
    'parley.account_id': phone.accountId,
    'parley.campaign_id': campaign.id,
    'parley.business_phone_id': phone.id,
    'parley.messages': claimed.length,
  },
});

const isTooFast = (result: AttemptResult): boolean =>
  'error' in result && result.error instanceof NetworkRefusal && result.error.code === THROUGHPUT_EXCEEDED;

/** A message that was never attempted; its recipient is due again immediately. */
const notAttempted = ({ message }: ClaimedMessage): Attempted => ({
  message,
  verdict: { retryAt: now(), report: null, stop: null },
});

const CONTACT_DELETED = {
  code: MESSAGE_ERRORS.cancelled.code,
  message: 'The contact was deleted before this message was sent.',
};
