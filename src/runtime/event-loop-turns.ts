/**
 * Requests that begin in one turn of the event loop, and more only when more callers wait: then one of each does. Each works for
 * about half a millisecond before it first waits.
 */
const PER_TURN = 2;

/**
 * Lets requests begin a few at a time, those of one caller after those of another. A hundred requests of one caller that
 * arrive at once would otherwise begin in one turn of the event loop, for whose end everybody else's next step would wait.
 */
export class EventLoopTurns {
  /** The caller that was served longest ago comes first. */
  private readonly line = new Map<string, (() => void)[]>();
  private begun = 0;
  private isScheduled = false;

  /**
   * Begins a request now if few have begun in this turn, else when it is its caller's turn.
   *
   * @param whose tells callers apart
   */
  enter(whose: string, begin: () => void): void {
    this.schedule();
    if (this.line.size === 0 && this.begun < PER_TURN) {
      this.begun += 1;
      begin();
      return;
    }
    const waiting = this.line.get(whose);
    if (waiting === undefined) this.line.set(whose, [begin]);
    else waiting.push(begin);
  }

  /** As {@link enter}, to be awaited. */
  entered(whose: string): Promise<void> {
    return new Promise((resolve) => this.enter(whose, resolve));
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
      const [whose, waiting] = first;
      const begin = waiting.shift();
      this.line.delete(whose);
      if (waiting.length > 0) this.line.set(whose, waiting);
      this.begun += 1;
      begin?.();
    }
  }
}
