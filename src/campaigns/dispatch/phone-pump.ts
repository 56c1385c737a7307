import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import type { Slots } from '../../network/send-pacer.js';
import { CAMPAIGN_HORIZON_MS, type Throughput } from '../../network/throughput.js';
import type { Beat } from './beat.js';
import type { CampaignDispatcherService } from './campaign-dispatcher.service.js';
import type { CampaignTurn } from './campaign-turn.js';
import type { DispatchPlan } from './dispatch-plan.js';
import type { InFlightRoom } from './in-flight-room.js';
import type { ClaimedBatch, RecipientClaimsService } from './recipient-claims.service.js';

/** Messages per group. */
const MAX_GROUP = 128;
/** How long before its first slot a group is booked and claimed, milliseconds. */
const LEAD_MS = 150;
/**
 * A phone may have in flight what it sends in this many milliseconds, so that a slow network does not reduce its
 * throughput.
 */
const MAX_IN_FLIGHT_MS = 10_000;
/**
 * The same for phones without a throughput limit: two groups, so that one is sent while the other is claimed or stored.
 */
const MAX_IN_FLIGHT_UNLIMITED = 2 * MAX_GROUP;
/** A plan is rebuilt after this many milliseconds. */
const PLAN_VALID_MS = 3000;

/** What a pump works with, and its callbacks. */
export interface PumpContext {
  /** Wakes all pumps with time slots together. */
  readonly beat: Beat;
  readonly throughput: Throughput;
  readonly claims: RecipientClaimsService;
  readonly dispatcher: CampaignDispatcherService;
  readonly room: InFlightRoom;
  /** Rebuilds the plan of a campaign; null when it must not be sent any more. */
  readonly replan: (turn: CampaignTurn) => Promise<DispatchPlan | null>;
  /** The campaign has left its pump. */
  readonly onLeft: (turn: CampaignTurn) => void;
  /** A group was sent and its outcomes are stored. */
  readonly onProgress: (turn: CampaignTurn) => void;
  /**
   * The last group was sent and its outcomes are stored. Resolves to whether the campaign is completed. Never rejects.
   */
  readonly onLastSent: (turn: CampaignTurn) => Promise<boolean>;
  /** The campaign has left, and nothing of it is in flight. */
  readonly onSettled: (turn: CampaignTurn) => void;
  readonly onFailed: (turn: CampaignTurn, error: unknown) => Promise<void>;
}

/** Booked slots that are not used yet. */
interface OpenSlots extends Slots {
  messages: number;
  startsAt: number;
}

/**
 * Sends the campaigns of one business phone, one group of each in turn: books time slots, claims as many recipients,
 * and hands them to the dispatcher. It claims the next group while earlier ones are in flight, and sleeps in between.
 */
export class PhonePump {
  private readonly turns: CampaignTurn[] = [];
  private slots: OpenSlots | null = null;
  /** When to book slots again, by `performance.now()`; 0: immediately. */
  private dueAt = 0;
  /** Messages whose outcomes are not stored yet, and their limit. */
  private inFlight = 0;
  private maxInFlight = MAX_IN_FLIGHT_UNLIMITED;
  /** Called when outcomes have been stored. */
  private wake: () => void = () => undefined;
  private isRunning = false;
  private isStopped = false;

  /** @param onEnded called when the pump has nothing left to send and nothing in flight */
  constructor(
    private readonly context: PumpContext,
    private readonly onEnded: () => void,
  ) {}

  /** Adds a campaign to send from this phone. */
  add(turn: CampaignTurn): void {
    this.turns.push(turn);
    if (!this.isRunning) void this.run();
  }

  /** Stops claiming; what is in flight is finished. */
  stop(): void {
    this.isStopped = true;
    this.wake();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    for (let turn = this.turns.shift(); turn !== undefined; turn = this.turns.shift()) {
      if (await this.advance(turn)) this.turns.push(turn);
      else this.leave(turn);
    }
    this.isRunning = false;
    this.endIfIdle();
  }

  private leave(turn: CampaignTurn): void {
    turn.isOver = true;
    this.context.onLeft(turn);
    if (turn.groups === 0) this.context.onSettled(turn);
  }

  /** @returns whether there may be more of the campaign to send */
  private async advance(turn: CampaignTurn): Promise<boolean> {
    try {
      await this.waitUntilDue(turn.plan.phone);
      if (this.isStopped || turn.isOver) return false;
      if (performance.now() - turn.plannedAt > PLAN_VALID_MS) {
        const plan = await this.context.replan(turn);
        if (plan === null) return false;
        turn.plan = plan;
        turn.plannedAt = performance.now();
      }
      return await this.sendGroup(turn);
    } catch (error) {
      await this.context.onFailed(turn, error);
      return false;
    }
  }

