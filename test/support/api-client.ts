import { describedAnswers } from './described-answers.js';

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

/** Calls Parley over HTTP with one API key, as a customer's program would. */
export class ApiClient {
  constructor(
    readonly baseUrl: string,
    readonly apiKey: string | null,
  ) {}

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
    { headers = {}, raw }: RequestOptions = {},
  ): Promise<ApiResponse<Body>> {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: {
        ...(this.apiKey === null ? {} : { authorization: `Bearer ${this.apiKey}` }),
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    });
    const text = await response.text();
    const type = response.headers.get('content-type');
    describedAnswers.check(method, path, response, text);
    const json = type?.includes('json') === true;
    return {
      status: response.status,
      headers: response.headers,
      body: (json && text !== '' ? JSON.parse(text) : {}) as Body,
      text,
    };
  }
}
