import { type BeforeApplicationShutdown, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { OncePer } from '../values/once-per.js';
import { WARNING_INTERVAL_MS } from './job-queue.js';

/**
 * The base of every sweep: a recurring job that scans the tables for unfinished work, such as a crash leaves behind.
 * Runs never overlap; a failed run is logged and retried at the next interval. Several processes may run the same
 * sweep.
 */
export abstract class Sweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sweepLogger = new Logger(this.constructor.name);
  /** Throttled: while the database is down, every run fails. */
  private readonly warnings = new OncePer(WARNING_INTERVAL_MS);
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  /** @param everyMs pause between runs, milliseconds */
  protected constructor(private readonly everyMs: number) {}

  protected abstract sweep(): Promise<void>;

  onApplicationBootstrap(): void {
    this.schedule(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.running;
  }

  private schedule(afterMs: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.runOnce().finally(() => this.schedule(this.everyMs));
    }, afterMs);
  }

  private async runOnce(): Promise<void> {
    try {
      await this.sweep();
    } catch (error) {
      if (this.warnings.allows('failed')) this.sweepLogger.warn(`failed, will retry: ${(error as Error).message}`);
    }
  }
}
