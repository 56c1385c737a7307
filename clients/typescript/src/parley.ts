import { Resources } from './generated/resources.js';
import { Transport } from './transport.js';

/** How to reach Parley, and with which key. */
export interface ParleyOptions {
  /** Parley's address, such as `https://parley.example.com`; `npm start` prints that of a sandbox. */
  readonly baseUrl: string;
  /**
   * A key of the account, `pk_live_…`. A page that Parley itself serves has none: the browser sends the cookie of the
   * person who has signed in.
   */
  readonly apiKey?: string;
  /** Further headers, asked for before each attempt. */
  readonly headers?: (() => Readonly<Record<string, string>>) | undefined;
  /** Milliseconds for one attempt of a request. Default: 60,000, longer than any answer of Parley's takes. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first one, where they are safe. Default: 3. */
  readonly maxRetries?: number | undefined;
  /**
   * Milliseconds after which a call starts no further attempt. Default: 90,000, longer than a key that has used up its
   * requests has to wait.
   */
  readonly retryWithinMs?: number | undefined;
  /** Replaces the global `fetch`, for a proxy or a log. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * A client of Parley's HTTP API. Its groups of methods are those of the API: `parley.contacts.create(…)` is the
 * operation `contacts.create`. Path parameters come first, then the body or query, then options.
 *
 * Every POST has an idempotency key, so retries never do anything twice. 429 and 503 are retried after `Retry-After`,
 * as are connections that broke and the 502, 503 and 504 of proxies. Redirects are errors.
 */
export class Parley extends Resources {
  /** @throws TypeError when `baseUrl` is not an http or https address, or `apiKey` cannot be a key */
  constructor(options: ParleyOptions) {
    const { baseUrl, apiKey, headers, timeoutMs = 60_000, maxRetries = 3, retryWithinMs = 90_000, fetch } = options;
    if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl)) {
      throw new TypeError(`baseUrl must be an http or https address ("${baseUrl}")`);
    }
    // A variable that is not set must not become a request without a key.
    if ('apiKey' in options && (apiKey === undefined || !/^[\x21-\x7e]+$/.test(apiKey))) {
      throw new TypeError('apiKey must be a key of the account, without blanks');
    }
    super(
      new Transport({
        baseUrl: baseUrl.replace(/(?<!\/)\/+$/, ''),
        apiKey,
        headers: headers ?? (() => ({})),
        timeoutMs,
        maxRetries,
        retryWithinMs,
        // Looked up for each request: programs replace the global one, for example in tests.
        fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
      }),
    );
  }
}
