/** Bounds of an {@link AttemptLimit}. */
export interface LimitBounds {
  readonly initial: number;
  readonly min: number;
  readonly max: number;
}

/** Concurrent attempts per process. A hanging attempt costs little more than a socket. */
export const MAX_CONCURRENT_ATTEMPTS = 2048;
export const PROCESS_LIMIT: LimitBounds = {
  initial: MAX_CONCURRENT_ATTEMPTS,
  min: MAX_CONCURRENT_ATTEMPTS,
  max: MAX_CONCURRENT_ATTEMPTS,
};

/** Concurrent attempts per endpoint: up to `max` while it responds quickly, down to `min` when it hangs. */
export const ENDPOINT_LIMIT: LimitBounds = { initial: 4, min: 1, max: 128 };

/** Concurrent attempts per tenant. At `min`, it takes 64 hostile tenants to fill a process. */
export const TENANT_LIMIT: LimitBounds = { initial: 256, min: 32, max: 256 };

/**
 * How well the receiver coped with an attempt. Quick: it responded with time to spare. Slow: it responded so late that
 * more concurrent attempts would cause timeouts. Stuck: it hangs, is broken or is too busy.
 */
export type Pace = 'quick' | 'slow' | 'stuck';

/**
 * Limits concurrent attempts. The limit doubles per round trip while responses are quick, stays while they are slow,
 * and halves with each stuck attempt. So a fast receiver soon gets all it can take, a small one is not driven into
 * timeouts, and a hanging one occupies hardly a slot.
 */
export class AttemptLimit {
  private allowed: number;
  private used = 0;

  constructor(private readonly bounds: LimitBounds) {
    this.allowed = bounds.initial;
  }

  /** Attempts that may start now. */
  get room(): number {
    return Math.max(0, this.allowed - this.used);
  }

  get idle(): boolean {
    return this.used === 0;
  }

  /**
   * Attempts that one of the `sharers` of this limit may start now: what is free, or else what is left of its equal
   * share, even if others have taken that. So the limit may be exceeded for a while: up to twice itself, or by one
   * per sharer.
   */
  roomFor(sharer: AttemptLimit, sharers: number): number {
    return Math.max(this.room, Math.ceil(this.allowed / sharers) - sharer.used);
  }

  /** Whether there is enough room to lease more: many are leased at once, not one per response. */
  get worthLeasing(): boolean {
    return this.idle || this.room >= this.allowed / 2;
  }

  take(count: number): void {
    this.used += count;
  }

  /** Gives back slots that were taken but not used. */
  giveBack(count: number): void {
    this.used -= count;
  }

  /** Frees the slot of an attempt that has ended, and adjusts the limit to its pace. */
  settle(pace: Pace): void {
    this.used -= 1;
    const { min, max } = this.bounds;
    if (pace === 'quick') this.allowed = Math.min(max, this.allowed + 1);
    if (pace === 'stuck') this.allowed = Math.max(min, Math.floor(this.allowed / 2));
  }
}

/**
 * The pace of an attempt.
 *
 * @param answered whether the receiver gave a response that needs no retry
 * @param share how much of the endpoint's timeout it took, 0 to 1
 */
export const paceOf = (answered: boolean, share: number): Pace => {
  if (!answered) return 'stuck';
  return share > SLOW_SHARE ? 'slow' : 'quick';
};

/** A response that took more than this share of the timeout is slow. */
const SLOW_SHARE = 0.5;
