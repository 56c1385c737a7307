import { Injectable } from '@nestjs/common';
import { MicroBatch } from '../database/batching/micro-batch.js';
import { Pipeline } from '../database/connections/pipeline.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { SECOND } from '../values/clock.js';
import { newRecordId } from '../values/record-id.js';
import { SendPacer } from './send-pacer.js';
import {
  type BookedSlots,
  bookSlots,
  ensureThroughput,
  releasePhones,
  slowDown,
  type WantedSlots,
} from './throughput.queries.js';

/** The phone that sends, and how fast it may. */
export interface ThrottledPhone {
  readonly accountId: string;
  readonly id: string;
  /** Messages per second, 0 = no limit. */
  readonly throughput: number;
}

/** Slots booked for campaign messages of one phone. */
export interface GroupSlots {
  /** How many; 0: the phone is booked out for now. */
  readonly messages: number;
  /** Milliseconds from now until the first, or until more can be booked. */
  readonly waitMs: number;
  /** Distance of two slots, milliseconds; 0: none is kept. */
  readonly intervalMs: number;
  /** Another process sends the campaigns of this phone. */
  readonly isElsewhere: boolean;
}

/** The network's own ceiling, messages per second: what an unlimited phone is slowed down from. */
const CEILING = 1000;
/** Campaigns book at most this far ahead, so that a single send never waits longer behind them. Milliseconds. */
export const CAMPAIGN_HORIZON_MS = 250;
/** How long a process keeps a phone that it sends campaigns from, milliseconds: others go on after its death. */
const KEEP_MS = 4 * SECOND;
/** The share of a phone's speed that campaigns use: clocks and timers are never exact. */
const CAMPAIGN_PACE = 0.98;
/** Quiet milliseconds after which a slowed phone wins back half of its speed. */
const RECOVERY_MS = 3000;
/** Errors of one burst slow a phone down once. Milliseconds. */
const ONE_BURST_MS = 500;

/** How long bookings of campaigns gather, milliseconds: pumps book ahead of their slots. */
const GATHER_MS = 15;

interface Booking {
  readonly phone: ThrottledPhone;
  /** Campaign messages; null: one single send. */
  readonly messages: number | null;
  readonly patienceMs: number;
}

/**
 * Keeps each business phone within its throughput, over all processes. Single sends go first: campaigns book only a
 * short way ahead. Bookings of one moment, whoever they are for, share a statement.
 */
