import { ParleyConnectionError, type ParleyError } from './parley-error.js';

/** The first wait after a broken connection, milliseconds. Each further one is twice as long. */
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 8_000;

/** Answers that say that nothing was done and when to try again. A 409 says so while the same request is in progress. */
const REPEATABLE_STATUSES: ReadonlySet<number | null> = new Set([409, 429, 503]);
/** The connection was never made. */
const UNREACHED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EAI_AGAIN',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** The connection broke; the request may have arrived. */
const BROKEN: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/**
 * The wait before the next attempt, milliseconds; null when a repetition is not safe or cannot help.
 *
 * A 504 is never repeated: the message may have been sent. Nor is a request that timed out: whoever is slow needs no
 * second copy of the work.
 *
 * @param attempt how many attempts have failed
 * @param isRepeatable whether Parley recognises a repetition, or has nothing to do twice
 */
export function retryWaitMs(error: ParleyError, attempt: number, isRepeatable: boolean): number | null {
  if (error instanceof ParleyConnectionError) {
    const code = connectionCode(error);
    return UNREACHED.has(code) || (isRepeatable && BROKEN.has(code)) ? backoffMs(attempt) : null;
  }
  const { status, retryAfterSeconds } = error;
  return REPEATABLE_STATUSES.has(status) && retryAfterSeconds !== null ? retryAfterSeconds * 1000 : null;
}

/** `fetch` rejects with a TypeError whose cause has the code. */
function connectionCode({ cause }: ParleyConnectionError): unknown {
  const { code, cause: deeper } = Object(cause) as { code?: unknown; cause?: { code?: unknown } };
  return deeper?.code ?? code;
}

/** Random by a quarter, so that clients that failed together do not return together. */
function backoffMs(attempt: number): number {
  const wait = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), MAX_WAIT_MS);
  return wait * (0.75 + Math.random() / 4);
}
