import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { syncClock } from '../values/clock.js';
import { UnitOfWork } from './unit-of-work.js';

/** How often the epoch is looked at, milliseconds. */
const POLL_MS = 250;
/** An epoch that was read longer ago than this is not trusted: caches read through. */
const TRUSTED_MS = 700;

/**
 * Knows whether keys, accounts, phones, organisations or templates have changed, on any process: triggers advance one
 * row, and each process looks at it four times a second. It is why a cached key can be revoked within a second. The same
 * look keeps the clocks of all processes together.
 */
@Injectable()
export class ConfigurationChanges implements OnApplicationBootstrap, OnApplicationShutdown {
  private epoch: number | null = null;
  private readAt = 0;
  private timer: NodeJS.Timeout | null = null;
  /** The read that was sent last. */
  private reading: Promise<void> = Promise.resolve();
  /** The read that is about to be sent. */
  private upcoming: Promise<void> | null = null;

  constructor(private readonly unitOfWork: UnitOfWork) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.refresh();
    this.timer = setInterval(() => void this.refresh(), POLL_MS);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    if (this.timer !== null) clearInterval(this.timer);
  }

  /** The epoch that values loaded from now on belong to, or null while it cannot be trusted. */
  current(): number | null {
    return performance.now() - this.readAt < TRUSTED_MS ? this.epoch : null;
  }

  /** Looks at once: what this process has just changed holds here from now on, without waiting for the next look. */
  async refresh(): Promise<void> {
    // While the database is away readAt grows old, and nothing cached is believed until it is back.
    await this.confirm().catch(() => undefined);
  }

  /**
   * Resolves once a query that was sent after this call has read the epoch. Callers who come together share one query,
   * so a crowd costs no more than one caller.
   *
   * @throws when the database does not answer
   */
  confirm(): Promise<void> {
    this.upcoming ??= this.readNext();
    return this.upcoming;
  }

  private readNext(): Promise<void> {
    // A read that hangs holds up the next one only for so long.
    return settled(this.reading, POLL_MS).then(() => {
      this.upcoming = null;
      this.reading = this.read();
      return this.reading;
    });
  }

  private async read(): Promise<void> {
    const askedAt = performance.now();
    const row = await this.unitOfWork.control.row<{ epoch: number; at: Date }>(
      'SELECT epoch, clock_timestamp() AS at FROM configuration_epoch',
    );
    if (row !== null) syncClock(row.at, askedAt);
    // Answers may overtake one another; the epoch only grows.
    this.epoch = row === null ? null : Math.max(this.epoch ?? 0, row.epoch);
    this.readAt = Math.max(this.readAt, askedAt);
  }
}

/** Resolves when `work` has ended, well or badly, but after `patienceMs` at the latest. */
function settled(work: Promise<void>, patienceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, patienceMs);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    work.then(done, done);
  });
}

interface Entry<Value> {
  readonly epoch: number;
  readonly value: Promise<Value>;
}

/**
 * Values that hold until the configuration changes anywhere. What is remembered may be up to a second old, which is good
 * enough for a yes. Before a no, use {@link getUnless} or {@link getCurrent}.
 */
export class ConfigurationCache<Value> {
  private readonly entries = new Map<string, Entry<Value>>();

  constructor(
    private readonly epoch: ConfigurationChanges,
    private readonly maxEntries = 50_000,
  ) {}

  /** The value under `key`, loaded once per epoch; a failed load is not kept. */
  get(key: string, load: () => Promise<Value>): Promise<Value> {
    return this.peek(key) ?? this.load(key, load);
  }

  /** The value under `key` if it is remembered, or being loaded for somebody else. */
  peek(key: string): Promise<Value> | undefined {
    const known = this.entries.get(key);
    return known !== undefined && known.epoch === this.epoch.current() ? known.value : undefined;
  }

  /**
   * As {@link get}, for a value that may lead to a refusal.
   *
   * @param refuses whether a value does; such a value is never an old one
   */
  async getUnless(key: string, load: () => Promise<Value>, refuses: (value: Value) => boolean): Promise<Value> {
    const remembered = this.peek(key);
    if (remembered === undefined) return this.load(key, load);
    const value = await remembered;
    return refuses(value) ? this.getCurrent(key, load) : value;
  }

  /** The value as it is now: what is remembered counts only if nothing has changed since this call. */
  async getCurrent(key: string, load: () => Promise<Value>): Promise<Value> {
    await this.epoch.confirm();
    return this.get(key, load);
  }

  private load(key: string, load: () => Promise<Value>): Promise<Value> {
    const epoch = this.epoch.current();
    const value = load();
    if (epoch === null) return value;
    const entry = { epoch, value };
    // Set anew, it counts as the youngest.
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
