import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { UnitOfWork } from './unit-of-work.js';

/** How often the epoch is looked at, milliseconds. */
const POLL_MS = 250;
/** An epoch that was read longer ago than this is not trusted: caches read through. */
const TRUSTED_MS = 700;

/**
 * Knows whether keys, accounts, phones or organisations have changed, on any process: triggers advance one row, and each
 * process looks at it four times a second. It is why a cached key can be revoked within a second (D36, D84).
 */
@Injectable()
export class ConfigurationEpoch implements OnApplicationBootstrap, OnApplicationShutdown {
  private epoch: number | null = null;
  private readAt = 0;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly unitOfWork: UnitOfWork) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.poll();
    this.timer = setInterval(() => void this.poll(), POLL_MS);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    if (this.timer !== null) clearInterval(this.timer);
  }

  /** The epoch that values loaded from now on belong to, or null while it cannot be trusted. */
  current(): number | null {
    return Date.now() - this.readAt < TRUSTED_MS ? this.epoch : null;
  }

  /** Looks at once: what this process has just changed holds here from now on, without waiting for the next look. */
  refresh(): Promise<void> {
    return this.poll();
  }

  private async poll(): Promise<void> {
    const askedAt = Date.now();
    try {
      const row = await this.unitOfWork.autocommit.row<{ epoch: number }>('SELECT epoch FROM configuration_epoch');
      // Answers may overtake one another; the epoch only grows.
      this.epoch = row === null ? null : Math.max(this.epoch ?? 0, row.epoch);
      this.readAt = Math.max(this.readAt, askedAt);
    } catch {
      // The database is away: readAt grows old, so that nothing cached is believed until it is back.
    }
  }
}

interface Entry<Value> {
  readonly epoch: number;
  readonly value: Promise<Value>;
}

/** Values that hold until the configuration changes anywhere. */
export class ConfigurationCache<Value> {
  private entries = new Map<string, Entry<Value>>();

  constructor(
    private readonly epoch: ConfigurationEpoch,
    private readonly mostEntries = 50_000,
  ) {}

  /** The value under `key`, loaded once per epoch; a failed load is not kept. */
  get(key: string, load: () => Promise<Value>): Promise<Value> {
    const epoch = this.epoch.current();
    if (epoch === null) return load();
    const known = this.entries.get(key);
    if (known?.epoch === epoch) return known.value;
    const value = load();
    if (this.entries.size >= this.mostEntries) this.entries.clear();
    this.entries.set(key, { epoch, value });
    value.catch(() => this.entries.delete(key));
    return value;
  }
}
