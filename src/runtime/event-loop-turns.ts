/**
 * Requests that start in one turn of the event loop; when more callers wait, one request of each. A request uses about
 * half a millisecond of CPU before its first await.
 */
const PER_TURN = 2;

/**
 * Starts requests a few at a time, round-robin by caller. Otherwise a burst of a hundred requests from one caller would
 * all start in one turn of the event loop, and everyone else would wait for that turn to end.
 */
export class EventLoopTurns {
  /** Least recently served caller first. */
  private readonly line = new Map<string, (() => void)[]>();
  private begun = 0;
  private isScheduled = false;

  /**
   * Starts a request now if few have started in this turn, otherwise when its caller's turn comes.
   *
   * @param caller identifies the caller
   */
  enter(caller: string, begin: () => void): void {
    this.schedule();
    if (this.line.size === 0 && this.begun < PER_TURN) {
      this.begun += 1;
      begin();
      return;
    }
    const waiting = this.line.get(caller);
    if (waiting === undefined) this.line.set(caller, [begin]);
    else waiting.push(begin);
  }

  /** {@link enter} as a promise, which resolves when the request may start. */
  entered(caller: string): Promise<void> {
    return new Promise((resolve) => this.enter(caller, resolve));
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.begun = 0;
      if (this.line.size > 0) this.beginNext();
    });
  }

  private beginNext(): void {
    this.schedule();
    const places = Math.max(PER_TURN, this.line.size);
    while (this.begun < places) {
      const [first] = this.line;
      if (first === undefined) return;
      const [caller, waiting] = first;
      const begin = waiting.shift();
      this.line.delete(caller);
      if (waiting.length > 0) this.line.set(caller, waiting);
      this.begun += 1;
      begin?.();
    }
  }
}
