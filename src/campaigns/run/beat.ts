/**
 * A shared tick: all sleepers that are due by a beat wake in the same turn of the event loop, so that the database
 * statements they issue next are batched together.
 */
export class Beat {
  private readonly sleepers = new Map<number, (() => void)[]>();

  /** @param spanMs milliseconds between two beats */
  constructor(private readonly spanMs: number) {}

  /** Resolves at the first beat that is at least `waitMs` away. */
  after(waitMs: number): Promise<void> {
    const now = performance.now();
    const beat = Math.ceil((now + waitMs) / this.spanMs);
    return new Promise((resolve) => {
      const others = this.sleepers.get(beat);
      if (others !== undefined) {
        others.push(resolve);
        return;
      }
      this.sleepers.set(beat, [resolve]);
      setTimeout(() => this.wake(beat), beat * this.spanMs - now);
    });
  }

  private wake(beat: number): void {
    const sleepers = this.sleepers.get(beat) ?? [];
    this.sleepers.delete(beat);
    for (const resolve of sleepers) resolve();
  }
}
