import { Injectable, Logger } from '@nestjs/common';
import { MicroBatch } from '../../database/batching/micro-batch.js';
import { Pipeline } from '../../database/connections/pipeline.js';
import { isTransient } from '../../database/connections/transient-errors.js';
import { untilStored } from '../../database/connections/until-stored.js';
import { type EndpointHealth, updateEndpointHealth } from '../endpoints/endpoint-health.queries.js';
import { DISABLED_AS_FAILING, DISABLED_AS_GONE } from '../endpoints/endpoint-rules.js';
import { type AttemptResult, recordAttempts } from './delivery.queries.js';
import { FAILING_PATIENCE_MS } from './delivery-verdict.js';

const UNSTORABLE = 'the endpoint’s response could not be stored';
const NAME = 'AttemptRecorder';
/** How long results are gathered into one batch, milliseconds. Nothing waits for them to be written. */
const GATHER_MS = 50;

/**
 * Writes the results of attempts in batches. While the database is unavailable, results are kept in memory and retried.
 * Claims fail then too, so no more results pile up than attempts were in progress.
 */
@Injectable()
export class AttemptRecorder {
  private readonly logger = new Logger(NAME);
  private abandoned = false;
  private readonly batch = new MicroBatch<AttemptResult, undefined>((results) => this.write(results), {
    name: 'attempts',
    maxItems: 500,
    gatherMs: GATHER_MS,
    concurrency: 2,
    tenantOf: ({ accountId }) => accountId,
    keepsAll: true,
  });

  constructor(private readonly pipeline: Pipeline) {}

  /** Resolves once the result is stored. */
  async record(result: AttemptResult): Promise<void> {
    try {
      await this.batch.run(result);
    } catch (error) {
      if (this.abandoned || isTransient(error)) throw error;
      // Only the receiver's text can be unstorable. Drop it: otherwise the delivery would be repeated forever.
      this.logger.error(`the response to delivery ${result.deliveryId} cannot be stored`, (error as Error).stack, NAME);
      await this.batch.run({ ...result, error: result.error === null ? null : UNSTORABLE, response: null });
    }
  }

  /** Resolves when all results are stored, or after `patienceMs` of an unavailable database. */
  async close(patienceMs: number): Promise<void> {
    const timer = setTimeout(() => {
      this.abandoned = true;
    }, patienceMs);
    await this.batch.drained();
    clearTimeout(timer);
  }

  private async write(results: AttemptResult[]): Promise<undefined[]> {
    await untilStored(() => this.writeOnce(results), {
      what: `results of ${results.length} attempts`,
      logger: this.logger,
      isAbandoned: () => this.abandoned,
      leavesContention: true,
    });
    return results.map(() => undefined);
  }

  private async writeOnce(results: AttemptResult[]): Promise<void> {
    const health = healthOf(results);
    if (health.length > 0) await this.judge(health);
    await recordAttempts(results, this.pipeline.autocommit);
  }

  private async judge(health: readonly EndpointHealth[]): Promise<void> {
    const disabled = await updateEndpointHealth(
      health,
      FAILING_PATIENCE_MS,
      { gone: DISABLED_AS_GONE, failing: DISABLED_AS_FAILING },
      this.pipeline.autocommit,
    );
    for (const { endpointId } of disabled) this.logger.log(`webhook ${endpointId} was disabled`);
  }
}

/**
 * The health of the URLs in a batch whose state may change. One success outweighs any failures; URLs that were healthy
 * and only succeeded are left out, and so are our own faults: they say nothing about an endpoint.
 */
function healthOf(results: readonly AttemptResult[]): EndpointHealth[] {
  const health = new Map<string, EndpointHealth>();
  const telling = results.filter(({ isOurFault }) => !isOurFault);
  const changing = new Set(
    telling.flatMap(({ endpointId, verdict, wasFailing }) => {
      return verdict !== 'delivered' || wasFailing ? [endpointId] : [];
    }),
  );
  for (const { accountId, endpointId, url, verdict } of telling) {
    if (!changing.has(endpointId)) continue;
    const key = `${endpointId} ${url}`;
    const known = health.get(key);
    health.set(key, {
      accountId,
      endpointId,
      url,
      succeeded: verdict === 'delivered' || known?.succeeded === true,
      gone: verdict === 'gone' || known?.gone === true,
    });
  }
  return [...health.values()];
}
