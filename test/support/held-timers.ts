/**
 * Holds the timers that the service under test sets for exactly one period, until the test lets them run out. So a
 * limit of 30 s neither costs 30 s nor ends a scene that a busy machine takes longer to set up.
 */
export class HeldTimers {
  private readonly timers = new Map<NodeJS.Timeout, () => void>();
  private readonly restore: () => void;

  /** @param periodMs milliseconds; all other timers stay as they are */
  static of(periodMs: number): HeldTimers {
    return new HeldTimers(periodMs);
  }

  private constructor(periodMs: number) {
    const { setTimeout: set, clearTimeout: clear } = globalThis;
    const hold = (work: () => void, ms?: number, ...rest: unknown[]): NodeJS.Timeout => {
      if (ms !== periodMs) return set(work, ms, ...(rest as []));
      // Never fires, and can be cleared and unreferenced like any other.
      const timer = set(() => undefined, 2 ** 31 - 1);
      this.timers.set(timer, () => work.apply(timer, rest as []));
      return timer;
    };
    const drop = (timer?: NodeJS.Timeout | string | number): void => {
      if (typeof timer === 'object') this.timers.delete(timer);
      clear(timer);
    };
    globalThis.setTimeout = Object.assign(hold, set) as typeof setTimeout;
    globalThis.clearTimeout = drop as typeof clearTimeout;
    this.restore = () => {
      globalThis.setTimeout = set;
      globalThis.clearTimeout = clear;
    };
  }

  /** How many timers are held. */
  get running(): number {
    return this.timers.size;
  }

  /** Ends the period of every timer that is held. */
  runOut(): void {
    for (const [timer, work] of [...this.timers]) {
      this.timers.delete(timer);
      clearTimeout(timer);
      work();
    }
  }

  /** Lets later timers run by themselves again. Those that are held are dropped. */
  letGo(): void {
    this.restore();
    for (const timer of this.timers.keys()) clearTimeout(timer);
    this.timers.clear();
  }
}
