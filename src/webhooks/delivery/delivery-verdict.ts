import { HOUR, SECOND } from '../../values/clock.js';

/**
 * What a response means for the delivery: `delivered`; `retryable`: retry while retries are left; `refused`: fail, a
 * retry would not help; `gone`: fail and disable the endpoint.
 */
export type DeliveryVerdict = 'delivered' | 'retryable' | 'refused' | 'gone';

/** Up to this share of the wait is added as jitter; a wait is never shortened. */
const JITTER = 0.2;
const FIRST_WAIT_MS = SECOND;
/** The longest `Retry-After` that is honoured, milliseconds. */
export const MAX_RETRY_AFTER_MS = HOUR;

/**
 * Classifies the response to one attempt. Redirects are not followed; they count as retryable failures.
 *
 * @param statusCode null when there was no response: a timeout or a connection error
 */
export function judgeResponse(statusCode: number | null): DeliveryVerdict {
  if (statusCode === null) return 'retryable';
  if (statusCode >= 200 && statusCode < 300) return 'delivered';
  if (statusCode === 410) return 'gone';
  return statusCode >= 400 && statusCode < 500 && statusCode !== 429 ? 'refused' : 'retryable';
}

/** The next state of a delivery after an attempt. */
export type NextStep =
  | { readonly status: 'delivered' | 'failed' }
  /** To be retried `delayMs` milliseconds after the attempt was recorded. */
  | { readonly status: 'pending'; readonly delayMs: number };

/**
 * Decides what happens after an attempt.
 *
 * @param attempt its number, from 1
 * @param retriesLeft retries left, not counting this attempt
 * @param requestedMs the endpoint's `Retry-After` in milliseconds, or null
 * @param random from 0 to 1, exclusive
 */
export function nextStep(
  verdict: DeliveryVerdict,
  attempt: number,
  retriesLeft: number,
  requestedMs: number | null,
  random: number,
): NextStep {
  if (verdict === 'delivered') return { status: 'delivered' };
  if (verdict !== 'retryable' || retriesLeft <= 0) return { status: 'failed' };
  return { status: 'pending', delayMs: deliveryRetryDelayMs(attempt, requestedMs, random) };
}

/**
 * The wait after a failed attempt, milliseconds: 1 s, 2 s, 4 s, 8 s … or the endpoint's `Retry-After` if that is
 * longer, plus up to 20 % jitter.
 */
export function deliveryRetryDelayMs(attempt: number, requestedMs: number | null, random: number): number {
  const waitMs = Math.max(FIRST_WAIT_MS * 2 ** (attempt - 1), Math.min(requestedMs ?? 0, MAX_RETRY_AFTER_MS));
  return Math.ceil(waitMs * (1 + JITTER * random));
}

/** The attempt's `error` for a response; null for a success. */
export function responseError(statusCode: number): string | null {
  if (judgeResponse(statusCode) === 'delivered') return null;
  if (statusCode >= 300 && statusCode < 400) return `the endpoint answered ${statusCode}: redirects are not followed`;
  return `the endpoint answered ${statusCode}`;
}
