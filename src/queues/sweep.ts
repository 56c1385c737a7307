import { type BeforeApplicationShutdown, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { OncePer } from '../values/once-per.js';
import { WARNING_INTERVAL_MS } from './job-queue.js';

/**
 * Work that recurs without a caller: what a crash left behind is found by looking at the tables. Runs never overlap;
 * a failed one is logged and tried again at the next turn. Several processes may run the same sweep.
 */
export abstract class Sweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sweepLogger = new Logger(this.constructor.name);
  /** While the database is away every run fails. */
  private readonly complaints = new OncePer(WARNING_INTERVAL_MS);
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  /** @param everyMs pause between two runs, milliseconds */
  protected constructor(private readonly everyMs: number) {}

  /** One run. */
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
      if (this.complaints.allows('failed')) this.sweepLogger.warn(`will be tried again: ${(error as Error).message}`);
    }
  }
}
