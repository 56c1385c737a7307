import { describedAnswers } from './described-answers.js';
import { exchange } from './exchange.js';

/** The response to one request. */
export interface ApiResponse<Body = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  readonly text: string;
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Body to send as it is, without JSON encoding. */
  readonly raw?: string | Uint8Array;
}

/** How long a request is repeated before its refusal is the answer, milliseconds. */
const PATIENCE_MS = 60_000;

/**
 * Calls Parley over HTTP with one API key, as a customer's program would. It repeats a request that the service refuses
 * for now: 503 `unavailable` with Retry-After, which promises that nothing was done. On a busy machine any of several
 * requests that compete for the same rows may wait longer for a lock than the service lets it. Other answers, and a 503
 * of another kind, are returned.
 */
export class ApiClient {
  constructor(
    readonly baseUrl: string,
    readonly apiKey: string | null,
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  /** A client that returns every refusal. For tests about refusals. */
  get impatient(): ApiClient {
    return new ApiClient(this.baseUrl, this.apiKey, 0);
  }

  get<Body = Record<string, unknown>>(path: string, options?: RequestOptions): Promise<ApiResponse<Body>> {
    return this.request<Body>('GET', path, undefined, options);
  }

  post<Body = Record<string, unknown>>(
    path: string,
    body?: unknown,
    options?: RequestOptions,
  ): Promise<ApiResponse<Body>> {
    return this.request<Body>('POST', path, body, options);
  }

  patch<Body = Record<string, unknown>>(path: string, body?: unknown): Promise<ApiResponse<Body>> {
    return this.request<Body>('PATCH', path, body);
  }

  delete<Body = Record<string, unknown>>(path: string, body?: unknown): Promise<ApiResponse<Body>> {
    return this.request<Body>('DELETE', path, body);
  }

  async request<Body>(
    method: string,
    path: string,
    body?: unknown,
    options: RequestOptions = {},
  ): Promise<ApiResponse<Body>> {
    const startedAt = performance.now();
    for (;;) {
      const response = await this.once<Body>(method, path, body, options);
      const retryAfterMs = retryAfterOf(response) * 1000;
      if (retryAfterMs === 0 || performance.now() - startedAt >= this.patienceMs) return response;
      await new Promise((resolve) => setTimeout(resolve, retryAfterMs));
    }
  }

  private async once<Body>(
    method: string,
    path: string,
    body: unknown,
    { headers = {}, raw }: RequestOptions,
  ): Promise<ApiResponse<Body>> {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await exchange(this.baseUrl + path, {
      method,
      headers: {
        ...(this.apiKey === null ? {} : { authorization: `Bearer ${this.apiKey}` }),
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    });
    const { text } = response;
    const type = response.headers.get('content-type');
    describedAnswers.check(method, path, response);
    const json = type?.includes('json') === true;
    return {
      status: response.status,
      headers: response.headers,
      body: (json && text !== '' ? JSON.parse(text) : {}) as Body,
      text,
    };
  }
}

/** The same account, with a client that returns every refusal. For tests about refusals. */
export const impatient = <Account extends { readonly api: ApiClient }>(account: Account): Account => ({
  ...account,
  api: account.api.impatient,
});

/** Seconds after which a refused request may come again; 0 for any other answer. */
function retryAfterOf({ status, headers, text }: ApiResponse<unknown>): number {
  const retryAfter = headers.get('retry-after') ?? '';
  const isRefusal = status === 503 && text.startsWith('{"error":"unavailable"') && /^[1-9]\d*$/.test(retryAfter);
  return isRefusal ? Number(retryAfter) : 0;
}
