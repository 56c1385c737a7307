import { setImmediate as nextTurn } from 'node:timers/promises';
import { contended } from '../connections/contended.js';
import { DatabaseUnavailable } from '../connections/database-unavailable.js';
import { isContention, isTransient } from '../connections/passing-error.js';

/** Bounds of a {@link MicroBatch}, and whose its items are. */
export interface MicroBatchOptions<Item> {
  /** What its metrics call it. */
  readonly name: string;
  /** Items in one flush at most; by weight where items have one. A single heavier item goes alone. */
  readonly maxItems: number;
  /** What an item counts for; 1 when absent. */
  readonly weigh?: (item: Item) => number;
  /** Flushes under way at once. */
  readonly concurrency: number;
  /** Whose item it is, such as the id of an account. */
  readonly tenantOf: (item: Item) => string;
  /** How long items gather before their flush begins, milliseconds; none when absent. A full flush begins at once. */
  readonly gatherMs?: number;
  /** Whether items are kept however many wait and however long: they are facts that exist nowhere else. */
  readonly keepsAll?: boolean;
}

/** Items of one tenant that may wait. */
const MAX_WAITING_PER_TENANT = 1000;
/** Items of all tenants that may wait. */
const MAX_WAITING = 10_000;
/** How long an item may wait for a flush to begin, milliseconds. */
const MAX_WAIT_MS = 3000;
/** How often items that have waited too long are looked for, milliseconds. */
const EXPIRY_MS = 250;

/** Callers that are told their results in one turn of the event loop. */
const RESULTS_PER_TURN = 2;

/** How many items of each kind wait in this process, and for how long. */
export interface BatchReading {
  readonly name: string;
  readonly depth: number;
  readonly ageMs: number;
  /** Tenants that go by themselves, because a lock or an item of theirs makes flushes fail. */
  readonly apart: number;
}

const batches = new Set<MicroBatch<never, never>>();

/** The present readings of all batches of this process. */
export const batchReadings = (): BatchReading[] =>
  [...batches].map(({ name, depth, ageMs, tenantsApart }) => ({ name, depth, ageMs, apart: tenantsApart }));

/** An item was refused, and nothing of it was stored. */
export class NotStarted extends DatabaseUnavailable {}

interface Waiting<Item, Result> {
  readonly item: Item;
  /** `performance.now()` when it came. */
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** A tenant whose items are not mixed with those of others. */
interface IsolatedTenant {
  /** Items of its next flush: halved by each failure and doubled by each success. */
  size: number;
  isFlushing: boolean;
}

/**
 * Gathers what concurrent callers want done and does it in sets: while one flush is under way the next one fills, so a
 * lone caller never waits and a crowd shares round trips and commits.
 *
 * Tenants take turns, so none waits behind the crowd of another. When a flush fails because of a lock or an item, each of its
 * tenants goes on by itself until nothing of it fails any more; that work runs in the few slots of {@link contended}, so
 * that it costs nobody else a connection. When the database is away, all items of a flush are rejected.
 */
export class MicroBatch<Item, Result> {
  /** The tenant that was served longest ago comes first. */
  private readonly queues = new Map<string, Waiting<Item, Result>[]>();
  private readonly apart = new Map<string, IsolatedTenant>();
  private size = 0;
  /** Flushes of tenants that are not apart. */
  private shared = 0;
  /** All work that has yet to end. */
  private running = 0;
  private isScheduled = false;
  private gathering: NodeJS.Timeout | null = null;
  private expiry: NodeJS.Timeout | null = null;
  private idle: (() => void)[] = [];

  /**
   * @param flush does the work for all items and answers one result per item, in order. It may be called again with the
   * same items after it has thrown, so what it writes must be repeatable
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

  /** Items that wait for their flush. */
  get depth(): number {
    return this.size;
  }

