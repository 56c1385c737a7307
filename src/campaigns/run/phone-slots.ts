import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import type { SendPacer, Slots } from '../../sending/slots/send-pacer.js';
import { CAMPAIGN_HORIZON_MS, type Throughput } from '../../sending/slots/throughput.js';
import { Beat } from './beat.js';

/** Messages per group. */
const MAX_GROUP = 128;
/**
 * Recipients that a phone may have claimed and not sent to: what it sends in a tenth of a second, but at least this
 * many. That is all a killed process leaves behind as unknown although nothing was sent.
 */
const MIN_UNSENT = 32;
/** The tenth of a second, milliseconds. */
const UNSENT_MS = 100;
/** A group is claimed as soon as this share of the unsent has gone out, so that the next one comes in time. */
const REFILL_SHARE = 3 / 8;
/** How long before its first slot a group is booked and claimed at the most, milliseconds. */
const LEAD_MS = 150;
/**
 * A phone may have in flight what it sends in this many milliseconds, so that a slow network does not reduce its
 * throughput.
 */
const MAX_IN_FLIGHT_MS = 10_000;
/** The same for phones without a throughput limit: so many that one group is sent while others are claimed or stored. */
const MAX_IN_FLIGHT_UNLIMITED = 2 * MAX_GROUP;

/** The beats of a process: all its phones with slots wake together, so that their statements are shared. */
export class Beats {
  readonly usual = new Beat(100);
  /** Of phones that send what they may have claimed in less than {@link LEAD_MS}. */
  readonly fast = new Beat(20);
}

/** Booked slots that are not used yet. */
export interface OpenSlots extends Slots {
  messages: number;
  startsAt: number;
}

/**
 * One phone's slots in this process: which it has booked and not used, what is claimed for them and not sent, and what is
 * in flight. It decides when the phone may claim again, and how much.
 */
export class PhoneSlots {
  private booked: OpenSlots | null = null;
  /** When to book again, by `performance.now()`; 0: immediately. */
  private dueAt = 0;
  /** Recipients claimed, or being claimed, and not sent to. */
  private unsent = 0;
  /** Messages whose outcomes are not stored yet. */
  private inFlight = 0;
  /** Milliseconds between two slots, as last booked; 0: no limit. */
  private intervalMs = 0;
  /** What a phone without a limit has sent since it was last measured, and what that makes in {@link UNSENT_MS}. */
  private readonly pace = { since: performance.now(), messages: 0, measured: 0 };
  private wake: () => void = () => undefined;
  isStopped = false;

  constructor(
    private readonly throughput: Throughput,
    private readonly beats: Beats,
  ) {}

  /** Nothing more is claimed; what is in flight is finished. */
  stop(): void {
    this.isStopped = true;
    this.wake();
  }

  /**
   * Whether its groups are needed too soon to gather statements for them: what it may have claimed lasts for less than
   * {@link LEAD_MS}, or it has no limit.
   */
  get isHurried(): boolean {
    return this.refillAt * this.intervalMs < LEAD_MS;
  }

  /** The beat at which outcomes are stored with those of other phones; null: immediately. */
  get beat(): Beat | null {
    if (this.intervalMs === 0) return null;
    return this.isHurried ? this.beats.fast : this.beats.usual;
  }

  pacerOf(phone: BusinessPhone): SendPacer {
    return this.throughput.pacerOf(phone);
  }

  /**
   * Waits until the phone may claim: few enough are unsent and in flight, and there are open slots or it is time to book.
   * A phone that is behind its slots books no more.
   */
  async due(phone: BusinessPhone): Promise<void> {
    // Until the first booking tells.
    if (this.intervalMs === 0 && phone.throughput > 0) this.intervalMs = 1000 / phone.throughput;
    while (!this.isStopped && this.openSlots === null) {
      if (this.unsent > this.refillAt || this.inFlight + MAX_GROUP > this.maxInFlight) {
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
        continue;
      }
      if (this.dueAt === 0) return;
      await (this.beat ?? this.beats.usual).after(Math.max(0, this.dueAt - performance.now()));
      if (this.unsent <= this.refillAt && this.pacerOf(phone).delayMs <= LEAD_MS) return;
    }
  }

