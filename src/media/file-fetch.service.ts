import { Injectable, Logger } from '@nestjs/common';
import { isTransient } from '../database/connections/transient-errors.js';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { DomainError } from '../errors/domain-error.js';
import { Metrics } from '../runtime/metrics.js';
import { DAY, HOUR, SECOND } from '../values/clock.js';
import { CheckedBytes } from './checked-bytes.js';
import {
  endLease,
  type FileFacts,
  recordFailed,
  recordLost,
  recordStored,
  releaseFile,
  type TakenFile,
} from './fetch.queries.js';
import { FetchFailure } from './fetch-failure.js';
import { mediaKey } from './media-key.js';
import { MediaStore, StoreUnavailable } from './media-store.js';
import { NetworkFiles } from './network-files.js';

/** How long files are fetched: the network keeps them as long. */
export const FETCHED_FOR_MS = 7 * DAY;
/** The distances between attempts double from the first to the last. */
const FIRST_RETRY_MS = 5 * SECOND;
const LAST_RETRY_MS = 6 * HOUR;
/** How often the bytes may contradict the network's word before we believe that they always will. */
const MAX_MISMATCHES = 5;
/** A full disk says nothing about the file. The pool spares the network meanwhile. */
const STORE_RETRY_MS = 10 * SECOND;

/** Why an attempt is broken off: this process stops, or the file is no longer its own. */
export type AbortReason = 'stopping' | 'lost';

type Outcome = 'stored' | 'discarded' | 'released' | 'failed' | 'gone' | 'too_large' | 'refused';

/** Fetches one file: opens it at the network, stores it, and records what came of it. */
@Injectable()
export class FileFetchService {
  private readonly logger = new Logger(FileFetchService.name);
  private readonly outcomes;

  constructor(
    private readonly files: NetworkFiles,
    private readonly store: MediaStore,
    private readonly unitOfWork: BackgroundUnitOfWork,
    metrics: Metrics,
  ) {
    this.outcomes = metrics.counter({
      name: 'parley_media_fetches_total',
      help: 'Attempts to fetch files of inbound messages, by outcome',
      labels: ['outcome'],
    });
  }

  /**
   * @param signal aborted with an {@link AbortReason}
   * @throws StoreUnavailable, after the attempt is recorded; transient database errors, after which the lease expires
   */
  async fetch(file: TakenFile, signal: AbortSignal): Promise<void> {
    try {
      const isWanted = await this.record(file, await this.receive(file, signal));
      this.count(isWanted ? 'stored' : 'discarded');
    } catch (error) {
      this.count(await this.recordFailure(file, error, signal));
      if (error instanceof StoreUnavailable) throw error;
    }
  }

  private count(outcome: Outcome): void {
    this.outcomes.inc({ outcome });
  }

  private async receive(file: TakenFile, signal: AbortSignal): Promise<FileFacts> {
    const arriving = await this.files.open(file, signal);
    try {
      const bytes = new CheckedBytes({
        ...arriving,
        sha256: arriving.sha256 ?? file.sha256,
        mimeType: arriving.mimeType ?? file.mimeType,
        filename: file.filename,
      });
      await this.store.put(mediaKey(file), bytes);
      return await bytes.facts();
    } finally {
      arriving.close();
    }
  }

  /** @returns false when the file was discarded meanwhile; nothing is left of it then */
  private async record(file: TakenFile, facts: FileFacts): Promise<boolean> {
    const isWanted = await recordStored(file.accountId, file.messageId, facts, this.unitOfWork.autocommit);
    if (!isWanted) {
      await this.store.delete(mediaKey(file));
      await endLease(file, this.unitOfWork.autocommit);
    }
    return isWanted;
  }

  private async recordFailure(file: TakenFile, error: unknown, signal: AbortSignal): Promise<Outcome> {
    const { autocommit } = this.unitOfWork;
    if (signal.aborted) {
      if (signal.reason === ('stopping' satisfies AbortReason)) await releaseFile(file, autocommit);
      else await endLease(file, autocommit);
      return 'released';
    }
    const failure = this.failureOf(file, error);
    const { verdict, message } = failure;
    const isMismatch = verdict === 'mismatch';
    if (isMismatch && file.mismatches + 1 >= MAX_MISMATCHES) {
      await recordLost(file, 'refused', message, autocommit);
      return 'refused';
    }
    if (verdict === 'again' || isMismatch) {
      const retryMs = Math.max(failure.retryAfterMs ?? 0, error instanceof StoreUnavailable ? 0 : retryMsAfter(file));
      await recordFailed(file, { reason: message, isMismatch, retryMs }, FETCHED_FOR_MS, autocommit);
      return 'failed';
    }
    await recordLost(file, verdict, message, autocommit);
    return verdict;
  }

  private failureOf({ messageId }: TakenFile, error: unknown): FetchFailure {
    if (error instanceof FetchFailure) return error;
    if (error instanceof StoreUnavailable) return new FetchFailure('again', error.message, STORE_RETRY_MS);
    if (isTransient(error)) throw error;
    const { message, stack } = error as Error;
    if (!(error instanceof DomainError)) {
      this.logger.error(`the file of message ${messageId} could not be fetched`, stack, FileFetchService.name);
    }
    return new FetchFailure('again', message);
  }
}

/** Milliseconds until the next attempt, spread so that files that failed together do not come back together. */
const retryMsAfter = ({ attempts }: TakenFile): number =>
  Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 20)) * (0.8 + 0.4 * Math.random());
