import type { ErrorResponse } from '../http/error-response.js';

/** An answer as a key keeps it, to be given again to the byte (D9). */
export interface StoredAnswer {
  readonly status: number;
  /** Those that belong to the outcome, such as `X-Message-Id`; not those of one request, such as rate limits. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON as it was sent. */
  readonly body: string;
}

/** Said on every answer that was not worked out by its own request. */
export const REPLAYED: Readonly<Record<string, string>> = { 'idempotency-replayed': 'true' };

/** Outcomes that do not last: who asks again may fare better (D9). */
const PASSING: ReadonlySet<number> = new Set([401, 403, 404, 429]);

/** Whether an outcome is kept for later requests with the same key (D9). */
export const isKept = (status: number): boolean => !PASSING.has(status) && (status < 500 || status === 504);

/** An error as a key keeps it. */
export const storedError = ({ status, headers, body }: ErrorResponse): StoredAnswer => ({
  status,
  headers,
  body: JSON.stringify(body),
});

/** A kept error as it goes over the wire again. */
export const errorAgain = ({ status, headers, body }: StoredAnswer): ErrorResponse => ({
  status,
  headers: { ...headers, ...REPLAYED },
  body: JSON.parse(body) as ErrorResponse['body'],
});
