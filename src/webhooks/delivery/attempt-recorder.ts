import { Injectable, Logger } from '@nestjs/common';
import { MicroBatch } from '../../database/batching/micro-batch.js';
import { isTransient } from '../../database/connections/transient-errors.js';
import { untilStored } from '../../database/connections/until-stored.js';
import { Pipeline } from '../../database/unit-of-work.js';
import { EndpointHealthService } from '../endpoints/endpoint-health.service.js';
import { FAILURE_EVIDENCE } from '../endpoints/endpoint-rules.js';
import { type DeliveryAttempt, recordAttempts } from './delivery.queries.js';

const UNSTORABLE = 'the endpoint’s response could not be stored';
const NAME = 'AttemptRecorder';
/** How long results are gathered into one batch, milliseconds. Nothing waits for them to be written. */
const GATHER_MS = 50;

/**
 * Writes the results of attempts in batches. While the database is unavailable, results are kept in memory and retried.
 * Leases fail then too, so no more results pile up than attempts were in progress.
 */
@Injectable()
export class AttemptRecorder {
  private readonly logger = new Logger(NAME);
  private abandoned = false;
  private readonly batch = new MicroBatch<DeliveryAttempt, undefined>((results) => this.write(results), {
    name: 'attempts',
    maxItems: 500,
    gatherMs: GATHER_MS,
    concurrency: 2,
    tenantOf: ({ accountId }) => accountId,
    keepsAll: true,
  });

  constructor(
    private readonly pipeline: Pipeline,
    private readonly health: EndpointHealthService,
  ) {}

  /** Resolves once the result is stored. */
  async record(result: DeliveryAttempt): Promise<void> {
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

  private async write(results: DeliveryAttempt[]): Promise<undefined[]> {
    await untilStored(() => this.writeOnce(results), {
      what: `results of ${results.length} attempts`,
      logger: this.logger,
      isAbandoned: () => this.abandoned,
      leavesContention: true,
    });
    return results.map(() => undefined);
  }

  /** Endpoints that are gone are disabled first, so that none of their events is fanned out after its answer. */
  private async writeOnce(results: DeliveryAttempt[]): Promise<void> {
    for (const gone of goneOf(results)) await this.health.disableAsGone(gone, gone.url);
    const failing = await recordAttempts(results, FAILURE_EVIDENCE, this.pipeline.autocommit);
    for (const endpoint of failing) await this.health.disableAsFailing(endpoint, endpoint.failingSince);
  }
}

/** One result per endpoint and URL that answered 410. */
function goneOf(results: readonly DeliveryAttempt[]): DeliveryAttempt[] {
  const gone = results.filter(({ verdict }) => verdict === 'gone');
  return [...new Map(gone.map((result) => [`${result.endpointId} ${result.url}`, result])).values()];
}
