import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';
import { analyze, findOutgrownTables } from './statistics.queries.js';

/** Tables from this size take noticeable time, so each run analyzes only one of them. */
const LARGE_ROWS = 20_000;

/**
 * Keeps the planner's statistics current while tables grow quickly. Connections cache their plans, and a plan made for
 * an empty table scans all of it until an analysis invalidates the plan. Autovacuum checks only once a minute.
 */
@Injectable()
export class StatisticsSweep extends Sweep {
  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {
    super(SECOND / 4);
  }

  async sweep(): Promise<void> {
    for (const table of await findOutgrownTables(this.unitOfWork.autocommit)) {
      await this.unitOfWork.transaction((tx) => analyze(table, tx));
      if (table.size >= LARGE_ROWS) return;
    }
  }
}
