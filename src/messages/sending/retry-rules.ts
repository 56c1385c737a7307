import { PAIR_RATE_EXCEEDED } from '../../network/error-classes.js';
import type { Refusal } from '../../network/network-error.js';
import { MINUTE, SECOND } from '../../values/clock.js';

/** How long a single send may wait and retry within its request while its phone is throttled, milliseconds. */
export const SINGLE_SEND_TIMEOUT_MS = 5 * SECOND;
/** Maximum attempts per recipient of a campaign. */
export const MAX_SEND_ATTEMPTS = 5;
/** How long those attempts may go on, milliseconds. */
export const RETRY_SPAN_MS = 10 * MINUTE;

/**
 * The backoff before the next attempt at a message that the network provably did not accept, milliseconds: 4^n seconds
 * for the pair rate limit, otherwise doubling from half a second; never less than the network asked for.
 *
 * @param attempt attempts made so far, 1 after the first
 */
export function sendRetryDelayMs(
  { code, retryAfterMs }: Pick<Refusal, 'code' | 'retryAfterMs'>,
  attempt: number,
): number {
  const backoff = code === PAIR_RATE_EXCEEDED ? 4 ** attempt * SECOND : 2 ** (attempt - 1) * (SECOND / 2);
  return Math.max(backoff, retryAfterMs ?? 0);
}
