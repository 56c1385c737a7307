import { type BeforeApplicationShutdown, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type SpanStart, traced } from '../tracing/spans.js';
import { OncePer } from '../values/once-per.js';
import { WARNING_INTERVAL_MS } from './job-queue.js';

/** How a sweep of this process is doing. */
export interface SweepReading {
  readonly name: string;
  /** Milliseconds since its last successful run ended, or since it started. */
  readonly ageMs: number;
  /** Failed runs. */
  readonly failures: number;
}

/** A run that took less and called nobody most likely found nothing, and leaves no trace. Milliseconds. */
const IDLE_MS = 100;

const started = new Set<Sweep>();

/** The sweeps that run in this process. */
export const sweepReadings = (): SweepReading[] => [...started].map((sweep) => sweep.reading());

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
  private succeededAt = 0;
  private failedRuns = 0;

  /** @param everyMs pause between runs, milliseconds */
  protected constructor(private readonly everyMs: number) {}

  protected abstract sweep(): Promise<void>;

  reading(): SweepReading {
    return {
      name: this.constructor.name,
      ageMs: performance.now() - this.succeededAt,
      failures: this.failedRuns,
    };
  }

  onApplicationBootstrap(): void {
    this.succeededAt = performance.now();
    started.add(this);
    this.schedule(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    started.delete(this);
    if (this.timer !== null) clearTimeout(this.timer);
    await this.running;
  }

  private schedule(afterMs: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.runOnce().finally(() => this.schedule(this.everyMs));
    }, afterMs);
  }

  private get span(): SpanStart {
    return { name: this.constructor.name, kind: 'internal', isRoot: true, idleMs: IDLE_MS };
  }

  private async runOnce(): Promise<void> {
    try {
      await traced(
        () => this.span,
        () => this.sweep(),
      );
      this.succeededAt = performance.now();
    } catch (error) {
      this.failedRuns += 1;
      if (this.warnings.allows('failed')) this.sweepLogger.warn(`failed, will retry: ${(error as Error).message}`);
    }
  }
}
