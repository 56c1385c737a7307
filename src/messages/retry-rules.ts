import { PAIR_RATE_EXCEEDED } from '../network/error-classes.js';
import type { Refusal } from '../network/network-error.js';
import { MINUTE, SECOND } from '../values/clock.js';

/** How long a single send may wait and retry within its request while the phone is throttled, milliseconds (D61). */
export const PATIENCE_MS = 5 * SECOND;
/** Attempts that one recipient of a campaign gets (D58). */
export const MOST_ATTEMPTS = 5;
/** Time in which they are made, milliseconds (D58). */
export const RETRY_SPAN_MS = 10 * MINUTE;

/**
 * How long to wait before the next attempt of a message that the network provably did not take: what the network asked
 * for, 4^n seconds for the pair rate, else doubling from half a second. Milliseconds.
 *
 * @param attempt attempts made so far, 1 after the first
 */
export function retryDelayMs({ code, retryAfterMs }: Pick<Refusal, 'code' | 'retryAfterMs'>, attempt: number): number {
  const backoff = code === PAIR_RATE_EXCEEDED ? 4 ** attempt * SECOND : 2 ** (attempt - 1) * (SECOND / 2);
  return Math.max(backoff, retryAfterMs ?? 0);
}
