interface Waiting {
  readonly start: () => void;
  readonly giveUp: NodeJS.Timeout;
}

interface Line {
  running: number;
  readonly waiting: Waiting[];
}

/** Limits concurrent work per address. The rest waits in order, for a limited time. */
export class AddressSlots {
  private readonly lines = new Map<string, Line>();

  /**
   * @param slots concurrent runs per address
   * @param maxWaitMs milliseconds to wait for a slot
   * @param timeoutError the rejection after that wait
   */
  constructor(
    private readonly slots: number,
    private readonly maxWaitMs: number,
    private readonly timeoutError: () => Error,
  ) {}

  async run<T>(address: string, work: () => Promise<T>): Promise<T> {
    const line = this.lines.get(address) ?? { running: 0, waiting: [] };
    this.lines.set(address, line);
    if (line.running < this.slots) line.running += 1;
    else await this.waitForSlot(line);
    try {
      return await work();
    } finally {
      this.release(address, line);
    }
  }

  /** Waits until a finished run hands its slot over. */
  private waitForSlot(line: Line): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        line.waiting.splice(line.waiting.indexOf(own), 1);
        reject(this.timeoutError());
      }, this.maxWaitMs);
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