  get tenantsApart(): number {
    return this.apart.size;
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
   * @throws NotStarted when too many wait or the item has waited too long; what `flush` threw
   */
  run(item: Item): Promise<Result> {
    const tenant = this.options.tenantOf(item);
    const isCrowded = this.size >= MAX_WAITING || (this.queues.get(tenant)?.length ?? 0) >= MAX_WAITING_PER_TENANT;
    if (isCrowded && this.options.keepsAll !== true) {
      return Promise.reject(new NotStarted('too many requests are waiting for the database'));
    }
    return new Promise((resolve, reject) => {
      this.putBack(tenant, [{ item, since: performance.now(), resolve, reject }]);
      this.schedule();
    });
  }

  /** Resolves when nothing is waiting or under way. */
  async drained(): Promise<void> {
    if (this.size === 0 && this.running === 0) return;
    await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  /** Starts a flush after the current turn of the event loop, so that callers of one turn go together. */
  private schedule(): void {
    this.expiry ??= this.options.keepsAll === true ? null : setInterval(() => this.refuseOld(), EXPIRY_MS).unref();
    if (this.isScheduled || this.size === 0) return;
    if (this.gathers()) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      for (const tenant of this.apart.keys()) this.startApart(tenant);
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

  /** Whether the flush is to begin later, when more has come. */
  private gathers(): boolean {
    const { gatherMs = 0, maxItems } = this.options;
    if (gatherMs === 0 || this.size >= maxItems) return false;
    if (this.gathering !== null) return true;
    const leftMs = gatherMs - this.ageMs;
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

  /** One item of each tenant in turn until the batch is full; those of tenants that are apart stay. */
  private takeShared(): Waiting<Item, Result>[] {
    const batch: Waiting<Item, Result>[] = [];
    const turns = [...this.queues.keys()].filter((tenant) => !this.apart.has(tenant));
    let weight = 0;
    for (let tenant = turns.shift(); tenant !== undefined; tenant = turns.shift()) {
      const [next] = this.queues.get(tenant) ?? [];
      if (next === undefined) continue;
      weight += this.options.weigh?.(next.item) ?? 1;
      if (batch.length > 0 && weight > this.options.maxItems) break;
      batch.push(...this.take(tenant, 1));
      if (this.queues.has(tenant)) turns.push(tenant);
    }
    return batch;
  }

  /** The first items of a tenant, which goes to the end of the line. */
  private take(tenant: string, most: number): Waiting<Item, Result>[] {
    const queue = this.queues.get(tenant) ?? [];
    const taken = queue.splice(0, most);
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
      this.apart.set(tenant, { size: this.options.maxItems, isFlushing: false });
    }
  }

  private startApart(tenant: string): void {
    const apart = this.apart.get(tenant);
    if (apart === undefined || apart.isFlushing) return;
    apart.isFlushing = true;
    this.track(
      contended
        .run(() => this.settleApart(tenant, apart))
        .finally(() => {
          apart.isFlushing = false;
        }),
    );
  }

  private async settleApart(tenant: string, apart: IsolatedTenant): Promise<void> {
    const batch = this.take(tenant, apart.size);
    const error = batch.length === 0 ? null : await this.settle(batch);
    if (error === null) {
      apart.size *= 2;
      // Nothing of it fails any more.
      if (!this.queues.has(tenant)) this.apart.delete(tenant);
      return;
    }
    apart.size = Math.max(1, batch.length >> 1);
    const [only] = batch;
    if (batch.length > 1) this.putBack(tenant, batch);
    else if (only !== undefined && isContention(error)) this.putBack(tenant, batch);
    else only?.reject(error);
  }

  /**
   * Flushes items and tells their callers.
   *
   * @returns null when they are done with; else the error, and the items are to be tried in another way
   */
  private async settle(batch: readonly Waiting<Item, Result>[]): Promise<unknown> {
    try {
      const results = await this.flush(batch.map(({ item }) => item));
      void this.tell(batch, results);
      return null;
    } catch (error) {
      if (!isTransient(error) || isContention(error)) return error ?? new Error('a flush failed without a reason');
      for (const { reject } of batch) reject(error);
      return null;
    }
  }

  /** Tells callers their results, a few in each turn of the event loop: what they do then is as much work as the flush was. */
  private async tell(batch: readonly Waiting<Item, Result>[], results: readonly Result[]): Promise<void> {
    for (const [index, { resolve }] of batch.entries()) {
      if (index > 0 && index % RESULTS_PER_TURN === 0) await nextTurn();
      resolve(results[index] as Result);
    }
  }

  private refuseOld(): void {
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

const TOO_LONG = `the database did not get to the request within ${MAX_WAIT_MS / 1000} s`;
