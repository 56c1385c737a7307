interface Waiting {
  readonly start: () => void;
  readonly giveUp: NodeJS.Timeout;
}

interface Line {
  running: number;
  readonly waiting: Waiting[];
}

/** Lets a few per address do their work at once; the others wait their turn, in order and not for ever. */
export class AddressSlots {
  private readonly lines = new Map<string, Line>();

  /**
   * @param slots how many of one address may work at once
   * @param patienceMs how long one waits for its turn
   * @param impatience what it then rejects with
   */
  constructor(
    private readonly slots: number,
    private readonly patienceMs: number,
    private readonly impatience: () => Error,
  ) {}

  async run<T>(address: string, work: () => Promise<T>): Promise<T> {
    const line = this.lines.get(address) ?? { running: 0, waiting: [] };
    this.lines.set(address, line);
    if (line.running < this.slots) line.running += 1;
    else await this.turn(line);
    try {
      return await work();
    } finally {
      this.release(address, line);
    }
  }

  /** Resolves with a slot that somebody else has handed on. */
  private turn(line: Line): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        line.waiting.splice(line.waiting.indexOf(own), 1);
        reject(this.impatience());
      }, this.patienceMs);
      const own = { start: resolve, giveUp };
      line.waiting.push(own);
    });
  }

  private release(address: string, line: Line): void {
    const next = line.waiting.shift();
    if (next !== undefined) {
      clearTimeout(next.giveUp);
      next.start();
      return;
    }
    line.running -= 1;
    if (line.running === 0) this.lines.delete(address);
  }
}
