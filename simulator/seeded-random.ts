/** A seeded random generator (mulberry32), so runs with the same `seed` hit the same faults. */
export class SeededRandom {
  constructor(private state: number) {}

  reseed(seed: number): void {
    this.state = seed | 0;
  }

  /** True with probability `rate` (0 to 1). Rates of 0 and 1 draw no random number. */
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
