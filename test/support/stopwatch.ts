const TICK_MS = 10;
/** What a late tick counts at most, milliseconds. */
const MAX_TICK_MS = 20;

/**
 * Measures time as a quiet machine would have spent it: while this process does not get the processor, it hardly
 * advances. For upper bounds of what Parley waits for, in a test that runs Parley itself. It must not time computations,
 * which keep the process from ticking as well.
 */
export class Stopwatch {
  private elapsed = 0;
  private tickedAt = performance.now();
  private readonly timer = setInterval(() => {
    this.elapsed = this.ms;
    this.tickedAt = performance.now();
  }, TICK_MS).unref();

  static start(): Stopwatch {
    return new Stopwatch();
  }

  private constructor() {}

  /** Milliseconds since the start. */
  get ms(): number {
    return this.elapsed + Math.min(performance.now() - this.tickedAt, MAX_TICK_MS);
  }

  /** Returns the milliseconds since the start and ends the measurement. */
  stop(): number {
    clearInterval(this.timer);
    return this.ms;
  }
}
