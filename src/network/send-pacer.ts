/** How much of a delay may be made up for at once, milliseconds: timers fire a little late. */
const SLACK_MS = 20;
/** What a phone that is late may be faster than its slots. */
const CATCHING_UP = 0.98;

/** When some messages may go. */
export interface Slots {
  /** The first one, milliseconds on the process's clock. */
  readonly startsAt: number;
  /** Distance of two, milliseconds; 0: all at once. */
  readonly intervalMs: number;
}

interface Turn {
  readonly at: number;
  readonly intervalMs: number;
  readonly begin: () => void;
}

/**
 * Spreads the messages that a process sends from one phone over their slots. What is late is not made up for in a burst: messages keep their distance,
 * so that a process that was held up does not exceed the phone's throughput afterwards.
 */
export class SendPacer {
  private readonly queue: Turn[] = [];
  /** When the next message may go at the earliest, milliseconds on the process's clock. */
  private nextAt = 0;
  private timer: NodeJS.Timeout | null = null;

  /** Whether nothing waits, and the next message may go at once. */
  get isIdle(): boolean {
    return this.queue.length === 0 && this.nextAt <= performance.now();
  }

  /** How far the phone is behind its slots, milliseconds. */
  get delayMs(): number {
    const [next] = this.queue;
    return next === undefined ? 0 : Math.max(0, performance.now() - next.at);
  }

  /**
   * The turns of some messages, in the order of their slots: each resolves when its message is to be sent.
   *
   * @param slots at least as many; what is left of them is for others
   */
  turns(messages: number, { startsAt, intervalMs }: Slots): Promise<void>[] {
    const turns = Array.from({ length: messages }, (_, place) =>
      intervalMs === 0
        ? Promise.resolve()
        : new Promise<void>((begin) => {
            this.add({ at: startsAt + place * intervalMs, intervalMs, begin });
          }),
    );
    this.schedule();
    return turns;
  }

  /** Nearly always last: only bookings that are answered in another order than they were made lie before others. */
  private add(turn: Turn): void {
    let place = this.queue.length;
    while (place > 0 && (this.queue[place - 1]?.at ?? 0) > turn.at) place -= 1;
    this.queue.splice(place, 0, turn);
    if (place === 0) this.cancelTimer();
  }

  private cancelTimer(): void {
    clearTimeout(this.timer ?? undefined);
    this.timer = null;
  }

  private schedule(): void {
    const [next] = this.queue;
    if (this.timer !== null || next === undefined) return;
    const waitMs = Math.max(next.at, this.nextAt) - performance.now();
    this.timer = setTimeout(() => this.beginDue(), Math.max(0, waitMs));
  }

  private beginDue(): void {
    this.timer = null;
    const now = performance.now();
    for (let [next] = this.queue; next !== undefined; [next] = this.queue) {
      // Timers count whole milliseconds.
      if (Math.max(next.at, this.nextAt) > now + 1) break;
      this.queue.shift();
      this.nextAt = Math.max(this.nextAt, next.at, now - SLACK_MS) + next.intervalMs * CATCHING_UP;
      next.begin();
    }
    this.schedule();
  }
}
