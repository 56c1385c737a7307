import type { components } from './generated/schema.js';
import { type ResponseDetails, responseDetails, retryAfterSeconds } from './response-details.js';

type Schemas = components['schemas'];
type ErrorSchemas = { [Name in keyof Schemas]: Schemas[Name] extends { error: infer Code } ? Code : never };

/** The codes of Parley's errors, such as `conflict`. docs/errors.md explains each. */
export type ErrorCode = Extract<ErrorSchemas[Extract<keyof Schemas, `${string}Error`>], string>;

/**
 * A call that failed. Decide by {@link status} and {@link code}; `message` and {@link detail} are for people.
 *
 * Without an answer it is a {@link ParleyConnectionError}. A call that its `signal` aborts rejects with the signal's
 * reason instead.
 */
export class ParleyError extends Error {
  override readonly name: string = 'ParleyError';
  /** The HTTP status; null without an answer. */
  readonly status: number | null;
  /**
   * Null without an answer, for an answer that is not Parley's (such as a proxy's), and for the few refusals that
   * have only a text: broken rules of templates (422) and free-form sends outside the service window (403).
   */
  readonly code: ErrorCode | null;
  /** What is wrong, in Parley's words: names the field, the limit and the value. */
  readonly detail: string;
  /** Seconds to wait before another attempt; null when Parley does not say. */
  readonly retryAfterSeconds: number | null;
  /** `X-Message-Id`: the message of a failed send that was stored all the same. */
  readonly messageId: string | null;
  /** The idempotency key of the request, to repeat it with; null if it had none. */
  readonly idempotencyKey: string | null;
  /** The answer's headers and what they say; null without an answer. */
  readonly response: ResponseDetails | null;

  constructor(operation: string, failure: Failure, options?: ErrorOptions) {
    const { response, code = null, detail, idempotencyKey } = failure;
    const requestId = response?.headers.get('x-request-id');
    const reason = [response?.status, code].filter((part) => part != null).join(' ');
    super(
      `${operation}: ${reason === '' ? '' : `${reason}: `}${detail}${requestId ? ` (request ${requestId})` : ''}`,
      options,
    );
    this.status = response?.status ?? null;
    this.code = code;
    this.detail = detail;
    this.idempotencyKey = idempotencyKey;
    this.response = response === null ? null : responseDetails(response);
    this.retryAfterSeconds = response === null ? null : retryAfterSeconds(response.headers, Date.now());
    this.messageId = response?.headers.get('x-message-id') ?? null;
  }

  /** `X-Request-Id`: whoever operates Parley finds the request by it. */
  get requestId(): string | null {
    return this.response?.requestId ?? null;
  }
}

/**
 * No complete answer arrived. Nobody knows whether the request took effect: look, or repeat it with the same
 * {@link ParleyError.idempotencyKey}. `cause` has the error of the connection.
 */
export class ParleyConnectionError extends ParleyError {
  override readonly name: string = 'ParleyConnectionError';
}

/** No complete answer arrived within `timeoutMs`. */
export class ParleyTimeoutError extends ParleyConnectionError {
  override readonly name: string = 'ParleyTimeoutError';
}

/** What is known about a failed request. */
export interface Failure {
  readonly response: Response | null;
  readonly code?: ErrorCode | null;
  readonly detail: string;
  readonly idempotencyKey: string | null;
}

/** Characters that are kept of a body that is not Parley's. */
const MAX_SHOWN = 300;

/** The error of an answer that is not 2xx, with either of Parley's bodies: `{error, message}` or `{detail}`. */
export function errorOfAnswer(
  operation: string,
  response: Response,
  text: string,
  idempotencyKey: string | null,
): ParleyError {
  const { error, message, detail } = parsed(text);
  const isOurs = typeof error === 'string' && typeof message === 'string';
  const foreign = text.slice(0, MAX_SHOWN) || response.statusText || 'no body';
  return new ParleyError(operation, {
    response,
    code: isOurs ? (error as ErrorCode) : null,
    detail: isOurs ? message : typeof detail === 'string' ? detail : foreign,
    idempotencyKey,
  });
}

/**
 * The error of a redirect. It is not followed: that could turn a POST into a GET, and would send the key to another
 * place.
 */
export function errorOfRedirect(
  operation: string,
  response: Response,
  url: string,
  idempotencyKey: string | null,
): ParleyError {
  const location = response.headers.get('location');
  const target =
    location === null
      ? 'to an address that is not known here (browsers hide it)'
      : `to ${URL.canParse(location, url) ? new URL(location, url) : location}`;
  const detail = `redirected ${target}; redirects are not followed, so set baseUrl to the address of Parley itself`;
  return new ParleyError(operation, { response, detail, idempotencyKey });
}

function parsed(text: string): { error?: unknown; message?: unknown; detail?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
