import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { syncClock } from '../values/clock.js';
import { UnitOfWork } from './unit-of-work.js';

/** How often the epoch is read while somebody uses the caches, milliseconds. */
const POLL_MS = 250;
/** How often it is read otherwise, for the clock. Milliseconds. */
const IDLE_POLL_MS = 2000;
/** How long after a use of the caches the next one is expected, milliseconds. */
const IN_USE_MS = 5000;
/** An epoch read longer ago than this is not trusted, and caches read through. Milliseconds. */
const TRUSTED_MS = 700;

/**
 * Detects changes to API keys, accounts, phones, organisations and templates by any process. Triggers advance an epoch
 * in a single row, and every process whose caches are in use reads it four times a second, so a cached key can be revoked
 * within a second. A process without requests reads it less often and trusts nothing that it remembers: its next use of a
 * cache reads through, and resumes the polling. The same query keeps the clocks of all processes in sync.
 */
@Injectable()
export class ConfigurationChanges implements OnApplicationBootstrap, OnApplicationShutdown {
  /** The epoch as last read, with the server it was read from; null when it cannot be read. */
  private version: string | null = null;
  /** How many changes of {@link version} this process has seen. */
  private generation = 0;
  private readAt = 0;
  /** Reads sent, and the latest of them that was answered. */
  private sent = 0;
  private answered = 0;
  private timer: NodeJS.Timeout | undefined;
  private usedAt = Number.NEGATIVE_INFINITY;
  /** Whether it polls at the slower pace. */
  private isIdle = false;
  /** The latest read that was sent. */
  private reading: Promise<void> = Promise.resolve();
  /** The read that is about to be sent. */
  private upcoming: Promise<void> | null = null;

  constructor(private readonly unitOfWork: UnitOfWork) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.refresh();
    this.planNext();
  }

  onApplicationShutdown(): void {
    this.isIdle = false;
    clearTimeout(this.timer);
  }

  private poll(): void {
    void this.refresh();
    this.planNext();
  }

  private planNext(): void {
    this.isIdle = performance.now() - this.usedAt > IN_USE_MS;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.poll(), this.isIdle ? IDLE_POLL_MS : POLL_MS).unref();
  }

  /** The generation of values loaded now, or null while it cannot be trusted. */
  current(): number | null {
    this.usedAt = performance.now();
    if (this.isIdle) this.poll();
    return this.version !== null && performance.now() - this.readAt < TRUSTED_MS ? this.generation : null;
  }

  /** Reads the epoch immediately, so that this process sees its own change without waiting for the next poll. */
  async refresh(): Promise<void> {
    // While the database is down, readAt ages and caches are not trusted.
    await this.confirm().catch(() => undefined);
  }

  /**
   * Resolves once a query sent after this call has read the epoch. Concurrent callers share one query.
   *
   * @throws when the database does not respond
   */
  confirm(): Promise<void> {
    this.upcoming ??= this.readNext();
    return this.upcoming;
  }

  private readNext(): Promise<void> {
    // Don't wait longer than this for a hanging read.
    return settled(this.reading, POLL_MS).then(() => {
      this.upcoming = null;
      this.reading = this.read();
      return this.reading;
    });
  }

  private async read(): Promise<void> {
    const askedAt = performance.now();
    this.sent += 1;
    const number = this.sent;
    const row = await this.unitOfWork.control.row<{ epoch: number; startedAt: Date; at: Date }>(
      'SELECT epoch, pg_postmaster_start_time() AS started_at, clock_timestamp() AS at FROM configuration_epoch',
    );
    if (row !== null) syncClock(row.at, askedAt);
    // Responses may arrive out of order. Epochs don't tell which is later: a server that took over without the last
    // commits has a lower one, and reaches the same number again with other changes.
    if (number < this.answered) return;
    this.answered = number;
    const version = row === null ? null : `${row.epoch} of ${row.startedAt.getTime()}`;
    if (version !== this.version) this.generation += 1;
    this.version = version;
    this.readAt = askedAt;
  }
}

/** Resolves when `work` has settled, or after `timeoutMs`. */
function settled(work: Promise<void>, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    work.then(done, done);
  });
}

interface Entry<Value> {
  readonly generation: number;
  readonly value: Promise<Value>;
}

/**
 * Caches values until the configuration changes in any process. A cached value may be up to a second old, which is good
 * enough to allow something. Before refusing something, use {@link getUnless} or {@link getCurrent}.
 */
export class ConfigurationCache<Value> {
  private readonly entries = new Map<string, Entry<Value>>();

  constructor(
    private readonly changes: ConfigurationChanges,
    private readonly maxEntries = 50_000,
  ) {}

  /** The value of `key`, loaded once per generation; a failed load is not cached. */
  get(key: string, load: () => Promise<Value>): Promise<Value> {
    return this.peek(key) ?? this.load(key, load);
  }

  /** The value of `key` if it is cached or already being loaded. */
  peek(key: string): Promise<Value> | undefined {
    const known = this.entries.get(key);
    return known !== undefined && known.generation === this.changes.current() ? known.value : undefined;
  }

  /**
   * As {@link get}, for a value that may lead to a refusal.
   *
   * @param refuses whether a value leads to a refusal; such a value is always loaded fresh
   */
  async getUnless(key: string, load: () => Promise<Value>, refuses: (value: Value) => boolean): Promise<Value> {
    const remembered = this.peek(key);
    if (remembered === undefined) return this.load(key, load);
    const value = await remembered;
    return refuses(value) ? this.getCurrent(key, load) : value;
  }

  /** The current value: a cached one is used only if nothing had changed by the time of this call. */
  async getCurrent(key: string, load: () => Promise<Value>): Promise<Value> {
    await this.changes.confirm();
    return this.get(key, load);
  }

  private load(key: string, load: () => Promise<Value>): Promise<Value> {
    const generation = this.changes.current();
    const value = load();
    if (generation === null) return value;
    const entry = { generation, value };
    // Deleted first, so that it becomes the newest entry.
    this.entries.delete(key);
    const oldest = this.entries.size < this.maxEntries ? undefined : this.entries.keys().next().value;
    if (oldest !== undefined) this.entries.delete(oldest);
    this.entries.set(key, entry);
    value.catch(() => {
      if (this.entries.get(key) === entry) this.entries.delete(key);
    });
    return value;
  }
}
