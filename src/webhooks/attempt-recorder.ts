import { Injectable, Logger } from '@nestjs/common';
import { MicroBatch } from '../database/micro-batch.js';
import { isPassing } from '../database/passing-error.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { FAILING_PATIENCE_MS } from './attempt-rules.js';
import { type AttemptResult, type EndpointHealth, judgeEndpoints, recordAttempts } from './delivery.queries.js';
import { DISABLED_AS_FAILING, DISABLED_AS_GONE } from './endpoint-rules.js';

const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 5000;

/**
 * Writes what came of attempts, many at a time. While the database is away results are kept and tried again: claims
 * fail then too, so no more than what was under way gathers here.
 */
@Injectable()
export class AttemptRecorder {
  private readonly logger = new Logger(AttemptRecorder.name);
  private abandoned = false;
  private readonly batch = new MicroBatch<AttemptResult, undefined>((results) => this.write(results), {
    mostItems: 500,
    concurrency: 2,
  });

  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Resolves once the result is stored. */
  async record(result: AttemptResult): Promise<void> {
    await this.batch.run(result);
  }

  /** Resolves when all results are stored, or the database has stayed away for `patienceMs`. */
  async close(patienceMs: number): Promise<void> {
    const timer = setTimeout(() => {
      this.abandoned = true;
    }, patienceMs);
    await this.batch.drained();
    clearTimeout(timer);
  }

  private async write(results: AttemptResult[]): Promise<undefined[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.writeOnce(results, tries > 1);
        if (tries > 1) this.logger.log(`results of ${results.length} attempts are stored after ${tries} tries`);
        return results.map(() => undefined);
      } catch (error) {
        if (this.abandoned || !isPassing(error)) throw error;
        if (tries === 1) this.logger.warn(`results are kept until the database is back: ${(error as Error).message}`);
        await new Promise((resolve) =>
          setTimeout(resolve, Math.min(FIRST_BACKOFF_MS * 2 ** (tries - 1), LONGEST_BACKOFF_MS)),
        );
      }
    }
  }

  private async writeOnce(results: AttemptResult[], repeated: boolean): Promise<void> {
    const disabled = await judgeEndpoints(
      healthOf(results),
      FAILING_PATIENCE_MS,
      { gone: DISABLED_AS_GONE, failing: DISABLED_AS_FAILING },
      this.unitOfWork.autocommit,
    );
    for (const { endpointId } of disabled) this.logger.log(`webhook ${endpointId} was disabled`);
    await recordAttempts(results, repeated, this.unitOfWork.autocommit);
  }
}

/** How each endpoint of a batch did: one success outweighs any failures. */
function healthOf(results: readonly AttemptResult[]): EndpointHealth[] {
  const health = new Map<string, EndpointHealth>();
  for (const { accountId, endpointId, verdict } of results) {
    const known = health.get(endpointId);
    health.set(endpointId, {
      accountId,
      endpointId,
      succeeded: verdict === 'delivered' || known?.succeeded === true,
      gone: verdict === 'gone' || known?.gone === true,
    });
  }
  return [...health.values()];
}
