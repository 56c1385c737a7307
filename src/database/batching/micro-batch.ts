import { setImmediate as nextTurn } from 'node:timers/promises';
import { contended } from '../connections/contended.js';
import { DatabaseUnavailable } from '../connections/database-unavailable.js';
import { isContention, isTransient } from '../connections/transient-errors.js';

/** Options of a {@link MicroBatch}. */
export interface MicroBatchOptions<Item> {
  /** Name in metrics. */
  readonly name: string;
  /** Maximum number, or total weight, of items per flush. A single heavier item is flushed alone. */
  readonly maxItems: number;
  /** The weight of an item; 1 by default. */
  readonly weigh?: (item: Item) => number;
  /** Maximum number of concurrent flushes. */
  readonly concurrency: number;
  /** The tenant of an item, such as its account id. */
  readonly tenantOf: (item: Item) => string;
  /** How long to collect items before a flush, milliseconds; 0 by default. A full batch is flushed immediately. */
  readonly gatherMs?: number;
  /**
   * While a flush runs, how long items wait for it to end before another starts beside it, milliseconds; 0 by default.
   * Items that share a flush cost less, so a second one is only for when the first is held up.
   */
  readonly besideAfterMs?: number;
  /** Whether items are never rejected, however many wait and for how long: they are facts that exist nowhere else. */
  readonly keepsAll?: boolean;
}

/** Maximum number of waiting items per tenant. */
const MAX_WAITING_PER_TENANT = 1000;
/** Maximum number of waiting items of all tenants. */
const MAX_WAITING = 10_000;
/** How long an item may wait for its flush to start, milliseconds. */
const MAX_WAIT_MS = 3000;
/** How often expired items are rejected, milliseconds. */
const EXPIRY_MS = 250;

/** Results delivered to callers in one turn of the event loop. */
const RESULTS_PER_TURN = 2;

/** The state of one batch, for metrics. */
export interface BatchReading {
  readonly name: string;
  readonly depth: number;
  readonly ageMs: number;
  /** Number of tenants that are flushed separately, because a lock or one of their items made a flush fail. */
  readonly isolated: number;
}

const batches = new Set<MicroBatch<never, never>>();

/** The current state of all batches in this process. */
export const batchReadings = (): BatchReading[] =>
  [...batches].map(({ name, depth, ageMs, isolatedTenants }) => ({ name, depth, ageMs, isolated: isolatedTenants }));

/** An item was rejected before its flush started, so nothing of it was stored. */
export class NotStarted extends DatabaseUnavailable {}

interface Waiting<Item, Result> {
  readonly item: Item;
  /** When it was added, by `performance.now()`. */
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** A tenant whose items are flushed separately from those of others. */
interface IsolatedTenant {
  /** Maximum items in its next flush: halved by each failure, doubled by each success. */
  size: number;
  isFlushing: boolean;
}

/**
 * Batches the work of concurrent callers: while one flush runs, the next one fills, so that under load
 * callers share round trips and commits. Without `gatherMs`, a lone caller does not wait.
 *
 * Tenants are served round-robin, so none waits behind another's backlog. When a flush fails because of a lock or a bad
 * item, each of its tenants is isolated, that is flushed separately, until its items succeed again. Isolated flushes
 * run in the few slots of {@link contended}, so that they take no connections from others. When the database is down,
 * all items of a flush are rejected.
 */
export class MicroBatch<Item, Result> {
  /** Least recently served tenant first. */
  private readonly queues = new Map<string, Waiting<Item, Result>[]>();
  private readonly isolated = new Map<string, IsolatedTenant>();
  private size = 0;
  /** Running flushes of tenants that are not isolated. */
  private shared = 0;
  /** All running flushes. */
  private running = 0;
  private isScheduled = false;
  private gathering: NodeJS.Timeout | null = null;
  private expiry: NodeJS.Timeout | null = null;
  private idle: (() => void)[] = [];

