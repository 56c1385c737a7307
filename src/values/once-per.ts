/** Throttles repeated events, such as log lines about one account, to one per key and time span. */
export class OncePer {
  private readonly passedAt = new Map<string, number>();

  /** @param spanMs milliseconds */
  constructor(private readonly spanMs: number) {}

  /** Whether this event may pass: none with the same key has passed within the span. */
  allows(key: string, at: number = performance.now()): boolean {
    const passedAt = this.passedAt.get(key);
    if (passedAt !== undefined && at - passedAt < this.spanMs) return false;
    this.forgetOld(at);
    // Deleted first, so that the map stays in time order.
    this.passedAt.delete(key);
    this.passedAt.set(key, at);
    return true;
  }

  private forgetOld(at: number): void {
    for (const [key, passedAt] of this.passedAt) {
      if (at - passedAt < this.spanMs) return;
      this.passedAt.delete(key);
    }
  }
}
