/** Maximum concurrent contended operations per process; each uses one connection. */
const SLOTS = 2;

/**
 * Runs work that was blocked by a lock and may be again. However many rows are locked and however many callers need
 * them, this work only uses a few connections, so that everything else goes on.
 */
class ContendedWork {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** Runs `work` when a slot is free, first come, first served. */
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

/** Shared by the whole process. */
export const contended = new ContendedWork();
