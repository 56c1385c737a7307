import type { LoggerService } from '@nestjs/common';
import { contended } from './contended.js';
import { isContention, isTransient } from './passing-error.js';

/** Pauses between tries, milliseconds; the last one repeats. */
const PAUSES_MS = [50, 100, 250, 500, 1000];

/** What {@link untilStored} says, and when it gives up. */
export interface UntilStoredOptions {
  /** What is to be stored, for the log: `12 outcomes of sends`. */
  readonly what: string;
  readonly logger: Pick<LoggerService, 'warn' | 'log'>;
  /** Whether nobody waits for it any more. */
  readonly isAbandoned?: () => boolean;
  /** Whether a lock in the way is left to the caller, who can do the parts that it does not concern. */
  readonly leavesContention?: boolean;
}

/**
 * Stores facts that exist nowhere else: does `work`, and again while the database is away or a lock is in the way, for as long
 * as that takes. Doing it twice must change nothing.
 *
 * @throws what `work` threw when another try would not help, or nobody waits for it any more
 */
export async function untilStored<T>(work: () => Promise<T>, options: UntilStoredOptions): Promise<T> {
  const { what, logger, isAbandoned = () => false, leavesContention = false } = options;
  let meetsLocks = false;
  for (let tries = 1; ; tries += 1) {
    try {
      const result = await (meetsLocks ? contended.run(work) : work());
      if (tries > 1) logger.log(`${what} are stored after ${tries} tries`);
      return result;
    } catch (error) {
      if (isAbandoned() || !isTransient(error) || (leavesContention && isContention(error))) throw error;
      if (tries === 1) logger.warn(`${what} are kept until the database takes them: ${(error as Error).message}`);
      meetsLocks = isContention(error);
      const pauseMs = PAUSES_MS[Math.min(tries, PAUSES_MS.length) - 1];
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
