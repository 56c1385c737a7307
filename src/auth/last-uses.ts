import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundUnitOfWork, type Database } from '../database/unit-of-work.js';

/** Milliseconds between two writes. */
const WRITE_EVERY_MS = 5000;

/** Stores when records of these tenants were used, each at the same place in the three lists. */
type Store = (tenants: string[], ids: string[], at: Date[], db: Database) => Promise<unknown>;

type Write = (tenants: string[], ids: string[], at: Date[]) => Promise<unknown>;

/** Remembers when records were last used, and stores it a few seconds later: many uses are one write. */
@Injectable()
export class LastUses implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(LastUses.name);
  private readonly kinds: UsesOfKind[] = [];
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly background: BackgroundUnitOfWork) {}

  /** The uses of one kind of record. @param what its name in the plural */
  of(what: string, store: Store): UsesOfKind {
    const write: Write = (...used) => store(...used, this.background.autocommit);
    const uses = new UsesOfKind(write, (count, error) =>
      this.logger.warn(`could not store the last-used times of ${count} ${what}: ${error.message}`),
    );
    this.kinds.push(uses);
    return uses;
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.write(), WRITE_EVERY_MS);
    this.timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    await this.write();
  }

  private async write(): Promise<void> {
    await Promise.all(this.kinds.map((kind) => kind.write()));
  }
}

/** Uses that are not stored yet. */
export class UsesOfKind {
  private used = new Map<string, { readonly tenant: string; readonly at: Date }>();

  constructor(
    private readonly store: Write,
    private readonly failed: (count: number, error: Error) => void,
  ) {}

  note(tenant: string, id: string, at: Date): void {
    this.used.set(id, { tenant, at });
  }

  async write(): Promise<void> {
    if (this.used.size === 0) return;
    const used = [...this.used].sort(([a], [b]) => (a < b ? -1 : 1));
    this.used = new Map();
    try {
      await this.store(
        used.map(([, { tenant }]) => tenant),
        used.map(([id]) => id),
        used.map(([, { at }]) => at),
      );
    } catch (error) {
      // Kept for the next time: what has been used must not look unused for long.
      this.used = new Map([...used, ...this.used]);
      this.failed(used.length, error as Error);
    }
  }
}