@Injectable()
export class Throughput {
  /** Names this process to the others. */
  readonly owner = newRecordId();
  /** When unlimited phones of this process were last slowed down; only then do they book. */
  private readonly slowed = new Map<string, number>();
  private readonly pacers = new Map<string, SendPacer>();
  /** When idle ones were last forgotten, milliseconds on the process's clock. */
  private forgottenAt = 0;
  private readonly singles = this.bookingsOf('bookings of single sends', 0);
  private readonly groups = this.bookingsOf('bookings of campaigns', GATHER_MS);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly pipeline: Pipeline,
  ) {}

  /**
   * Waits for the turn of one single send.
   *
   * @param patienceMs how long it may wait
   * @returns false when its turn would come later than that; nothing is booked then
   */
  async admitSingle(phone: ThrottledPhone, patienceMs: number): Promise<boolean> {
    if (this.isFree(phone)) return true;
    const { messages, waitMs, intervalMs } = await this.singles.run({ phone, messages: null, patienceMs });
    if (messages === 0) return false;
    await this.pacerOf(phone).turns(1, { startsAt: performance.now() + waitMs, intervalMs })[0];
    return true;
  }

  /** What keeps all messages of this process from one phone at their distance. Not to be kept: idle ones are forgotten. */
  pacerOf({ id }: Pick<ThrottledPhone, 'id'>): SendPacer {
    const known = this.pacers.get(id);
    if (known !== undefined) return known;
    this.forgetIdlePacers();
    const pacer = new SendPacer();
    this.pacers.set(id, pacer);
    return pacer;
  }

  private forgetIdlePacers(): void {
    const now = performance.now();
    if (now < this.forgottenAt + RECOVERY_MS) return;
    this.forgottenAt = now;
    for (const [phoneId, pacer] of this.pacers) if (pacer.isIdle) this.pacers.delete(phoneId);
  }

  /**
   * Books slots for at most that many campaign messages, as many as begin soon. The phone belongs to this process for the
   * next few seconds, unless it is another's.
   */
  async bookGroup(phone: ThrottledPhone, messages: number): Promise<GroupSlots> {
    if (this.isFree(phone)) return { messages, waitMs: 0, intervalMs: 0, isElsewhere: false };
    return this.groups.run({ phone, messages, patienceMs: 0 });
  }

  /** The network said that the phone sends too fast: all processes halve its speed for now. */
  async slowDown(phone: ThrottledPhone): Promise<void> {
    this.slowed.set(phone.id, performance.now());
    await slowDown(phone.accountId, phone.id, ONE_BURST_MS, this.unitOfWork.writes(phone.accountId));
  }

  private bookingsOf(name: string, gatherMs: number): MicroBatch<Booking, GroupSlots> {
    return new MicroBatch((bookings) => this.book(bookings), {
      name,
      maxItems: 500,
      concurrency: 2,
      gatherMs,
      tenantOf: ({ phone }) => phone.accountId,
    });
  }

  /** Whether the phone has no limit, and books nothing. */
  private isFree({ id, throughput }: ThrottledPhone): boolean {
    return throughput === 0 && !this.recentlySlowed(id);
  }

  private async book(bookings: readonly Booking[]): Promise<GroupSlots[]> {
    const wanted = new Map<string, { -readonly [Key in keyof WantedSlots]: WantedSlots[Key] }>();
    for (const { phone, messages, patienceMs } of bookings) {
      const known = wanted.get(phone.id) ?? {
        accountId: phone.accountId,
        businessPhoneId: phone.id,
        perSecond: phone.throughput === 0 ? CEILING : phone.throughput,
        singles: 0,
        patienceMs: 0,
        messages: 0,
      };
      wanted.set(phone.id, known);
      if (messages === null) {
        known.singles += 1;
        known.patienceMs = Math.max(known.patienceMs, patienceMs);
      } else {
        known.messages += messages;
      }
    }
    for (const known of wanted.values()) if (known.messages > 0) known.perSecond *= CAMPAIGN_PACE;
    const booked = await this.bookAll([...wanted.values()]);
    return share(bookings, new Map(booked.map((slots) => [slots.businessPhoneId, slots])));
  }

  private async bookAll(wanted: readonly WantedSlots[]): Promise<BookedSlots[]> {
    const campaigns = { owner: this.owner, horizonMs: CAMPAIGN_HORIZON_MS, keepMs: KEEP_MS };
    const tx = this.pipeline.autocommit;
    const booked = await bookSlots(wanted, campaigns, RECOVERY_MS, tx);
    if (booked.length === wanted.length) return booked;
    const known = new Set(booked.map(({ businessPhoneId }) => businessPhoneId));
    const fresh = wanted.filter(({ businessPhoneId }) => !known.has(businessPhoneId));
    await ensureThroughput(fresh, tx);
    return [...booked, ...(await bookSlots(fresh, campaigns, RECOVERY_MS, tx))];
  }

  private recentlySlowed(phoneId: string): boolean {
    const at = this.slowed.get(phoneId);
    if (at === undefined) return false;
    if (performance.now() - at < 10 * RECOVERY_MS) return true;
    this.slowed.delete(phoneId);
    return false;
  }

  /** Others may send from the phones of this process at once. */
  async release(): Promise<void> {
    await releasePhones(this.owner, this.pipeline.autocommit);
  }
}

/** Hands the slots of each phone to those who wanted them: single sends first, in the order in which they came. */
function share(bookings: readonly Booking[], booked: ReadonlyMap<string, BookedSlots>): GroupSlots[] {
  const given = new Map<string, { singles: number; messages: number }>();
  return bookings.map(({ phone, messages }) => {
    const slots = booked.get(phone.id);
    if (slots === undefined) return { messages: 0, waitMs: CAMPAIGN_HORIZON_MS, intervalMs: 0, isElsewhere: false };
    const { waitMs, intervalMs, isElsewhere } = slots;
    const taken = given.get(phone.id) ?? { singles: 0, messages: 0 };
    given.set(phone.id, taken);
    const place = messages === null ? taken.singles : slots.singles + taken.messages;
    const count =
      messages === null
        ? Math.min(1, slots.singles - taken.singles)
        : Math.min(messages, slots.messages - taken.messages);
    if (messages === null) taken.singles += count;
    else taken.messages += count;
    return { messages: count, waitMs: waitMs + place * intervalMs, intervalMs, isElsewhere };
  });
}
