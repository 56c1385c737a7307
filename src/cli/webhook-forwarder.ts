import { request } from 'undici';
import { SECOND } from '../values/clock.js';
import type { ReceivedWebhook, WebhookAnswer } from './webhook-receiver.js';

/** Seconds: the longest endpoint timeout, to leave time for a debugger. */
export const FORWARD_TIMEOUT = 30;
/** Headers of the connection to us, which are not forwarded. */
const HOP_HEADERS = new Set(['host', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']);
/** Answer headers that are passed back to Parley. */
const ANSWER_HEADERS = ['content-type', 'retry-after'];

/** The application's answer to a forwarded webhook. */
export interface Forwarded {
  /** Null when there was no answer. */
  readonly status: number | null;
  /** Why there was no answer, or null. */
  readonly error: string | null;
  readonly durationMs: number;
  /** The answer to Parley: the application's, or a 502. */
  readonly answer: WebhookAnswer;
}

/**
 * Forwards a webhook unchanged, signatures included. Never throws.
 *
 * @param signal aborts the request
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
    const answerBody = Buffer.from(await response.body.arrayBuffer());
    const answerHeaders = ANSWER_HEADERS.flatMap((name) => {
      const value = response.headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    const answer = { status: response.statusCode, headers: Object.fromEntries(answerHeaders), body: answerBody };
    return { status: response.statusCode, error: null, durationMs: durationMs(), answer };
  } catch (error) {
    const { code, message, name } = error as NodeJS.ErrnoException;
    const reason = name === 'TimeoutError' ? `no answer within ${FORWARD_TIMEOUT} s` : code || message;
    return {
      status: null,
      error: reason,
      durationMs: durationMs(),
      answer: { status: 502, body: `${url} could not be reached: ${reason}` },
    };
  }
}
