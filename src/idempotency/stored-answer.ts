import type { ErrorResponse } from '../http/error-response.js';

/** An answer as a key keeps it, to be repeated byte for byte. */
export interface StoredAnswer {
  readonly status: number;
  /** Headers of the outcome, such as `X-Message-Id`; not those of one request, such as rate limits. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON as it was sent. */
  readonly body: string;
}

/** The header of every repeated answer. */
export const REPLAYED: Readonly<Record<string, string>> = { 'idempotency-replayed': 'true' };

/** Outcomes that do not last: the next request may succeed. */
const PASSING: ReadonlySet<number> = new Set([401, 403, 404, 429]);

/** Whether an outcome is kept for later requests with the same key. */
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
