/** Bounds of a {@link MicroBatch}. */
export interface MicroBatchOptions<Item = unknown> {
  /** Items in one flush at most; by weight where items have one. A single heavier item goes alone. */
  readonly mostItems: number;
  /** What an item counts for; 1 when absent. */
  readonly weigh?: (item: Item) => number;
  /** Flushes under way at once. */
  readonly concurrency: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers what concurrent callers want done and does it in sets: while one flush is under way the next one fills, so a
 * lone caller never waits and a crowd shares round trips and commits.
 */
export class MicroBatch<Item, Result> {
  private queue: Waiting<Item, Result>[] = [];
  private running = 0;
  private scheduled = false;
  private idle: (() => void)[] = [];

  /**
   * @param flush does the work for all items and answers one result per item, in order; when it throws with several
   * items, each is tried alone, so that one bad item costs only itself
   */
  constructor(
    private readonly flush: (items: Item[]) => Promise<Result[]>,
    private readonly options: MicroBatchOptions<Item>,
  ) {}

  /** Adds one item and waits for its result. */
  run(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.queue.push({ item, resolve, reject });
      this.schedule();
    });
  }

  /** Resolves when nothing is waiting or under way. */
  async drained(): Promise<void> {
    if (this.queue.length === 0 && this.running === 0) return;
    await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  /** Starts a flush after the current turn of the event loop, so that callers of one turn go together. */
  private schedule(): void {
    if (this.scheduled || this.running >= this.options.concurrency || this.queue.length === 0) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      if (this.running >= this.options.concurrency || this.queue.length === 0) return;
      const batch = this.takeBatch();
      this.running += 1;
      void this.settle(batch).finally(() => {
        this.running -= 1;
        this.schedule();
        if (this.queue.length === 0 && this.running === 0) {
          for (const resolve of this.idle.splice(0)) resolve();
        }
      });
      this.schedule();
    });
  }

  private takeBatch(): Waiting<Item, Result>[] {
    const { mostItems, weigh } = this.options;
    if (weigh === undefined) return this.queue.splice(0, mostItems);
    let weight = 0;
    const end = this.queue.findIndex(({ item }, index) => {
      weight += weigh(item);
      return index > 0 && weight > mostItems;
    });
    return this.queue.splice(0, end < 0 ? this.queue.length : end);
  }

  private async settle(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.flush(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as Result);
      });
    } catch (error) {
      if (batch.length === 1) {
        batch[0]?.reject(error);
        return;
      }
      for (const waiting of batch) await this.settle([waiting]);
    }
  }
}
