const TICK_MS = 5;
/** With fewer buckets than this, searching for the next one is cheaper than waking at every tick. */
const SPARSE = 64;

/** Runs tasks at their due time in buckets of 5 ms; a timer for each of 30,000 reports/s would cost too much. */
export class TimingWheel {
  private readonly buckets = new Map<number, (() => void)[]>();
  private timer: NodeJS.Timeout | undefined;
  private wakesAt = Number.POSITIVE_INFINITY;
  private cursor = 0;
  private stopped = false;

  /** Runs `task` at `due` (milliseconds since the epoch), or at the next tick if that is in the past. */
  at(due: number, task: () => void): void {
    if (this.stopped) return;
    const bucket = Math.max(Math.ceil(due / TICK_MS), Math.floor(Date.now() / TICK_MS) + 1);
    const tasks = this.buckets.get(bucket);
    if (tasks) {
      tasks.push(task);
      return;
    }
    this.buckets.set(bucket, [task]);
    this.cursor = this.buckets.size === 1 ? bucket : Math.min(this.cursor, bucket);
    this.wakeAt(bucket * TICK_MS);
  }

  after(delay: number, task: () => void): void {
    this.at(Date.now() + delay, task);
  }

  clear(): void {
    this.buckets.clear();
    clearTimeout(this.timer);
    this.wakesAt = Number.POSITIVE_INFINITY;
  }

  stop(): void {
    this.stopped = true;
    this.clear();
  }

  private wakeAt(time: number): void {
    if (time >= this.wakesAt) return;
    clearTimeout(this.timer);
    this.wakesAt = time;
    // Node's timers cannot exceed 2^31 ms; waking early is harmless.
    this.timer = setTimeout(() => this.turn(), Math.min(Math.max(time - Date.now(), 0), 60_000));
  }

  private turn(): void {
    this.wakesAt = Number.POSITIVE_INFINITY;
    const current = Math.floor(Date.now() / TICK_MS);
    for (; this.cursor <= current && this.buckets.size > 0; this.cursor += 1) {
      const tasks = this.buckets.get(this.cursor);
      if (!tasks) continue;
      this.buckets.delete(this.cursor);
      for (const task of tasks) task();
    }
    if (this.buckets.size === 0 || this.stopped) return;
    if (this.buckets.size < SPARSE) this.cursor = Math.min(...this.buckets.keys());
    this.wakeAt(Math.max(this.cursor, current + 1) * TICK_MS);
  }
}
