/** Work of this kind that runs at once in a process; each takes one connection at most. */
const SLOTS = 2;

/**
 * Runs work that has met a lock which somebody else holds, and may meet it again. However many rows are locked and however
 * many callers want them, such work never takes more than a few connections, one after the other; everything else goes on.
 */
class ContendedWork {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** Runs `work` when it is its turn; the first to come is the first to go. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= SLOTS) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}

/** The one of this process. */
export const contended = new ContendedWork();