  /** The most recipients that may be claimed now. */
  most({ throughput }: BusinessPhone): number {
    if (this.openSlots !== null) return this.openSlots.messages;
    const beforeHorizon = throughput === 0 ? MAX_GROUP : Math.floor((throughput * CAMPAIGN_HORIZON_MS) / 1000) + 1;
    return Math.min(MAX_GROUP, beforeHorizon, this.maxUnsent - this.unsent);
  }

  /** The open slots, or else up to `messages` new ones, none if the phone is booked up; null: another process sends. */
  async book(phone: BusinessPhone, messages: number): Promise<OpenSlots | null> {
    if (this.openSlots !== null) return this.openSlots;
    const booked = await this.throughput.bookCampaign(phone, messages, this.isHurried);
    if (booked.isElsewhere) return null;
    const { waitMs, intervalMs } = booked;
    const slots = { messages: booked.messages, startsAt: performance.now() + waitMs, intervalMs };
    this.intervalMs = intervalMs;
    this.booked = intervalMs === 0 ? null : slots;
    const endsAt = slots.startsAt + slots.messages * intervalMs;
    if (slots.messages === 0) this.dueAt = endsAt - CAMPAIGN_HORIZON_MS;
    else this.dueAt = intervalMs === 0 ? 0 : endsAt - Math.min(LEAD_MS, this.refillAt * intervalMs);
    return slots;
  }

  /** Counts recipients as claimed, before the statement that claims them. */
  claiming(recipients: number): void {
    this.unsent += recipients;
  }

  /** @param claimed how many of `requested` were claimed; they take the first of the slots */
  claimed(requested: number, claimed: number, slots: OpenSlots): Slots {
    const own = { startsAt: slots.startsAt, intervalMs: slots.intervalMs };
    slots.messages -= claimed;
    slots.startsAt += claimed * slots.intervalMs;
    this.inFlight += claimed;
    this.sent(requested - claimed);
    return own;
  }

  /** Recipients are no longer unsent: the request is being written, or they are not sent to. */
  sent(recipients: number): void {
    this.unsent -= recipients;
    this.measure(recipients);
    if (this.unsent <= this.refillAt) this.wake();
  }

  /** Outcomes have been stored. */
  stored(messages: number): void {
    this.inFlight -= messages;
    this.wake();
  }

  private measure(messages: number): void {
    const { pace } = this;
    pace.messages += messages;
    const elapsed = performance.now() - pace.since;
    if (elapsed < UNSENT_MS) return;
    pace.measured = (pace.messages * UNSENT_MS) / elapsed;
    pace.messages = 0;
    pace.since = performance.now();
  }

  /** Booked slots whose time has not passed. */
  private get openSlots(): OpenSlots | null {
    if (this.booked === null || this.booked.messages === 0) return null;
    const { messages, startsAt, intervalMs } = this.booked;
    return startsAt + messages * intervalMs < performance.now() ? null : this.booked;
  }

  /** What the phone sends in {@link UNSENT_MS}, at least {@link MIN_UNSENT}; without a limit, what it did send. */
  private get maxUnsent(): number {
    const pace = this.intervalMs === 0 ? this.pace.measured : UNSENT_MS / this.intervalMs;
    return Math.min(MAX_GROUP, Math.max(MIN_UNSENT, Math.floor(pace)));
  }

  /** The phone claims again when no more than this many are unsent. */
  private get refillAt(): number {
    const { maxUnsent } = this;
    return maxUnsent - Math.ceil(maxUnsent * REFILL_SHARE);
  }

  private get maxInFlight(): number {
    if (this.intervalMs === 0) return MAX_IN_FLIGHT_UNLIMITED;
    return Math.max(MAX_IN_FLIGHT_UNLIMITED, MAX_IN_FLIGHT_MS / this.intervalMs);
  }
}
