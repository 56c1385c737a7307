import { type BeforeApplicationShutdown, Inject, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { isContention, isTransient } from '../database/connections/transient-errors.js';
import { type SpanStart, traced } from '../tracing/spans.js';
import { OncePer } from '../values/once-per.js';
import { WARNING_INTERVAL_MS } from './job-queue.js';
import {
  type RoundSweep,
  type SweepOptions,
  type SweepReading,
  SweepRounds,
  type SweepSchedule,
} from './sweep-rounds.js';

/** A run that took less and called nobody most likely found nothing, and leaves no trace. Milliseconds. */
const IDLE_MS = 100;

/**
 * The base of every sweep: a recurring job that scans the tables for unfinished work, such as a crash leaves behind.
 * One worker of the cluster runs it: see {@link SweepRounds}. In a process, runs never overlap, but while another worker
 * takes over, two processes may run the same sweep. A failed run is logged and retried at the next interval. What a run
 * finds goes through {@link Sweep.forEach}, so that one item cannot hold up the others.
 */
export abstract class Sweep implements RoundSweep, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sweepLogger = new Logger(this.constructor.name);
  /** Throttled: while the database is down, every run fails. */
  private readonly warnings = new OncePer(WARNING_INTERVAL_MS);
  private running: Promise<boolean> | null = null;
  private stopped = false;
  private succeededAt = 0;
  private failedRuns = 0;
  private failedItems = 0;
  readonly schedule: SweepSchedule;
  /** A property, so that subclasses need not pass it on; absent in a sweep that runs only when called. */
  @Inject(SweepRounds)
  private readonly rounds?: SweepRounds;

  /** @param everyMs pause between runs, milliseconds */
  protected constructor(everyMs: number, options: SweepOptions = {}) {
    this.schedule = { ...options, everyMs };
  }

  protected abstract sweep(): Promise<void>;

  /** Whether the process is shutting down: a run should end soon. */
  protected get isStopping(): boolean {
    return this.stopped;
  }

  /** Whether this process runs the sweeps of the cluster. */
  protected get isLeading(): boolean {
    return this.rounds?.isLeading ?? true;
  }

  reading(): SweepReading {
    return {
      name: this.constructor.name,
      ageMs: this.isLeading ? performance.now() - this.succeededAt : null,
      failures: this.failedRuns,
      itemFailures: this.failedItems,
    };
  }

  finds(found: string | null): boolean {
    return found !== null;
  }

  noteUpToDate(): void {
    this.succeededAt = performance.now();
  }

  run(): Promise<boolean> {
    if (this.stopped) return Promise.resolve(false);
    this.running ??= this.runOnce().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  onApplicationBootstrap(): void {
    this.rounds?.add(this);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  /**
   * Works on each of the items, also after some have failed; those are logged, and the run counts as failed. Begins no
   * more when the process shuts down or the database is away.
   *
   * @param about names an item in the log, such as `account 0190…`
   * @param atOnce items worked on concurrently
   * @returns the items that failed or were not begun
   */
  protected async forEach<Item>(
    items: Iterable<Item>,
    about: (item: Item) => string,
    work: (item: Item) => Promise<unknown>,
    atOnce = 1,
  ): Promise<Item[]> {
    const left: Item[] = [];
    let isAway = false;
    const workOn = async (item: Item): Promise<void> => {
      try {
        if (this.stopped || isAway) left.push(item);
        else await work(item);
      } catch (error) {
        left.push(item);
        isAway ||= isTransient(error) && !isContention(error);
        this.reportItem(about(item), error);
      }
    };
    const iterator = items[Symbol.iterator]();
    const workOnSome = async (): Promise<void> => {
      for (let next = iterator.next(); next.done !== true; next = iterator.next()) await workOn(next.value);
    };
    await Promise.all(Array.from({ length: atOnce }, workOnSome));
    return left;
  }

  /**
   * {@link forEach} of the accounts of some rows.
   *
   * @returns the accounts whose work failed or was not begun
   */
  protected async forEachAccount<Row extends { readonly accountId: string }>(
    rows: readonly Row[],
    work: (accountId: string, own: readonly Row[]) => Promise<unknown>,
  ): Promise<string[]> {
    const accounts = new Map<string, Row[]>();
    for (const row of rows) {
      const own = accounts.get(row.accountId);
      if (own === undefined) accounts.set(row.accountId, [row]);
      else own.push(row);
    }
    const left = await this.forEach(accounts, accountOf, ([accountId, own]) => work(accountId, own));
    return left.map(([accountId]) => accountId);
  }

  private reportItem(item: string, error: unknown): void {
    this.failedItems += 1;
    if (this.warnings.allows(item)) {
      this.sweepLogger.warn(`failed for ${item}, will retry: ${(error as Error).message}`);
    }
  }

  private get span(): SpanStart {
    return { name: this.constructor.name, kind: 'internal', isRoot: true, idleMs: IDLE_MS };
  }

  private async runOnce(): Promise<boolean> {
    const itemsBefore = this.failedItems;
    try {
      await traced(
        () => this.span,
        () => this.sweep(),
      );
      if (this.failedItems === itemsBefore) {
        this.noteUpToDate();
        return true;
      }
    } catch (error) {
      if (this.warnings.allows('failed')) this.sweepLogger.warn(`failed, will retry: ${(error as Error).message}`);
    }
    this.failedRuns += 1;
    return false;
  }
}

const accountOf = ([accountId]: readonly [string, unknown]): string => `account ${accountId}`;
