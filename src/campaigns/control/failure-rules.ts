import { SECOND } from '../../values/clock.js';

/** How long a campaign may fail for unexpected reasons before it is stopped, milliseconds. */
export const FAILURE_PATIENCE_MS = 30 * SECOND;
/** A campaign is not stopped before this many failures, however long ago the first one was. */
const MIN_FAILURES = 4;
const FIRST_PAUSE_MS = SECOND;
const MAX_PAUSE_MS = 8 * SECOND;
/** A failure that comes longer than this after the previous one is unrelated to it, milliseconds. */
export const RELATED_MS = 60 * SECOND;

/** Failures of one campaign with nothing sent in between. Times are by `performance.now()`. */
export interface FailureStreak {
  readonly since: number;
  readonly failures: number;
  readonly lastAt: number;
  /** No retry before this time. */
  readonly retryAt: number;
}

/** The streak after one more failure; null starts a new one. */
export function failedAgain(streak: FailureStreak | null, at: number): FailureStreak {
  if (streak === null || at - streak.lastAt > RELATED_MS) {
    return { since: at, failures: 1, lastAt: at, retryAt: at + FIRST_PAUSE_MS };
  }
  const failures = streak.failures + 1;
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS);
  // Schedule the deciding try exactly at the end of the patience, not up to a pause later.
  const endOfPatience = streak.since + FAILURE_PATIENCE_MS;
  const retryAt = at < endOfPatience ? Math.min(at + pauseMs, endOfPatience) : at + pauseMs;
  return { since: streak.since, failures, lastAt: at, retryAt };
}

/** Whether to stop the campaign. */
export const isHopeless = ({ since, failures, lastAt }: FailureStreak): boolean =>
  lastAt - since >= FAILURE_PATIENCE_MS && failures >= MIN_FAILURES;
