interface Waiting {
  readonly start: () => void;
  readonly giveUp: NodeJS.Timeout;
}

/** Limits concurrent work. The rest waits, for a limited time, and those who wait take turns: who asks for much waits behind themselves. */
export class Turns {
  private running = 0;
  /** Whoever's turn comes next is first. Nobody's line is empty. */
  private readonly lines = new Map<string, Waiting[]>();

  /**
   * @param atOnce concurrent runs of all
   * @param maxWaitMs milliseconds to wait for a turn
   * @param timeoutError the rejection after that wait
   */
  constructor(
    private readonly atOnce: number,
    private readonly maxWaitMs: number,
    private readonly timeoutError: () => Error,
  ) {}

  /** @param whose whose turn it takes */
  async run<T>(whose: string, work: () => Promise<T>): Promise<T> {
    if (this.running < this.atOnce) this.running += 1;
    else await this.waitForTurn(whose);
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  /** Waits until a finished run hands its place over. */
  private waitForTurn(whose: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        this.leave(whose, own);
        reject(this.timeoutError());
      }, this.maxWaitMs);
      const own = { start: resolve, giveUp };
      const line = this.lines.get(whose);
      if (line === undefined) this.lines.set(whose, [own]);
      else line.push(own);
    });
  }

  private leave(whose: string, own: Waiting): void {
    const rest = this.lines.get(whose)?.filter((waiting) => waiting !== own) ?? [];
    // Whoever still waits keeps their place.
    if (rest.length > 0) this.lines.set(whose, rest);
    else this.lines.delete(whose);
  }

  private release(): void {
    for (const [whose, [next, ...rest]] of this.lines) {
      // Behind all others.
      this.lines.delete(whose);
      if (rest.length > 0) this.lines.set(whose, rest);
      if (next === undefined) continue;
      clearTimeout(next.giveUp);
      next.start();
      return;
    }
    this.running -= 1;
  }
}
