import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import type { Slots } from '../../network/send-pacer.js';
import { CAMPAIGN_HORIZON_MS, type Throughput } from '../../network/throughput.js';
import type { ActiveCampaign } from './active-campaign.js';
import type { Beat } from './beat.js';
import type { CampaignDispatcherService } from './campaign-dispatcher.service.js';
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
  readonly replan: (campaign: ActiveCampaign) => Promise<DispatchPlan | null>;
  /** The campaign has left its pump. */
  readonly onLeft: (campaign: ActiveCampaign) => void;
  /** A group was sent and its outcomes are stored. */
  readonly onProgress: (campaign: ActiveCampaign) => void;
  /**
   * The last group was sent and its outcomes are stored. Resolves to whether the campaign is completed. Never rejects.
   */
  readonly onLastSent: (campaign: ActiveCampaign) => Promise<boolean>;
  /** The campaign has left, and nothing of it is in flight. */
  readonly onSettled: (campaign: ActiveCampaign) => void;
  readonly onFailed: (campaign: ActiveCampaign, error: unknown) => Promise<void>;
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
  private readonly campaigns: ActiveCampaign[] = [];
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
  add(campaign: ActiveCampaign): void {
    this.campaigns.push(campaign);
    if (!this.isRunning) void this.run();
  }

  /** Stops claiming; what is in flight is finished. */
  stop(): void {
    this.isStopped = true;
    this.wake();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    for (let campaign = this.campaigns.shift(); campaign !== undefined; campaign = this.campaigns.shift()) {
      if (await this.advance(campaign)) this.campaigns.push(campaign);
      else this.leave(campaign);
    }
    this.isRunning = false;
    this.endIfIdle();
  }

  private leave(campaign: ActiveCampaign): void {
    campaign.isOver = true;
    this.context.onLeft(campaign);
    if (campaign.groups === 0) this.context.onSettled(campaign);
  }

  /** @returns whether there may be more of the campaign to send */
  private async advance(campaign: ActiveCampaign): Promise<boolean> {
    try {
      await this.waitUntilDue(campaign.plan.phone);
      if (this.isStopped || campaign.isOver) return false;
      if (performance.now() - campaign.plannedAt > PLAN_VALID_MS) {
        const plan = await this.context.replan(campaign);
        if (plan === null) return false;
        campaign.plan = plan;
        campaign.plannedAt = performance.now();
      }
      return await this.sendGroup(campaign);
    } catch (error) {
      await this.context.onFailed(campaign, error);
      return false;
    }
  }

  private async sendGroup(campaign: ActiveCampaign): Promise<boolean> {
    const { phone } = campaign.plan;
    const { room } = this.context;
    const requested = this.openSlots?.messages ?? groupSize(phone);
    await room.enter(phone.accountId, requested);
    let unused = requested;
    try {
      if (this.isStopped) return false;
      const slots = this.openSlots ?? (await this.book(phone, requested));
      if (slots === 'elsewhere') return false;
      if (slots.messages === 0) return true;
      const batch = await this.context.claims.claim(campaign.plan, slots.messages, campaign.fromPosition);
      const { length } = batch.claimed;
      const isExhausted = length === 0 && campaign.fromPosition === 0;
      // A short batch means everything after it is claimed. Start over: recipients put back for a retry are before it.
      campaign.fromPosition = length < slots.messages ? 0 : batch.lastPosition + 1;
      if (length > 0) {
        unused -= length;
        void this.send(campaign, batch, slots);
      }
      return !isExhausted;
    } finally {
      room.leave(phone.accountId, unused);
    }
  }

  /** Sends a group in the first open slots. */
  private async send(campaign: ActiveCampaign, batch: ClaimedBatch, slots: OpenSlots): Promise<void> {
    const { beat, dispatcher, room, throughput, onProgress, onLastSent, onSettled, onFailed } = this.context;
    const { length } = batch.claimed;
    const { startsAt, intervalMs } = slots;
    slots.messages -= length;
    slots.startsAt += length * intervalMs;
    campaign.groups += 1;
    this.inFlight += length;
    let open = length;
    const stored = (messages: number): void => {
      open -= messages;
      this.inFlight -= messages;
      room.leave(campaign.accountId, messages);
      this.wake();
    };
    try {
      // With slots, outcomes of groups that end in the same beat are stored together; without, immediately.
      await dispatcher.send(campaign.plan, batch, {
        pacer: throughput.pacerOf(campaign.plan.phone),
        slots: { startsAt, intervalMs },
        beat: intervalMs === 0 ? null : beat,
        onStored: stored,
        onStopped: () => {
          campaign.isOver = true;
        },
      });
      onProgress(campaign);
      const isLast = campaign.groups === 1 && batch.lastPosition >= campaign.plan.campaign.totalContacts - 1;
      if (isLast && (await onLastSent(campaign))) campaign.isOver = campaign.isCompleted = true;
    } catch (error) {
      campaign.isOver = true;
      await onFailed(campaign, error);
    } finally {
      stored(open);
      campaign.groups -= 1;
      if ((campaign.isOver || this.isStopped) && campaign.groups === 0) onSettled(campaign);
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
