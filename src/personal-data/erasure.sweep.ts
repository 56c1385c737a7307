import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';
import { closeRun, findAccountsToErase, lockRun, openRun, saveRunProgress } from './erasure-run.queries.js';
import { ErasureSteps } from './erasure-steps.js';

/** Pieces of work of one account in a row: the others come in turn, and a shutdown need not wait long. */
const MAX_PIECES = 50;

/**
 * Removes what erased contacts have left in all tables, one run of each account at a time: a run goes through the
 * tables once for everybody who is due. Each piece commits together with the place that it has come to, so that whoever
 * dies is followed by any other worker.
 */
@Injectable()
export class ErasureSweep extends Sweep {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly steps: ErasureSteps,
  ) {
    super(SECOND);
  }

  protected async sweep(): Promise<void> {
    const failures: unknown[] = [];
    for (const accountId of await findAccountsToErase(this.unitOfWork.autocommit)) {
      try {
        await this.advance(accountId);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  private async advance(accountId: string): Promise<void> {
    await this.unitOfWork.transaction((tx) => openRun(accountId, this.steps.first, tx));
    for (let pieces = 0; pieces < MAX_PIECES; pieces += 1) if (!(await this.doPiece(accountId))) return;
  }

  /** @returns whether there may be more to do here */
  private doPiece(accountId: string): Promise<boolean> {
    return this.unitOfWork.transaction(async (tx) => {
      const run = await lockRun(accountId, tx);
      if (run === null) return false;
      const next = await this.steps.advance(run, tx);
      if (next === null) await closeRun(accountId, tx);
      else await saveRunProgress(accountId, next.step, next.position, tx);
      return next !== null;
    });
  }
}
