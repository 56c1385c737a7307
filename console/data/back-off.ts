/** Before the first new attempt, and between the last ones, milliseconds. */
const FIRST_MS = 500;
const MAX_MS = 15_000;

/** How long to wait before the next attempt: twice as long each time. */
export class BackOff {
  private attempts = 0;

  /** @param random from 0 to 1: it spreads the pages that all lost the same process */
  constructor(private readonly random: () => number = Math.random) {}

  /**
   * @param atLeastMs as the service demands
   * @returns milliseconds
   */
  next(atLeastMs = 0): number {
    const ms = Math.min(FIRST_MS * 2 ** this.attempts, MAX_MS);
    this.attempts += 1;
    return Math.max(atLeastMs, 0) + ms * (0.5 + this.random() / 2);
  }

  reset(): void {
    this.attempts = 0;
  }
}
