import { SECOND } from '../../src/values/clock.js';
import { GraphError } from '../graph-error.js';

/** A pair of phone and customer may exchange a burst of 45, then one message each 6 s. */
const PAIR_BURST = 45;
const PAIR_REFILL_MS = 6 * SECOND;

interface PairBudget {
  left: number;
  at: number;
}

/** Counts sends against the limits of the network: messages per second and phone, and messages per pair. */
export class SendLimits {
  /** For each phone the times of its last sends, oldest first. */
  private readonly recent = new Map<string, number[]>();
  private readonly pairs = new Map<string, PairBudget>();
  private readonly attempted = new Set<string>();

  /** Takes one of the phone's `maxPerSecond` places of the last second, or refuses with 130429. */
  takeThroughput(phoneNumberId: string, maxPerSecond: number): void {
    const now = Date.now();
    const times = this.recent.get(phoneNumberId) ?? [];
    const fresh = times.findIndex((time) => time > now - SECOND);
    times.splice(0, fresh === -1 ? times.length : fresh);
    this.recent.set(phoneNumberId, times);
    if (times.length >= maxPerSecond) {
      // The network sends this code with 429 as well as with 400; an injected one comes with 400.
      const details = 'Message failed to send because there were too many messages sent from this phone number';
      throw new GraphError(130429, details, { status: 429, retryAfter: 1 });
    }
    times.push(now);
  }

  /** Takes one message of the pair's budget, or refuses with 131056. */
  takePair(pair: string): void {
    const now = Date.now();
    const budget = this.pairs.get(pair) ?? { left: PAIR_BURST, at: now };
    const left = Math.min(PAIR_BURST, budget.left + (now - budget.at) / PAIR_REFILL_MS);
    this.pairs.set(pair, { left: left < 1 ? left : left - 1, at: now });
    if (left < 1) throw new GraphError(131056, 'Too many messages sent to the same recipient in a short time');
  }

  /** Whether this is the first time that `pair` tries to send. */
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
