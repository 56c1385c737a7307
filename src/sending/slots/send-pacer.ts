/** How much of a delay a burst may make up, milliseconds: timers fire a little late. */
const SLACK_MS = 20;
/** A late phone shortens its intervals by this factor to catch up. */
const CATCH_UP_FACTOR = 0.98;

/** The send times of some messages, evenly spaced. */
export interface Slots {
  /** The first slot, as `performance.now()` milliseconds. */
  readonly startsAt: number;
  /** Milliseconds between two slots; 0: all at the same time. */
  readonly intervalMs: number;
}

interface Turn {
  readonly at: number;
  readonly intervalMs: number;
  readonly begin: (place: number) => void;
  readonly place: number;
}

/**
 * Spreads one process's messages from a phone over their slots. Late messages keep their spacing instead of going out
 * in a burst, so a process that stalled does not exceed the phone's throughput afterwards.
 */
export class SendPacer {
  private readonly queue: Turn[] = [];
  /** The earliest time for the next message, as `performance.now()` milliseconds. */
  private nextAt = 0;
  private timer: NodeJS.Timeout | null = null;

  /** Whether nothing is waiting and the next message may go immediately. */
  get isIdle(): boolean {
    return this.queue.length === 0 && this.nextAt <= performance.now();
  }

  /** Milliseconds the phone is behind its slots. */
  get delayMs(): number {
    const [next] = this.queue;
    return next === undefined ? 0 : Math.max(0, performance.now() - next.at);
  }

  /**
   * Calls `begin` with each message's place when it is due, in slot order.
   *
   * @param slots at least as many as `messages`; the rest stay free for others
   */
  begin(messages: number, { startsAt, intervalMs }: Slots, begin: (place: number) => void): void {
    for (let place = 0; place < messages; place += 1) {
      if (intervalMs === 0) begin(place);
      else this.add({ at: startsAt + place * intervalMs, intervalMs, begin, place });
    }
    this.schedule();
  }

  /** Nearly always appends; only bookings whose answers arrive out of order go in front of others. */
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
      // Timers have millisecond resolution.
      if (Math.max(next.at, this.nextAt) > now + 1) break;
      this.queue.shift();
      this.nextAt = Math.max(this.nextAt, next.at, now - SLACK_MS) + next.intervalMs * CATCH_UP_FACTOR;
      next.begin(next.place);
    }
    this.schedule();
  }
}
