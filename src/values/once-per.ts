/** Lets the first of many equal things through in each span of time, such as log lines about one account. */
export class OncePer {
  private readonly passedAt = new Map<string, number>();

  /** @param spanMs milliseconds */
  constructor(private readonly spanMs: number) {}

  /** Whether nothing of this key was let through within the span; then this one is. */
  allows(key: string, at: number = performance.now()): boolean {
    const passedAt = this.passedAt.get(key);
    if (passedAt !== undefined && at - passedAt < this.spanMs) return false;
    this.forgetOld(at);
    // Set anew, so that the map stays in the order of time.
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
