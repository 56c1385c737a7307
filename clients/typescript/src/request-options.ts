/** How to make one request. */
export interface RequestOptions {
  /** Aborts the request, its retries and the waits between them. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt; by default that of the client. Of a download, only until it begins. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first one; by default that of the client. 0 for none. */
  readonly maxRetries?: number | undefined;
}

/** How to make one POST. */
export interface PostOptions extends RequestOptions {
  /**
   * 1 to 255 characters that identify the request: within 24 hours, Parley repeats the first answer instead of doing
   * it again. By default a random one, which makes this call's own retries safe. Pass one of yours, such as an order
   * number, if your program may make the same call again after a crash.
   */
  readonly idempotencyKey?: string | undefined;
}
