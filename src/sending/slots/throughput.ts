import { Injectable } from '@nestjs/common';
import { MicroBatch } from '../../database/batching/micro-batch.js';
import { Pipeline, UnitOfWork } from '../../database/unit-of-work.js';
import { SECOND } from '../../values/clock.js';
import { NIL_ID, newRecordId } from '../../values/record-id.js';
import { SendPacer } from './send-pacer.js';
import {
  type BookedSlots,
  bookSlots,
  type CampaignBooking,
  ensureThroughput,
  releasePhones,
  type SlotRequest,
  slowDown,
} from './throughput.queries.js';

/** A phone and its throughput limit. */
export interface ThrottledPhone {
  readonly accountId: string;
  readonly id: string;
  /** Messages per second, 0 = no limit. */
  readonly throughput: number;
}

/** Slots booked for one phone's campaign messages. */
export interface CampaignSlots {
  /** Number of slots; 0: the phone is fully booked for now. */
  readonly messages: number;
  /** Milliseconds from now until the first slot, or until more can be booked. */
  readonly waitMs: number;
  /** Milliseconds between two slots; 0: no spacing. */
  readonly intervalMs: number;
  /** Another process sends this phone's campaigns. */
  readonly isElsewhere: boolean;
}

/** The network's own ceiling, messages per second: the full speed of an unlimited phone that is slowed down. */
const NETWORK_CEILING = 1000;
/** Milliseconds ahead that campaigns may book: no single send waits longer than this behind them. */
export const CAMPAIGN_HORIZON_MS = 250;
/**
 * Milliseconds that the owner of a phone may come too late and still get the slots in between: its pacer makes up for
 * them without exceeding the throughput.
 */
const ARREARS_MS = 100;
/** Milliseconds a process owns a phone after booking campaign slots: how soon others take over if it dies. */
const KEEP_MS = 4 * SECOND;
/** The share of a phone's throughput that campaigns use, because clocks and timers are never exact. */
const CAMPAIGN_PACE = 0.98;
/** Milliseconds without a throughput error after which a slowed phone doubles its speed. */
const RECOVERY_MS = 3000;
/** Milliseconds within which errors count as one burst and slow the phone only once. */
const ONE_BURST_MS = 500;

/** Milliseconds that campaign bookings are collected into a batch. Campaigns book ahead, so the wait costs nothing. */
const GATHER_MS = 15;

interface Booking {
  readonly phone: ThrottledPhone;
  /** Number of campaign messages; null: one single send. */
  readonly messages: number | null;
  readonly patienceMs: number;
}

/**
 * Keeps each business phone within its throughput across all processes. Single sends go first, because campaigns book
 * only a short way ahead. Simultaneous bookings share one statement, across tenants.
 */
