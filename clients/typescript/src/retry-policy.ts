import { ParleyConnectionError, type ParleyError, ParleyTimeoutError } from './parley-error.js';

/** The first wait after a failure that does not say when to try again, milliseconds. Each further one is twice as long. */
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 8_000;

/** Answers that say that nothing was done, if they have a `Retry-After`. A 409 has it while the same request is in progress. */
const DEFERRED: ReadonlySet<number | null> = new Set([409, 429, 503]);
/** What proxies answer when they don't get an answer themselves, or refuse a request. */
const FROM_PROXIES: ReadonlySet<number | null> = new Set([429, 502, 503, 504]);
/** The connection was never made. */
const UNREACHED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EAI_AGAIN',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** The connection broke, or was closed in mid-answer; the request may have arrived. Browsers give no code. */
const BROKEN: ReadonlySet<unknown> = new Set([
  undefined,
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
]);

/**
 * The wait before the next attempt, milliseconds; null when a repetition is not safe or cannot help.
 *
 * An answer of Parley's own is final unless it has a `Retry-After`: repeated under the same key, the request would get
 * the same answer again. That includes 504, after which nobody knows whether the network sent the message. Nor is a
 * request repeated that timed out here: a slow server needs no second copy of the work.
 *
 * @param attempt how many attempts have failed
 * @param isRepeatable whether Parley recognises a repetition, or has nothing to do twice
 */
export function retryWaitMs(error: ParleyError, attempt: number, isRepeatable: boolean): number | null {
  if (error instanceof ParleyTimeoutError) return null;
  if (error instanceof ParleyConnectionError) {
    const code = connectionCode(error);
    return UNREACHED.has(code) || (isRepeatable && BROKEN.has(code)) ? backoffMs(attempt) : null;
  }
  const { status, code, retryAfterSeconds } = error;
  if (DEFERRED.has(status) && retryAfterSeconds !== null) return retryAfterSeconds * 1000;
  if (!isRepeatable || code !== null || !FROM_PROXIES.has(status)) return null;
  return retryAfterSeconds === null ? backoffMs(attempt) : retryAfterSeconds * 1000;
}

/** `fetch` rejects with a TypeError. In Node.js its cause has the code. */
function connectionCode({ cause }: ParleyConnectionError): unknown {
  const { code, cause: deeper } = Object(cause) as { code?: unknown; cause?: { code?: unknown } };
  return deeper?.code ?? code;
}

/** Random by a quarter, so that clients that failed together do not return together. */
function backoffMs(attempt: number): number {
  const wait = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), MAX_WAIT_MS);
  return wait * (0.75 + Math.random() / 4);
}
