import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork, type Tx } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';
import { type CounterKey, findChangedCounters, foldChanges, lockFolding, makeCounters } from './counter.queries.js';

/** Counters of one transaction. */
const MAX_COUNTERS = 1000;
/** Changes that one transaction folds. */
const MAX_CHANGES = 5000;

/**
 * Folds changes of counters into the counters. It waits for no lock: a counter that another session holds keeps its
 * changes until later, and reads stay exact meanwhile.
 */
@Injectable()
export class CounterFoldSweep extends Sweep {
  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {
    super(SECOND);
  }

  /** Goes once through all counters that have changes. */
  async sweep(): Promise<void> {
    for (let last: CounterKey | null = null; ; ) {
      const keys: CounterKey[] = await findChangedCounters(last, MAX_COUNTERS, this.unitOfWork.autocommit);
      while ((await this.fold(keys)) === MAX_CHANGES);
      if (keys.length < MAX_COUNTERS) return;
      last = keys.at(-1) ?? null;
    }
  }

  /** Folds once; how many changes, 0 also while another process does so. */
  private fold(keys: readonly CounterKey[]): Promise<number> {
    if (keys.length === 0) return Promise.resolve(0);
    return this.unitOfWork.transaction(async (tx: Tx) => {
      if (!(await lockFolding(tx))) return 0;
      await makeCounters(keys, tx);
      return foldChanges(keys, MAX_CHANGES, tx);
    });
  }
}
