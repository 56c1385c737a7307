import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Announcements } from '../database/connections/announcements.js';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { SECOND } from '../values/clock.js';
import { endsWithin } from '../values/ends-within.js';
import { OncePer } from '../values/once-per.js';
import { WARNING_INTERVAL_MS } from './job-queue.js';
import { Leadership } from './leadership.js';
import { announceSweeps, lookFor, SWEEPS_CHANNEL } from './sweep-lease.queries.js';

/** How a sweep of this process is doing. */
export interface SweepReading {
  readonly name: string;
  /**
   * Milliseconds since it last succeeded or found nothing to do, or since this process began to run it; null: another
   * process does.
   */
  readonly ageMs: number | null;
  /** Failed runs. */
  readonly failures: number;
  /** Failed items. */
  readonly itemFailures: number;
}

/** What a sweep may say about when it runs. */
export interface SweepOptions {
  /**
   * SQL that finds out whether a run has something to do: a query of one column that returns a row only then. The looks
   * of several sweeps share a statement. Without it, the sweep runs each time.
   */
  readonly look?: string;
  /** Whether what it finds is for every worker, such as work for the pool or the pumps of each process. */
  readonly isEverywhere?: boolean;
}

/** When and where a sweep runs. */
export interface SweepSchedule extends SweepOptions {
  /** Pause between runs, milliseconds. */
  readonly everyMs: number;
}

/** A sweep as {@link SweepRounds} sees it. */
export interface RoundSweep {
  readonly schedule: SweepSchedule;
  reading(): SweepReading;
  /** Whether there is something to do. @param found what its look found; null: nothing */
  finds(found: string | null): boolean;
  /** Notes that there is nothing to do now. */
  noteUpToDate(): void;
  /** Runs unless a run is under way, whose result it returns. Never throws. @returns whether it succeeded */
  run(): Promise<boolean>;
}

/** Milliseconds without a look or a run that succeeded after which this process leaves the sweeps to others. */
const UNFIT_AFTER_MS = 8 * SECOND;
/** Milliseconds that the sweeps of a round wait for their look. */
const LOOK_PATIENCE_MS = 2 * SECOND;

/** Sweeps with the same interval, which share a timer and a look. */
interface Round {
  readonly everyMs: number;
  readonly sweeps: RoundSweep[];
  timer: NodeJS.Timeout | null;
  isOpen: boolean;
}

/**
 * Runs the sweeps of the cluster while this process leads it. The looks of sweeps with the same interval share one
 * statement, and only those that find something run. A sweep with work for every worker also runs in the others, when
 * the leader announces it.
 */
@Injectable()
export class SweepRounds implements BeforeApplicationShutdown {
  private readonly logger = new Logger(SweepRounds.name);
  private readonly warnings = new OncePer(WARNING_INTERVAL_MS);
  private readonly rounds = new Map<number, Round>();
  private progressAt = 0;
  private stopping = false;

  constructor(
    private readonly leadership: Leadership,
    private readonly announcements: Announcements,
    private readonly unitOfWork: BackgroundUnitOfWork,
  ) {}

  /** Whether this process runs the sweeps of the cluster. */
  get isLeading(): boolean {
    return this.leadership.isLeading;
  }

  /** Whether there are sweeps in this process. */
  get isCandidate(): boolean {
    return this.rounds.size > 0;
  }

  /** How the sweeps are doing. */
  readings(): SweepReading[] {
    return this.all.map((sweep) => sweep.reading());
  }

  add(sweep: RoundSweep): void {
    if (this.rounds.size === 0) this.begin();
    const { everyMs } = sweep.schedule;
    const round = this.rounds.get(everyMs) ?? { everyMs, sweeps: [], timer: null, isOpen: false };
    this.rounds.set(everyMs, round);
    round.sweeps.push(sweep);
    if (this.isLeading) this.open(round);
  }

  beforeApplicationShutdown(): void {
    this.stopping = true;
    for (const { timer } of this.rounds.values()) if (timer !== null) clearTimeout(timer);
  }

  private get all(): RoundSweep[] {
    return [...this.rounds.values()].flatMap(({ sweeps }) => sweeps);
  }

  private begin(): void {
    this.announcements.listen(SWEEPS_CHANNEL, (names) => this.heard(names?.split(',') ?? []));
    this.leadership.stand({
      elected: () => {
        this.progressAt = performance.now();
        for (const round of this.rounds.values()) this.open(round);
      },
      isFit: () =>
        performance.now() - this.progressAt < UNFIT_AFTER_MS ||
        this.all.every(({ schedule }) => schedule.look === undefined),
    });
  }

  private open(round: Round): void {
    if (round.isOpen) return;
    round.isOpen = true;
    for (const sweep of round.sweeps) sweep.noteUpToDate();
    this.schedule(round, 0);
  }

  private schedule(round: Round, afterMs: number): void {
    if (this.stopping) return;
    round.timer = setTimeout(() => void this.go(round), afterMs);
  }

  private async go(round: Round): Promise<void> {
    round.isOpen = this.isLeading;
    if (!round.isOpen) return;
    for (const sweep of await this.dueIn(round)) void this.run(sweep);
    this.schedule(round, round.everyMs);
  }

  private async run(sweep: RoundSweep): Promise<void> {
    if (await sweep.run()) this.progressAt = performance.now();
  }

  /** The sweeps of a round with something to do: all of them if the look failed, so that none waits for another. */
  private async dueIn({ sweeps }: Round): Promise<RoundSweep[]> {
    const found = await this.look(sweeps.flatMap(({ schedule }) => schedule.look ?? []));
    if (found === null) return sweeps;
    let looked = 0;
    const due = sweeps.filter((sweep) => {
      if (sweep.schedule.look === undefined) return true;
      const finds = sweep.finds(found[looked] ?? null);
      looked += 1;
      if (!finds) sweep.noteUpToDate();
      return finds;
    });
    void this.announce(due.filter(({ schedule }) => schedule.isEverywhere));
    return due;
  }

  private async look(looks: readonly string[]): Promise<readonly (string | null)[] | null> {
    if (looks.length === 0) return [];
    try {
      const answer = lookFor(looks, this.unitOfWork.autocommit);
      if (!(await endsWithin(answer, LOOK_PATIENCE_MS))) throw new Error(`no answer within ${LOOK_PATIENCE_MS} ms`);
      this.progressAt = performance.now();
      return await answer;
    } catch (error) {
      if (this.warnings.allows('look')) this.logger.warn(`sweeps look one by one: ${(error as Error).message}`);
      return null;
    }
  }

  /** A worker that misses it hears the next one. Never throws. */
  private async announce(sweeps: readonly RoundSweep[]): Promise<void> {
    if (sweeps.length === 0) return;
    try {
      const names = sweeps.map(nameOf);
      await announceSweeps(names, this.unitOfWork.autocommit);
    } catch (error) {
      if (this.warnings.allows('announce')) this.logger.warn(`could not tell workers: ${(error as Error).message}`);
    }
  }

  private heard(names: readonly string[]): void {
    // The leader does it anyway.
    if (this.isLeading) return;
    for (const sweep of this.all) if (sweep.schedule.isEverywhere && names.includes(nameOf(sweep))) void sweep.run();
  }
}

const nameOf = (sweep: RoundSweep): string => sweep.reading().name;
