import { request } from 'undici';
import { SECOND } from '../values/clock.js';
import type { ReceivedWebhook, WebhookAnswer } from './webhook-receiver.js';

/** Seconds: what an endpoint may have at most, so that there is time to look around in a debugger. */
export const FORWARD_TIMEOUT = 30;
/** What concerns the connection to us, not the one to the application. */
const HOP_HEADERS = new Set(['host', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']);
/** Of an answer, what Parley may look at. */
const ANSWER_HEADERS = ['content-type', 'retry-after'];

/** What an application answered to a webhook that was passed on. */
export interface Forwarded {
  /** Null when there was no answer. */
  readonly status: number | null;
  /** Why there was none. */
  readonly error: string | null;
  readonly durationMs: number;
  /** What Parley gets: the application's answer, or 502. */
  readonly answer: WebhookAnswer;
}

/**
 * Passes a webhook on as it came, signatures included. It never throws.
 *
 * @param signal ends it early
 */
export async function forwardWebhook(
  url: string,
  { headers, body }: ReceivedWebhook,
  signal: AbortSignal,
): Promise<Forwarded> {
  const started = performance.now();
  const durationMs = () => Math.round(performance.now() - started);
  try {
    const response = await request(url, {
      method: 'POST',
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.has(name))),
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(FORWARD_TIMEOUT * SECOND)]),
    });
    const said = Buffer.from(await response.body.arrayBuffer());
    const kept = ANSWER_HEADERS.flatMap((name) => {
      const value = response.headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    const answer = { status: response.statusCode, headers: Object.fromEntries(kept), body: said };
    return { status: response.statusCode, error: null, durationMs: durationMs(), answer };
  } catch (error) {
    const { code, message, name } = error as NodeJS.ErrnoException;
    const why = name === 'TimeoutError' ? `no answer within ${FORWARD_TIMEOUT} s` : code || message;
    return {
      status: null,
      error: why,
      durationMs: durationMs(),
      answer: { status: 502, body: `${url} could not be reached: ${why}` },
    };
  }
}
