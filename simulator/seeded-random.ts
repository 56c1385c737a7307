/** A reproducible source of chance (mulberry32), so that a run with the same `seed` meets the same faults. */
export class SeededRandom {
  constructor(private state: number) {}

  reseed(seed: number): void {
    this.state = seed | 0;
  }

  /** Whether an event of probability `rate` (0 to 1) happens now. Draws nothing when it is certain either way. */
  chance(rate: number): boolean {
    if (rate <= 0) return false;
    if (rate >= 1) return true;
    return this.next() < rate;
  }

  /** A number from 0 to just below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}
