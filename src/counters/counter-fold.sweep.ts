import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork, type Tx } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';
import {
  type CounterKey,
  ensureCounters,
  findChangedCounters,
  foldChanges,
  lockFolding,
  UNFOLDED_CHANGE,
} from './counter.queries.js';

/** Maximum counters per transaction. */
const MAX_COUNTERS = 1000;
/** Maximum changes folded per transaction. */
const MAX_CHANGES = 5000;

/**
 * Folds counter changes into the counters. Never waits for a lock: a locked counter keeps its changes until a later
 * run, and reads stay exact meanwhile.
 */
@Injectable()
export class CounterFoldSweep extends Sweep {
  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {
    super(SECOND, { look: UNFOLDED_CHANGE });
  }

  /** Visits every counter with changes once. */
  async sweep(): Promise<void> {
    for (let last: CounterKey | null = null; ; ) {
      const keys: CounterKey[] = await findChangedCounters(last, MAX_COUNTERS, this.unitOfWork.autocommit);
      while ((await this.fold(keys)) === MAX_CHANGES);
      if (keys.length < MAX_COUNTERS) return;
      last = keys.at(-1) ?? null;
    }
  }

  /** Returns the number of changes folded; 0 also while another process is folding. */
  private fold(keys: readonly CounterKey[]): Promise<number> {
    if (keys.length === 0) return Promise.resolve(0);
    return this.unitOfWork.transaction(async (tx: Tx) => {
      if (!(await lockFolding(tx))) return 0;
      await ensureCounters(keys, tx);
      return foldChanges(keys, MAX_CHANGES, tx);
    });
  }
}
