import { DAY, HOUR, SECOND } from '../../values/clock.js';

/**
 * What an answer means for the delivery: `delivered`; `retryable`, to be tried again while retries are left; `refused`,
 * which no retry would change; `gone`, which also disables the endpoint.
 */
export type Verdict = 'delivered' | 'retryable' | 'refused' | 'gone';

/** An endpoint that has failed for this long without one success in between is disabled. */
export const FAILING_PATIENCE_MS = 5 * DAY;

/** Jitter is added to a wait, never taken off it. */
const JITTER = 0.2;
const FIRST_WAIT_MS = SECOND;
/** The longest wait that an endpoint may ask for. */
export const MAX_RETRY_AFTER_MS = HOUR;

/**
 * Judges one attempt. Redirects are failures that are retried.
 *
 * @param statusCode null when there was no answer: a timeout or a connection error
 */
export function judge(statusCode: number | null): Verdict {
  if (statusCode === null) return 'retryable';
  if (statusCode >= 200 && statusCode < 300) return 'delivered';
  if (statusCode === 410) return 'gone';
  return statusCode >= 400 && statusCode < 500 && statusCode !== 429 ? 'refused' : 'retryable';
}

/** What becomes of a delivery after an attempt. */
export type NextStep =
  | { readonly status: 'delivered' | 'failed' }
  /** Tried again `delayMs` after the attempt was recorded. */
  | { readonly status: 'pending'; readonly delayMs: number };

/**
 * Decides what follows an attempt.
 *
 * @param attempt which one it was, from 1
 * @param retriesLeft before this attempt failed
 * @param requestedMs how long the endpoint asked to be left alone, milliseconds; null when it did not
 * @param random from 0 up to 1
 */
export function nextStep(
  verdict: Verdict,
  attempt: number,
  retriesLeft: number,
  requestedMs: number | null,
  random: number,
): NextStep {
  if (verdict === 'delivered') return { status: 'delivered' };
  if (verdict !== 'retryable' || retriesLeft <= 0) return { status: 'failed' };
  return { status: 'pending', delayMs: retryDelayMs(attempt, requestedMs, random) };
}

/**
 * Milliseconds from a failed attempt to the next: 1 s, 2 s, 4 s, 8 s …, or as long as the endpoint asked for if that is
 * longer, and up to a fifth more.
 */
export function retryDelayMs(attempt: number, requestedMs: number | null, random: number): number {
  const waitMs = Math.max(FIRST_WAIT_MS * 2 ** (attempt - 1), Math.min(requestedMs ?? 0, MAX_RETRY_AFTER_MS));
  return Math.ceil(waitMs * (1 + JITTER * random));
}

/** Why an answer that came was no success, for the attempt's `error`; null for a success. */
export function answerError(statusCode: number): string | null {
  if (judge(statusCode) === 'delivered') return null;
  if (statusCode >= 300 && statusCode < 400) return `the endpoint answered ${statusCode}: redirects are not followed`;
  return `the endpoint answered ${statusCode}`;
}