  /**
   * @param flush does the work for all items and returns one result per item, in order. After an error it may be called
   * again with the same items, so its writes must be repeatable
   */
  constructor(
    private readonly flush: (items: Item[]) => Promise<Result[]>,
    private readonly options: MicroBatchOptions<Item>,
  ) {
    batches.add(this as unknown as MicroBatch<never, never>);
  }

  get name(): string {
    return this.options.name;
  }

  /** The number of waiting items. */
  get depth(): number {
    return this.size;
  }

  get isolatedTenants(): number {
    return this.isolated.size;
  }

  /** How long the oldest item has been waiting, milliseconds. */
  get ageMs(): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const queue of this.queues.values()) for (const { since } of queue) oldest = Math.min(oldest, since);
    return Number.isFinite(oldest) ? Math.max(0, performance.now() - oldest) : 0;
  }

  /**
   * Adds one item and waits for its result.
   *
   * @throws NotStarted when too many items are waiting or this one waited too long; otherwise the error of `flush`
   */
  run(item: Item): Promise<Result> {
    const tenant = this.options.tenantOf(item);
    const isCrowded = this.size >= MAX_WAITING || (this.queues.get(tenant)?.length ?? 0) >= MAX_WAITING_PER_TENANT;
    if (isCrowded && this.options.keepsAll !== true) {
      return Promise.reject(new NotStarted(`too many requests are waiting for the database (${this.name})`));
    }
    return new Promise((resolve, reject) => {
      this.putBack(tenant, [{ item, since: performance.now(), resolve, reject }]);
      this.schedule();
    });
  }

  /** Resolves when nothing is waiting or running. */
  async drained(): Promise<void> {
    if (this.size === 0 && this.running === 0) return;
    await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  /** Starts a flush after the current turn of the event loop, so that callers in the same turn share it. */
  private schedule(): void {
    this.expiry ??= this.options.keepsAll === true ? null : setInterval(() => this.rejectExpired(), EXPIRY_MS).unref();
    if (this.isScheduled || this.size === 0) return;
    if (this.waitsForMore()) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      for (const tenant of this.isolated.keys()) this.startIsolated(tenant);
      if (this.shared >= this.options.concurrency) return;
      const batch = this.takeShared();
      if (batch.length === 0) return;
      this.shared += 1;
      this.track(
        this.settleShared(batch).finally(() => {
          this.shared -= 1;
        }),
      );
      this.schedule();
    });
  }

  /** Whether to delay the flush until more items have arrived, or the running one has ended. */
  private waitsForMore(): boolean {
    const { gatherMs = 0, besideAfterMs = 0, maxItems } = this.options;
    const waitMs = this.shared > 0 ? Math.max(gatherMs, besideAfterMs) : gatherMs;
    if (waitMs === 0 || this.size >= maxItems) return false;
    if (this.gathering !== null) return this.shared > 0 || gatherMs > 0;
    const leftMs = waitMs - this.ageMs;
    if (leftMs <= 0) return false;
    this.gathering = setTimeout(() => {
      this.gathering = null;
      this.schedule();
    }, leftMs);
    return true;
  }

  private track(work: Promise<void>): void {
    this.running += 1;
    void work.finally(() => {
      this.running -= 1;
      this.schedule();
      if (this.size > 0 || this.running > 0) return;
      if (this.expiry !== null) clearInterval(this.expiry);
      this.expiry = null;
      for (const resolve of this.idle.splice(0)) resolve();
    });
  }

  /** Takes items from tenants round-robin until the batch is full, skipping isolated tenants. */
  private takeShared(): Waiting<Item, Result>[] {
    const batch: Waiting<Item, Result>[] = [];
    const turns = [...this.queues.keys()];
    let weight = 0;
    for (let tenant = turns.shift(); tenant !== undefined; tenant = turns.shift()) {
      const next = this.queues.get(tenant)?.[0];
      if (next === undefined || this.isolated.has(tenant)) continue;
      weight += this.options.weigh === undefined ? 1 : this.options.weigh(next.item);
      if (batch.length > 0 && weight > this.options.maxItems) break;
      batch.push(...this.take(tenant, 1));
      if (this.queues.has(tenant)) turns.push(tenant);
    }
    return batch;
  }

  /** Takes a tenant's first items, as many as one flush may hold, and moves the tenant to the end of the line. */
  private take(tenant: string, max: number): Waiting<Item, Result>[] {
    const queue = this.queues.get(tenant) ?? [];
    let count = 0;
    let weight = 0;
    for (const next of queue.slice(0, max)) {
      weight += this.options.weigh === undefined ? 1 : this.options.weigh(next.item);
      if (count > 0 && weight > this.options.maxItems) break;
      count += 1;
    }
    const taken = queue.splice(0, count);
    this.size -= taken.length;
    this.queues.delete(tenant);
    if (queue.length > 0) this.queues.set(tenant, queue);
    return taken;
  }

  private putBack(tenant: string, items: readonly Waiting<Item, Result>[]): void {
    const queue = this.queues.get(tenant);
    if (queue === undefined) this.queues.set(tenant, [...items]);
    else queue.push(...items);
    this.size += items.length;
  }

  private async settleShared(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const error = await this.settle(batch);
    if (error === null) return;
    for (const waiting of batch) {
      const tenant = this.options.tenantOf(waiting.item);
      this.putBack(tenant, [waiting]);
      this.isolated.set(tenant, { size: this.options.maxItems, isFlushing: false });
    }
  }

  private startIsolated(tenant: string): void {
    const isolated = this.isolated.get(tenant);
    if (isolated === undefined || isolated.isFlushing) return;
    isolated.isFlushing = true;
    this.track(
      contended
        .run(() => this.settleIsolated(tenant, isolated))
        .finally(() => {
          isolated.isFlushing = false;
        }),
    );
  }

  private async settleIsolated(tenant: string, isolated: IsolatedTenant): Promise<void> {
    const batch = this.take(tenant, isolated.size);
    const error = batch.length === 0 ? null : await this.settle(batch);
    if (error === null) {
      isolated.size = Math.min(2 * isolated.size, this.options.maxItems);
      // All its items have succeeded.
      if (!this.queues.has(tenant)) this.isolated.delete(tenant);
      return;
    }
    isolated.size = Math.max(1, batch.length >> 1);
    const [only] = batch;
    if (batch.length > 1) this.putBack(tenant, batch);
    else if (only !== undefined && isContention(error)) this.putBack(tenant, batch);
    else only?.reject(error);
  }

  /**
   * Flushes items and settles their promises.
   *
   * @returns null when the items are settled; otherwise the error, and the caller must retry them in another way
   */
  private async settle(batch: readonly Waiting<Item, Result>[]): Promise<unknown> {
    try {
      const items: Item[] = [];
      for (const { item } of batch) items.push(item);
      const results = await this.flush(items);
      void this.deliver(batch, results);
      return null;
    } catch (error) {
      if (!isTransient(error) || isContention(error)) return error ?? new Error('a flush failed without an error');
      for (const { reject } of batch) reject(error);
      return null;
    }
  }

  /**
   * Delivers results a few per turn of the event loop, because the callers' next steps take as long as the flush
   * itself.
   */
  private async deliver(batch: readonly Waiting<Item, Result>[], results: readonly Result[]): Promise<void> {
    for (const [index, { resolve }] of batch.entries()) {
      if (index > 0 && index % RESULTS_PER_TURN === 0) await nextTurn();
      resolve(results[index] as Result);
    }
  }

  private rejectExpired(): void {
    const before = performance.now() - MAX_WAIT_MS;
    for (const [tenant, queue] of this.queues) {
      if (!queue.some(({ since }) => since < before)) continue;
      const fresh = queue.filter(({ since }) => since >= before);
      const old = queue.filter(({ since }) => since < before);
      this.size -= old.length;
      if (fresh.length > 0) this.queues.set(tenant, fresh);
      else this.queues.delete(tenant);
      for (const { reject } of old) reject(new NotStarted(TOO_LONG));
    }
  }
}

const TOO_LONG = `the request waited longer than ${MAX_WAIT_MS / 1000} s for the database`;
