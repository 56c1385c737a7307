import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import { traced } from '../../tracing/spans.js';
import { now } from '../../values/clock.js';
import { endsWithin } from '../../values/ends-within.js';
import { isPastDeadline } from '../authoring/schedule-rules.js';
import type { CampaignPlan } from '../planning/campaign-plan.js';
import type { CampaignKey } from '../planning/campaign-source.queries.js';
import { CampaignFiles } from './campaign-files.js';
import { type Attempted, answered, dueAgain, type Group, spanOf } from './group.js';
import type { PersonalMessages } from './personal-messages.service.js';
import { PhoneProbe } from './phone-probe.js';
import type { TurnTaker } from './phone-pump.js';
import type { OpenSlots, PhoneSlots } from './phone-slots.js';
import type { ClaimedMessage } from './recipient-claims.service.js';
import type { RunContext } from './run-services.js';
import { isMade, type Personal, withheld } from './withheld.js';
import { answerTo } from './written-message.js';

/** A plan is made again after this many milliseconds. */
const PLAN_VALID_MS = 3000;
/** How often outcomes are stored while the rest of their group is pending, milliseconds. */
const STORE_EVERY_MS = 250;
/**
 * A message this late for its slot is put back: the process was frozen, and others may have taken over. Milliseconds.
 */
const MAX_LATE_MS = 5000;

/**
 * One campaign that this process is sending. Its methods stand in the order in which they happen, from the plan to the
 * finish; each says what holds before and after it, and what is left when the process dies in it. Nothing needs an
 * operator: what was claimed and not recorded is settled by status reports or fails at the horizon (900002), and
 * everybody else is still pending.
 */
export class CampaignRun implements TurnTaker {
  private plannedAt = performance.now();
  /** Recipients before this position need not be looked at: this process has claimed them. */
  private fromPosition = 0;
  /** Groups whose outcomes are not stored yet. */
  private readonly groups = new Set<Promise<void>>();
  /** This process claims no more of it. */
  private isOver = false;
  /** The network has refused its phone, template or category: nothing more is sent. */
  private isRefused = false;
  private readonly probe: PhoneProbe;
  private readonly files: CampaignFiles;
  /** This process has already completed it. */
  private isCompleted = false;

  private constructor(
    private readonly context: RunContext,
    readonly key: CampaignKey,
    private current: CampaignPlan,
  ) {
    this.probe = new PhoneProbe(context.waits);
    this.files = new CampaignFiles(context.copies, context.logger);
  }

  /** A run of the campaign; null when it is not running. @throws CampaignStop when it cannot be sent */
  static async begin(context: RunContext, key: CampaignKey): Promise<CampaignRun | null> {
    const plan = await planned(context, key);
    return plan && new CampaignRun(context, key, plan);
  }

  get phone(): BusinessPhone {
    return this.current.phone;
  }

  /** Whether the phone can send the uploaded files of the campaign; {@link upload} has it so. */
  get hasFiles(): boolean {
    return this.files.areThere(this.current);
  }

  /** Files: as {@link CampaignFiles.upload}. Nobody is claimed meanwhile; a death leaves the upload to the next process. */
  upload(): Promise<boolean> {
    return this.files.upload(this.current);
  }

  /** Plan, room, book, claim; the rest of the group's way goes on while the next turn is taken. */
  async advance(slots: PhoneSlots): Promise<boolean> {
    try {
      return (
        !this.isOver &&
        (await this.plan()) &&
        this.hasFiles &&
        (await this.probe.mayTry(this.current)) &&
        (await this.inRoom(slots))
      );
    } catch (error) {
      await this.fail(error);
      return false;
    }
  }

  /**
   * Plan: every three seconds, what all messages share is read and rendered again, so that a stop, another template or
   * another price applies. Nothing is stored; a death costs nothing.
   */
  private async plan(): Promise<boolean> {
    if (performance.now() - this.plannedAt <= PLAN_VALID_MS) return true;
    const plan = await planned(this.context, this.key);
    if (plan === null) return false;
    this.current = plan;
    this.plannedAt = performance.now();
    return true;
  }

