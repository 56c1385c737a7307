import { SECOND } from '../../src/values/clock.js';
import { GraphError } from '../graph-error.js';

/** A pair of phone and customer allows a burst of 45 messages, then one every 6 s. */
const PAIR_BURST = 45;
const PAIR_REFILL_MS = 6 * SECOND;

interface PairBudget {
  left: number;
  at: number;
}

/** Enforces the network's limits: messages per second and phone, and messages per pair. */
export class SendLimits {
  /** The times of each phone's last sends, oldest first. */
  private readonly recent = new Map<string, number[]>();
  private readonly pairs = new Map<string, PairBudget>();
  private readonly attempted = new Set<string>();

  /** @throws GraphError 130429 if the phone has sent `maxPerSecond` messages within the last second */
  takeThroughput(phoneNumberId: string, maxPerSecond: number): void {
    const now = Date.now();
    const times = this.recent.get(phoneNumberId) ?? [];
    const fresh = times.findIndex((time) => time > now - SECOND);
    times.splice(0, fresh === -1 ? times.length : fresh);
    this.recent.set(phoneNumberId, times);
    if (times.length >= maxPerSecond) {
      // The network sends this code with either status 429 or 400; injected errors use 400.
      const details = 'Message failed to send because there were too many messages sent from this phone number';
      throw new GraphError(130429, details, { status: 429, retryAfter: 1 });
    }
    times.push(now);
  }

  /** @throws GraphError 131056 if the pair's budget is used up */
  takePair(pair: string): void {
    const now = Date.now();
    const budget = this.pairs.get(pair) ?? { left: PAIR_BURST, at: now };
    const left = Math.min(PAIR_BURST, budget.left + (now - budget.at) / PAIR_REFILL_MS);
    this.pairs.set(pair, { left: left < 1 ? left : left - 1, at: now });
    if (left < 1) throw new GraphError(131056, 'Too many messages sent to the same recipient in a short time');
  }

  /** Whether this is the pair's first attempt to send; records the attempt. */
  isFirstAttempt(pair: string): boolean {
    if (this.attempted.has(pair)) return false;
    this.attempted.add(pair);
    return true;
  }

  reset(): void {
    this.recent.clear();
    this.pairs.clear();
    this.attempted.clear();
  }
}
