import type { LoggerService } from '@nestjs/common';
import { contended } from './contended.js';
import { isContention, isTransient } from './transient-errors.js';

/** Backoff between tries, milliseconds; the last value repeats. */
const PAUSES_MS = [50, 100, 250, 500, 1000];

/** What {@link untilStored} logs, and when it gives up. */
export interface UntilStoredOptions {
  /** What is being stored, for the log, such as `12 send outcomes`. */
  readonly what: string;
  readonly logger: Pick<LoggerService, 'warn' | 'log'>;
  /** Whether to stop retrying, because the result is no longer needed. */
  readonly isAbandoned?: () => boolean;
  /** Whether to rethrow lock conflicts to a caller that can store the unaffected parts. */
  readonly leavesContention?: boolean;
}

/**
 * Stores facts that exist nowhere else: retries `work` for as long as the database is down or a lock is in the way.
 * `work` must be idempotent.
 *
 * @throws the error of `work` when retrying would not help, or when it is abandoned
 */
export async function untilStored<T>(work: () => Promise<T>, options: UntilStoredOptions): Promise<T> {
  const { what, logger, isAbandoned = () => false, leavesContention = false } = options;
  let isContended = false;
  for (let tries = 1; ; tries += 1) {
    try {
      const result = await (isContended ? contended.run(work) : work());
      if (tries > 1) logger.log(`stored ${what} after ${tries} tries`);
      return result;
    } catch (error) {
      if (isAbandoned() || !isTransient(error) || (leavesContention && isContention(error))) throw error;
      if (tries === 1) logger.warn(`could not store ${what}, will keep trying: ${(error as Error).message}`);
      isContended = isContention(error);
      const pauseMs = PAUSES_MS[Math.min(tries, PAUSES_MS.length) - 1];
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