  private async sendGroup(turn: CampaignTurn): Promise<boolean> {
    const { phone } = turn.plan;
    const { room } = this.context;
    const requested = this.openSlots?.messages ?? groupSize(phone);
    await room.enter(phone.accountId, requested);
    let unused = requested;
    try {
      if (this.isStopped) return false;
      const slots = this.openSlots ?? (await this.book(phone, requested));
      if (slots === 'elsewhere') return false;
      if (slots.messages === 0) return true;
      const batch = await this.context.claims.claim(turn.plan, slots.messages, turn.fromPosition);
      const { length } = batch.claimed;
      const isExhausted = length === 0 && turn.fromPosition === 0;
      // A short batch means everything after it is claimed. Start over: recipients put back for a retry are before it.
      turn.fromPosition = length < slots.messages ? 0 : batch.lastPosition + 1;
      if (length > 0) {
        unused -= length;
        void this.send(turn, batch, slots);
      }
      return !isExhausted;
    } finally {
      room.leave(phone.accountId, unused);
    }
  }

  /** Sends a group in the first open slots. */
  private async send(turn: CampaignTurn, batch: ClaimedBatch, slots: OpenSlots): Promise<void> {
    const { beat, dispatcher, room, throughput, onProgress, onLastSent, onSettled, onFailed } = this.context;
    const { length } = batch.claimed;
    const { startsAt, intervalMs } = slots;
    slots.messages -= length;
    slots.startsAt += length * intervalMs;
    turn.groups += 1;
    this.inFlight += length;
    let open = length;
    const stored = (messages: number): void => {
      open -= messages;
      this.inFlight -= messages;
      room.leave(turn.accountId, messages);
      this.wake();
    };
    try {
      // With slots, outcomes of groups that end in the same beat are stored together; without, immediately.
      await dispatcher.send(turn.plan, batch, {
        pacer: throughput.pacerOf(turn.plan.phone),
        slots: { startsAt, intervalMs },
        beat: intervalMs === 0 ? null : beat,
        onStored: stored,
        onStopped: () => {
          turn.isOver = true;
        },
      });
      onProgress(turn);
      const isLast = turn.groups === 1 && batch.lastPosition >= turn.plan.campaign.totalContacts - 1;
      if (isLast && (await onLastSent(turn))) turn.isOver = turn.isCompleted = true;
    } catch (error) {
      turn.isOver = true;
      await onFailed(turn, error);
    } finally {
      stored(open);
      turn.groups -= 1;
      if ((turn.isOver || this.isStopped) && turn.groups === 0) onSettled(turn);
      this.endIfIdle();
    }
  }

  /** A pump lives until nothing is in flight, so that a phone never has two pumps pacing it. */
  private endIfIdle(): void {
    if (!this.isRunning && this.inFlight === 0) this.onEnded();
  }

  /** Booked slots whose time has not passed. */
  private get openSlots(): OpenSlots | null {
    if (this.slots === null || this.slots.messages === 0) return null;
    const { messages, startsAt, intervalMs } = this.slots;
    return startsAt + messages * intervalMs < performance.now() ? null : this.slots;
  }

  private async book(phone: BusinessPhone, requested: number): Promise<OpenSlots | 'elsewhere'> {
    const { messages, waitMs, intervalMs, isElsewhere } = await this.context.throughput.bookCampaign(phone, requested);
    if (isElsewhere) return 'elsewhere';
    const startsAt = performance.now() + waitMs;
    this.maxInFlight =
      intervalMs === 0 ? MAX_IN_FLIGHT_UNLIMITED : Math.max(2 * MAX_GROUP, MAX_IN_FLIGHT_MS / intervalMs);
    this.slots = intervalMs === 0 ? null : { messages, startsAt, intervalMs };
    const endsAt = startsAt + messages * intervalMs;
    this.dueAt = intervalMs === 0 && messages > 0 ? 0 : endsAt - (messages === 0 ? CAMPAIGN_HORIZON_MS : LEAD_MS);
    return this.slots ?? { messages, startsAt, intervalMs };
  }

  /** Sleeps until there are open slots or slots can be booked. A phone that is behind its slots books no more. */
  private async waitUntilDue(phone: BusinessPhone): Promise<void> {
    while (!this.isStopped && this.openSlots === null) {
      if (this.inFlight + MAX_GROUP > this.maxInFlight) {
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
        continue;
      }
      if (this.dueAt === 0) return;
      await this.context.beat.after(Math.max(0, this.dueAt - performance.now()));
      if (this.context.throughput.pacerOf(phone).delayMs <= LEAD_MS) return;
    }
  }
}

/** The most messages that can be booked at once. */
const groupSize = ({ throughput }: BusinessPhone): number =>
  throughput === 0 ? MAX_GROUP : Math.min(MAX_GROUP, Math.floor((throughput * CAMPAIGN_HORIZON_MS) / 1000) + 1);
