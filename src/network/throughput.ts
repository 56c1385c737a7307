import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { bookThroughput, slowDown } from './throughput.queries.js';

/** The phone that sends, and how fast it may. */
export interface ThrottledPhone {
  readonly accountId: string;
  readonly id: string;
  /** Messages per second, 0 = no limit. */
  readonly throughput: number;
}

/** The network's own ceiling, messages per second: what an unlimited phone is slowed down from. */
const CEILING = 1000;
/** Campaigns book at most this far ahead, so that a single send never waits longer behind them. Milliseconds. */
const CAMPAIGN_HORIZON_MS = 250;
/** Quiet milliseconds after which a slowed phone wins back half of its speed. */
const RECOVERY_MS = 3000;
/** Errors of one burst slow a phone down once. Milliseconds. */
const ONE_BURST_MS = 500;

/**
 * Keeps each business phone within its throughput, over all processes. Single sends go first: campaigns book only a
 * short way ahead.
 */
@Injectable()
export class Throughput {
  /** When unlimited phones of this process were last slowed down; only then do they book. */
  private readonly slowed = new Map<string, number>();

  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Waits for the turn of one single send.
   *
   * @param patienceMs how long it may wait
   * @returns false when its turn would come later than that; nothing is booked then
   */
  async admitSingle(phone: ThrottledPhone, patienceMs: number): Promise<boolean> {
    return this.admit(phone, 1, patienceMs);
  }

  /**
   * Waits for the turn of a group of campaign messages.
   *
   * @returns false when the phone is booked out for now: try again shortly
   */
  async admitGroup(phone: ThrottledPhone, messages: number): Promise<boolean> {
    return this.admit(phone, messages, CAMPAIGN_HORIZON_MS);
  }

  /** The network said that the phone sends too fast: all processes halve its speed for now. */
  async slowDown(phone: ThrottledPhone): Promise<void> {
    this.slowed.set(phone.id, Date.now());
    await slowDown(phone.accountId, phone.id, ONE_BURST_MS, this.unitOfWork.writes(phone.accountId));
  }

  /** How many messages of a campaign make one group: a tenth of a second's worth, within bounds. */
  groupSize(phone: ThrottledPhone, most: number): number {
    if (phone.throughput === 0) return most;
    return Math.max(1, Math.min(most, Math.ceil(phone.throughput / 10)));
  }

  private async admit(phone: ThrottledPhone, messages: number, furthestMs: number): Promise<boolean> {
    const unlimited = phone.throughput === 0;
    if (unlimited && !this.recentlySlowed(phone.id)) return true;
    const booking = await bookThroughput(
      phone.accountId,
      phone.id,
      { messages, perSecond: unlimited ? CEILING : phone.throughput, furthestMs, recoveryMs: RECOVERY_MS },
      this.unitOfWork.writes(phone.accountId),
    );
    if (booking === null) return false;
    if (booking.waitMs >= 1) await new Promise((resolve) => setTimeout(resolve, booking.waitMs));
    return true;
  }

  private recentlySlowed(phoneId: string): boolean {
    const at = this.slowed.get(phoneId);
    if (at === undefined) return false;
    if (Date.now() - at < 10 * RECOVERY_MS) return true;
    this.slowed.delete(phoneId);
    return false;
  }
}
