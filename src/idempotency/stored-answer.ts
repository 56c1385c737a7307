import type { ErrorResponse } from '../http/error-response.js';

/** The stored answer of a key, replayed byte for byte. */
export interface StoredAnswer {
  readonly status: number;
  /** Headers of the outcome, such as `X-Message-Id`, not of a single request, such as rate limits. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON as sent. */
  readonly body: string;
}

/** The header of every replayed answer. */
export const REPLAYED: Readonly<Record<string, string>> = { 'idempotency-replayed': 'true' };

/** Transient outcomes: the next request may succeed. */
const TRANSIENT: ReadonlySet<number> = new Set([401, 403, 404, 429]);

/** Whether an outcome is stored for later requests with the same key. */
export const isStored = (status: number): boolean => !TRANSIENT.has(status) && (status < 500 || status === 504);

/** Converts an error response into the stored form. */
export const storedError = ({ status, headers, body }: ErrorResponse): StoredAnswer => ({
  status,
  headers,
  body: JSON.stringify(body),
});

/** Converts a stored error into the replayed response. */
export const replayedError = ({ status, headers, body }: StoredAnswer): ErrorResponse => ({
  status,
  headers: { ...headers, ...REPLAYED },
  body: JSON.parse(body) as ErrorResponse['body'],
});