  /**
   * Room: wait until the process may have so many more messages in flight. What is not claimed is given back; the rest is
   * given back as outcomes are stored.
   */
  private async inRoom(slots: PhoneSlots): Promise<boolean> {
    const { room } = this.context;
    const { accountId } = this.key;
    const most = this.probe.isTaken ? 1 : slots.most(this.phone);
    await room.enter(accountId, most);
    let claimed: number | null = null;
    try {
      claimed = slots.isStopped ? null : await this.take(slots, most);
      return claimed !== null;
    } finally {
      room.leave(accountId, most - (claimed ?? 0));
      await this.probe.end(this.current, []);
    }
  }

  /** @returns how many recipients were claimed; null when nothing is left to claim, or another process sends */
  private async take(slots: PhoneSlots, most: number): Promise<number | null> {
    const booked = await this.book(slots, most);
    if (booked === null) return null;
    if (booked.messages === 0) return 0;
    const isFromStart = this.fromPosition === 0;
    const group = await this.claim(slots, booked, most);
    const { length } = group.claim.messages;
    if (length === 0) return isFromStart ? null : 0;
    const underWay = this.deliver(group).finally(() => this.groups.delete(underWay));
    this.groups.add(underWay);
    if (this.probe.isTaken) {
      await underWay;
      this.isOver ||= await this.probe.end(this.current, group.attempted);
      this.plannedAt = Number.NEGATIVE_INFINITY;
    }
    return length;
  }

  /**
   * Book: take slots of the phone's throughput, at most a quarter of a second ahead. The process owns the phone's
   * campaigns for the next four seconds. A death costs the slots, which pass unused.
   */
  private book(slots: PhoneSlots, most: number): Promise<OpenSlots | null> {
    return slots.book(this.phone, most);
  }

  /**
   * Claim: one statement takes as many due recipients as there are slots, and commits their messages as `pending` with a
   * row in flight and its lease. A death between this commit and the first byte leaves the group unknown although nothing
   * was sent, which is why `PhoneSlots` bounds how many recipients may be in that state.
   */
  private async claim(slots: PhoneSlots, booked: OpenSlots, most: number): Promise<Group> {
    const requested = Math.min(most, booked.messages);
    slots.claiming(requested);
    try {
      const { claims } = this.context;
      const how = { fromPosition: this.fromPosition, isHurried: slots.isHurried, isProbe: this.probe.isTaken };
      const claim = await claims.claim(this.current, requested, how);
      const { length } = claim.messages;
      // A short group means everything after it is claimed. Start over: recipients put back for a retry are before it.
      this.fromPosition = length < requested ? 0 : claim.lastPosition + 1;
      const own = slots.claimed(requested, length, booked);
      return { plan: this.current, claim, slots, own, attempted: [], unsent: length, unstored: length };
    } catch (error) {
      slots.sent(requested);
      throw error;
    }
  }

  /** Personalise, send, judge, record, finish. Never rejects. */
  private async deliver(group: Group): Promise<void> {
    try {
      await traced(
        () => spanOf(group),
        async () => this.record(group, this.send(group, await this.personalise(group))),
      );
      this.context.failures.recovered(this.key.campaignId);
      await this.finish(group.claim.lastPosition);
    } catch (error) {
      await this.fail(error);
    } finally {
      this.sent(group, group.unsent);
      this.stored(group, group.unstored);
    }
  }

  /**
   * Personalise: messages of recipients with values of their own are rendered, their texts stored, and their media
   * fetched. On failure the group is given back, since nothing has been sent. A death costs what it costs in the claim.
   */
  private personalise({ plan, claim }: Group): Promise<PersonalMessages> {
    return this.context.personal.make(plan, claim);
  }

  /**
   * Send: each message is written to the network in its slot. A death leaves those unknown that were not answered; their
   * reports settle them, and nothing is sent again.
   *
   * @returns when every message has an outcome
   */
  private send(group: Group, personal: PersonalMessages): Promise<void> {
    const { plan, claim, slots, own, attempted } = group;
    const { length } = claim.messages;
    // Checking recipients' own media may have taken until after the first slot.
    const startsAt = Math.max(own.startsAt, performance.now());
    const endsBy = startsAt + length * own.intervalMs + MAX_LATE_MS;
    return new Promise((resolve, reject) => {
      const begin = (place: number): void => {
        const claimed = claim.messages[place] as ClaimedMessage;
        const outcome = this.attempt(plan, claimed, personal.get(claimed.message.messageId), endsBy);
        this.sent(group, 1);
        outcome.then((each) => {
          if (attempted.push(each) === length) resolve();
        }, reject);
      };
      slots.pacerOf(plan.phone).begin(length, { startsAt, intervalMs: own.intervalMs }, begin);
    });
  }