@Injectable()
export class Throughput {
  /** Identifies this process to the others. */
  readonly owner = newRecordId();
  /** When each phone was last slowed down by this process. Unlimited phones book slots only after that. */
  private readonly slowed = new Map<string, number>();
  private readonly pacers = new Map<string, SendPacer>();
  /** When idle pacers were last removed, as `performance.now()` milliseconds. */
  private prunedAt = 0;
  private readonly hurried = this.bookingsOf('bookings', 0);
  private readonly campaigns = this.bookingsOf('bookings of campaigns', GATHER_MS);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly pipeline: Pipeline,
  ) {}

  /**
   * Waits until one single send may go.
   *
   * @param patienceMs the longest wait, milliseconds
   * @returns false when the wait would be longer; nothing is booked then
   */
  async admitSingle(phone: ThrottledPhone, patienceMs: number): Promise<boolean> {
    if (this.isFree(phone)) return true;
    const { messages, waitMs, intervalMs } = await this.hurried.run({ phone, messages: null, patienceMs });
    if (messages === 0) return false;
    const slot = { startsAt: performance.now() + waitMs, intervalMs };
    await new Promise<void>((resolve) => this.pacerOf(phone).begin(1, slot, () => resolve()));
    return true;
  }

  /** The pacer of all this process's messages from one phone. Don't keep a reference: idle pacers are removed. */
  pacerOf({ id }: Pick<ThrottledPhone, 'id'>): SendPacer {
    const known = this.pacers.get(id);
    if (known !== undefined) return known;
    this.pruneIdlePacers();
    const pacer = new SendPacer();
    this.pacers.set(id, pacer);
    return pacer;
  }

  private pruneIdlePacers(): void {
    const now = performance.now();
    if (now < this.prunedAt + RECOVERY_MS) return;
    this.prunedAt = now;
    for (const [phoneId, pacer] of this.pacers) if (pacer.isIdle) this.pacers.delete(phoneId);
  }

  /**
   * Books slots for up to `messages` campaign messages, as many as start within the horizon. This process then owns the
   * phone for a few seconds, unless another process already does.
   *
   * @param isHurried whether the slots are needed too soon to gather bookings
   */
  async bookCampaign(phone: ThrottledPhone, messages: number, isHurried = false): Promise<CampaignSlots> {
    if (this.isFree(phone)) return { messages, waitMs: 0, intervalMs: 0, isElsewhere: false };
    return (isHurried ? this.hurried : this.campaigns).run({ phone, messages, patienceMs: 0 });
  }

  /** Prepares the statement that books slots on a connection. Books nothing. */
  async warmUp(): Promise<void> {
    const nothing = {
      accountId: NIL_ID,
      businessPhoneId: NIL_ID,
      perSecond: 1,
      singles: 0,
      patienceMs: 0,
      messages: 0,
    };
    await bookSlots([nothing], this.campaignRules, RECOVERY_MS, this.pipeline.autocommit);
  }

  /** Halves the phone's speed in all processes, because the network reported that it sends too fast. */
  async slowDown(phone: ThrottledPhone): Promise<void> {
    this.slowed.set(phone.id, performance.now());
    await slowDown(phone.accountId, phone.id, ONE_BURST_MS, this.unitOfWork.writes(phone.accountId));
  }

  private bookingsOf(name: string, gatherMs: number): MicroBatch<Booking, CampaignSlots> {
    return new MicroBatch((bookings) => this.book(bookings), {
      name,
      maxItems: 500,
      concurrency: 2,
      gatherMs,
      tenantOf: ({ phone }) => phone.accountId,
    });
  }

  /** Whether the phone is unlimited and needs no booking. */
  isFree({ id, throughput }: ThrottledPhone): boolean {
    return throughput === 0 && (this.slowed.size === 0 || !this.recentlySlowed(id));
  }

  private async book(bookings: readonly Booking[]): Promise<CampaignSlots[]> {
    const requests = new Map<string, { -readonly [Key in keyof SlotRequest]: SlotRequest[Key] }>();
    for (const { phone, messages, patienceMs } of bookings) {
      const request = requests.get(phone.id) ?? {
        accountId: phone.accountId,
        businessPhoneId: phone.id,
        perSecond: phone.throughput === 0 ? NETWORK_CEILING : phone.throughput,
        singles: 0,
        patienceMs: 0,
        messages: 0,
      };
      requests.set(phone.id, request);
      if (messages === null) {
        request.singles += 1;
        request.patienceMs = Math.max(request.patienceMs, patienceMs);
      } else {
        request.messages += messages;
      }
    }
    for (const request of requests.values()) if (request.messages > 0) request.perSecond *= CAMPAIGN_PACE;
    const booked = await this.bookAll([...requests.values()]);
    return distribute(bookings, new Map(booked.map((slots) => [slots.businessPhoneId, slots])));
  }

  private async bookAll(requests: readonly SlotRequest[]): Promise<BookedSlots[]> {
    const campaigns = this.campaignRules;
    const tx = this.pipeline.autocommit;
    const booked = await bookSlots(requests, campaigns, RECOVERY_MS, tx);
    if (booked.length === requests.length) return booked;
    const known = new Set(booked.map(({ businessPhoneId }) => businessPhoneId));
    const fresh = requests.filter(({ businessPhoneId }) => !known.has(businessPhoneId));
    await ensureThroughput(fresh, tx);
    return [...booked, ...(await bookSlots(fresh, campaigns, RECOVERY_MS, tx))];
  }

  private get campaignRules(): CampaignBooking {
    return { owner: this.owner, horizonMs: CAMPAIGN_HORIZON_MS, arrearsMs: ARREARS_MS, keepMs: KEEP_MS };
  }

  private recentlySlowed(phoneId: string): boolean {
    const at = this.slowed.get(phoneId);
    if (at === undefined) return false;
    if (performance.now() - at < 10 * RECOVERY_MS) return true;
    this.slowed.delete(phoneId);
    return false;
  }

  /** Releases this process's phones, so that others can take over immediately. */
  async release(): Promise<void> {
    await releasePhones(this.owner, this.pipeline.autocommit);
  }
}

/** Distributes each phone's slots over the bookings: single sends first, in the order of arrival. */
function distribute(bookings: readonly Booking[], booked: ReadonlyMap<string, BookedSlots>): CampaignSlots[] {
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
