/** Bounds of a {@link DeliveryWindow}. */
export interface WindowBounds {
  readonly initial: number;
  readonly min: number;
  readonly max: number;
}

/**
 * How an attempt went for the receiver: answered with time to spare; answered, but late enough that more at once would
 * bring timeouts; or not answered properly, as the receiver hangs, is broken or too busy.
 */
export type Pace = 'quick' | 'slow' | 'stuck';

/**
 * How many attempts may be under way at once: it doubles per round trip while answers are quick, stays while they are
 * slow, and halves with each attempt that is stuck. So a fast receiver soon gets all it can take, a small one is not
 * driven into timeouts, and one that hangs holds hardly a slot.
 */
export class DeliveryWindow {
  private allowed: number;
  private used = 0;

  constructor(private readonly bounds: WindowBounds) {
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
   * Attempts that one of its `sharers` may start now: what is free, and else the rest of its equal share, even though
   * others have taken it. So what is under way exceeds what is allowed for a while, at most twice or by one a sharer.
   */
  roomFor(sharer: DeliveryWindow, sharers: number): number {
    return Math.max(this.room, Math.ceil(this.allowed / sharers) - sharer.used);
  }

  /** Whether enough room has gathered to be worth a claim: claims are made in batches, not per answer. */
  get worthClaiming(): boolean {
    return this.idle || this.room >= this.allowed / 2;
  }

  take(count: number): void {
    this.used += count;
  }

  /** Gives back slots that were taken and not used. */
  giveBack(count: number): void {
    this.used -= count;
  }

  /** An attempt ended. */
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
 * @param answered whether the receiver gave an answer that does not ask for a retry
 * @param share of the endpoint's timeout that it took
 */
export const paceOf = (answered: boolean, share: number): Pace => {
  if (!answered) return 'stuck';
  return share > SLOW_SHARE ? 'slow' : 'quick';
};

/** An answer that took more than this part of the timeout is slow. */
const SLOW_SHARE = 0.5;
