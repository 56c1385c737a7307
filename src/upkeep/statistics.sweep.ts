import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';
import { analyze, BYTES_WRITTEN, findOutgrownTables, type OutgrownTable } from './statistics.queries.js';

/** Tables from this size take noticeable time, so each run analyzes only one of them. */
const LARGE_ROWS = 20_000;
/** A table that outgrows its statistics writes more than this many bytes. */
const IDLE_BYTES = 16_384;
/** How long a session may take to report the rows that it wrote, with a wide margin, milliseconds. */
const COUNTS_LAG_MS = 5 * SECOND;

/**
 * Keeps the planner's statistics current while tables grow quickly. Connections cache their plans, and a plan made for
 * an empty table scans all of it until an analysis invalidates the plan. Autovacuum checks only once a minute.
 */
@Injectable()
export class StatisticsSweep extends Sweep {
  private written = 0;
  private wroteAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {
    super(SECOND / 4, { look: BYTES_WRITTEN });
  }

  override finds(found: string | null): boolean {
    const written = Number(found);
    if (Math.abs(written - this.written) > IDLE_BYTES) {
      this.written = written;
      this.wroteAt = performance.now();
    }
    return performance.now() - this.wroteAt < COUNTS_LAG_MS;
  }

  async sweep(): Promise<void> {
    const tables = await findOutgrownTables(this.unitOfWork.autocommit);
    const isLarge = ({ size }: OutgrownTable) => size >= LARGE_ROWS;
    const next = [...tables.filter((table) => !isLarge(table)), ...tables.filter(isLarge).slice(0, 1)];
    await this.forEach(
      next,
      ({ name }) => `table ${name}`,
      (table) => this.unitOfWork.transaction((tx) => analyze(table, tx)),
    );
  }
}