  /** One message: sent unless something forbids it by now, and judged. Nothing is stored yet. */
  private async attempt(
    plan: CampaignPlan,
    claimed: ClaimedMessage,
    own: Personal,
    endsBy: number,
  ): Promise<Attempted> {
    const { message, recipient } = claimed;
    if (this.isHeldBack(plan) || performance.now() > endsBy) return dueAgain(message);
    if (recipient.mergedInto !== null) return this.context.outcomes.followMerge(message);
    const kept = withheld(plan, claimed, own);
    if (kept !== null || !isMade(own)) return kept ?? dueAgain(message);
    const made = own ?? { body: plan.body, code: plan.rendered.code };
    const isProbe = this.probe.isTaken;
    const outcome = answered(message, await answerTo(this.context.attempts, plan, claimed, { ...made, isProbe }));
    if (outcome.verdict.stop !== null) this.isOver = this.isRefused = true;
    return outcome;
  }

  /** Whether nothing may be written: it is too late, or the network refuses, or keeps failing, everything of the kind. */
  private isHeldBack({ campaign, phone }: CampaignPlan): boolean {
    if (this.isRefused || isPastDeadline(campaign, now())) return true;
    return !this.probe.isTaken && this.context.waits.isWaiting(phone);
  }

  /**
   * Record: outcomes are stored with their events and counters, and the row in flight is deleted with the last. While one
   * answer is missing, the others are stored four times a second. A death leaves the answers to the reports, which say
   * the same.
   */
  private async record(group: Group, all: Promise<void>): Promise<void> {
    const { plan, claim, slots, attempted } = group;
    const { outcomes, consequences } = this.context;
    const obeyed: Promise<void>[] = [];
    let stored = 0;
    while (!(await endsWithin(all, STORE_EVERY_MS))) {
      const some = attempted.slice(stored);
      stored += some.length;
      await outcomes.recordSome(plan, some);
      this.stored(group, some.length);
      const obeying = consequences.obey(plan, some);
      // An error here surfaces at the end: pending outcomes come first.
      obeying.catch(() => undefined);
      obeyed.push(obeying);
    }
    // With slots, outcomes of groups that end in the same beat are stored together; without, immediately.
    await slots.beat?.after(0);
    await outcomes.record(plan, claim.id, attempted, stored);
    this.stored(group, attempted.length - stored);
    await Promise.all([...obeyed, consequences.obey(plan, attempted.slice(stored))]);
    consequences.judge(plan, attempted);
  }

  /**
   * Finish: the campaign is completed when its last group is recorded and nobody is pending or in flight. A death before
   * leaves a running campaign with nothing left, which the sweep completes.
   */
  private async finish(lastPosition: number): Promise<void> {
    const isLast = this.groups.size === 1 && lastPosition >= this.current.campaign.totalContacts - 1;
    if (isLast && (await this.complete())) this.isOver = true;
  }

  /** Completes the campaign if nothing is left to do. Never rejects. */
  private async complete(): Promise<boolean> {
    const { accountId, campaignId } = this.key;
    try {
      this.isCompleted = await this.context.endings.completeIfDone(accountId, campaignId);
    } catch (error) {
      this.context.logger.debug(`campaign ${campaignId} waits for the sweep: ${(error as Error).message}`);
    }
    return this.isCompleted;
  }

  /** No turns are left: once nothing is in flight, the campaign may be complete. */
  async leave(): Promise<void> {
    this.isOver = true;
    this.context.onLeft(this.key.campaignId);
    await Promise.all(this.groups);
    if (!this.isCompleted) await this.complete();
  }

  /** Claims no more, and leaves it to the failures when the campaign is tried again or stopped. */
  private async fail(error: unknown): Promise<void> {
    this.isOver = true;
    await this.context.failures.failed(this.key.accountId, this.key.campaignId, error);
  }

  private sent(group: Group, recipients: number): void {
    group.unsent -= recipients;
    group.slots.sent(recipients);
  }

  private stored(group: Group, messages: number): void {
    group.unstored -= messages;
    group.slots.stored(messages);
    this.context.room.leave(this.key.accountId, messages);
  }
}

/** @throws CampaignStop */
async function planned({ plans, endings }: RunContext, key: CampaignKey): Promise<CampaignPlan | null> {
  const plan = await plans.plan(key);
  return plan === null || (await endings.finishStop(plan.campaign)) ? null : plan;
}
