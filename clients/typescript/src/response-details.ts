/** The state of the key's rate limit after a request. */
export interface RateLimit {
  /** Requests that the key may make in any 60 seconds. */
  readonly limit: number;
  /** How many of them are left. */
  readonly remaining: number;
  /** Seconds until requests are given back. */
  readonly resetSeconds: number;
}

/** What an answer says besides its body. */
export interface ResponseDetails {
  readonly status: number;
  readonly headers: Headers;
  /** `X-Request-Id`: whoever operates Parley finds the request by it. Null when a proxy answered. */
  readonly requestId: string | null;
  /** Null for requests that do not count, such as those of `health`. */
  readonly rateLimit: RateLimit | null;
  /**
   * Up to 20 top-level fields of the body and query that the route did not read, such as misspelled ones. Only calls
   * that bypass the types can have any.
   */
  readonly ignoredFields: readonly string[];
  /** Whether this is the stored answer of an earlier request with the same idempotency key. */
  readonly replayed: boolean;
}

export function responseDetails({ status, headers }: Response): ResponseDetails {
  return {
    status,
    headers,
    requestId: headers.get('x-request-id'),
    rateLimit: rateLimitOf(headers),
    ignoredFields: (headers.get('x-ignored-fields') ?? '')
      .split(',')
      .filter((name) => name !== '')
      .map((name) => decodeURIComponent(name.trim())),
    replayed: headers.get('idempotency-replayed') === 'true',
  };
}

function rateLimitOf(headers: Headers): RateLimit | null {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`));
  if (!limit || !remaining || !reset) return null;
  return { limit: Number(limit), remaining: Number(remaining), resetSeconds: Number(reset) };
}

/**
 * `Retry-After` in seconds, from seconds or a date; null when it is absent or neither.
 *
 * @param at the current time, milliseconds since 1970
 */
export function retryAfterSeconds(headers: Headers, at: number): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - at) / 1000));
}
