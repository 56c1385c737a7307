import type { ApiAnswer } from './api-call.js';
import { CsvDownload } from './csv-file.js';
import { FileDownload } from './file-download.js';
import { OPERATIONS, type OperationId, type OperationRoute, VERSION } from './generated/operations.js';
import { formOf, type MediaFile } from './media-file.js';
import {
  errorOfAnswer,
  errorOfRedirect,
  ParleyConnectionError,
  ParleyError,
  ParleyTimeoutError,
} from './parley-error.js';
import type { PostOptions } from './request-options.js';
import { responseDetails } from './response-details.js';
import { retryWaitMs } from './retry-policy.js';

/** The client's options, complete. */
export interface TransportSettings {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly headers: () => Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly retryWithinMs: number;
  readonly fetch: typeof fetch;
}

/** What an operation is called with. */
export interface CallArguments {
  /** Values of the path parameters, in order. */
  readonly path?: readonly string[];
  readonly query?: object;
  readonly body?: unknown;
  readonly options: PostOptions;
}

type RequestBody = NonNullable<RequestInit['body']>;

/** A request that can be sent several times. */
interface PreparedRequest {
  readonly operation: OperationId;
  readonly url: string;
  readonly init: { readonly method: string; readonly headers: Record<string, string>; readonly body?: RequestBody };
  readonly idempotencyKey: string | null;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

type ReadAnswer<T> = (response: Response, request: PreparedRequest) => Promise<T>;

/** Makes the requests of one client: authentication, timeouts, idempotency keys, retries and errors. */
export class Transport {
  constructor(private readonly settings: TransportSettings) {}

  /** @throws ParleyError; the reason of an aborted signal */
  request<T>(operation: OperationId, call: CallArguments): Promise<ApiAnswer<T>> {
    return this.withRetries(operation, call, async (response, { idempotencyKey }) => {
      const text = await response.text();
      const data = parsed<T>(text);
      if (data === null) throw errorOfAnswer(operation, response, `not JSON: ${text}`, idempotencyKey);
      return { data, response: responseDetails(response) };
    });
  }

  /** Like {@link request}, for a file. The promise is fulfilled when the file begins; reading it has no timeout. */
  download(operation: OperationId, call: CallArguments): Promise<ApiAnswer<CsvDownload>> {
    return this.withRetries(operation, call, async (response) => ({
      data: new CsvDownload(response),
      response: responseDetails(response),
    }));
  }

  /** Downloads a file of any type. */
  downloadFile(operation: OperationId, call: CallArguments): Promise<ApiAnswer<FileDownload>> {
    return this.withRetries(operation, call, async (response) => ({
      data: new FileDownload(response),
      response: responseDetails(response),
    }));
  }

  private async withRetries<T>(operation: OperationId, call: CallArguments, read: ReadAnswer<T>): Promise<T> {
    const request = this.prepare(operation, call);
    const { maxRetries = this.settings.maxRetries } = call.options;
    const isRepeatable = request.init.method === 'GET' || request.idempotencyKey !== null;
    const started = performance.now();
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(request, read);
      } catch (error) {
        if (!(error instanceof ParleyError) || attempt > maxRetries) throw error;
        const wait = retryWaitMs(error, attempt, isRepeatable);
        if (wait === null || performance.now() - started + wait > this.settings.retryWithinMs) throw error;
        await pause(wait, request.signal);
      }
    }
  }

  private prepare(operation: OperationId, { path = [], query = {}, body, options }: CallArguments): PreparedRequest {
    const route: OperationRoute = OPERATIONS[operation];
    const { method } = route;
    const idempotencyKey = method === 'POST' ? (options.idempotencyKey ?? randomKey()) : null;
    const headers: Record<string, string> = { accept: ACCEPTED[route.answer] };
    if (this.settings.apiKey !== undefined) {
      headers['authorization'] = `Bearer ${this.settings.apiKey}`;
      // Where a person has signed in, the browser says which one it is.
      headers['user-agent'] = `parley-client/${VERSION}`;
    }
    if (idempotencyKey !== null) headers['idempotency-key'] = idempotencyKey;
    // The type of a form names its boundary, which fetch draws.
    if (body !== undefined && route.body !== 'form') headers['content-type'] = CONTENT_TYPES[route.body ?? 'json'];
    return {
      operation,
      url: this.settings.baseUrl + pathOf(route.path, path) + searchOf(query),
      init: { method, headers, ...(body === undefined ? {} : { body: bodyOf(route, body) }) },
      idempotencyKey,
      timeoutMs: options.timeoutMs ?? this.settings.timeoutMs,
      signal: options.signal,
    };
  }

  /** One attempt, until `read` has what it needs of the answer. */
  private async attempt<T>(request: PreparedRequest, read: ReadAnswer<T>): Promise<T> {
    const { operation, url, init, idempotencyKey, timeoutMs, signal } = request;
    signal?.throwIfAborted();
    const headers = { ...this.settings.headers(), ...init.headers };
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeoutMs);
    const either = signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]);
    try {
      // Followed, a redirected POST would become a GET whose answer looks like success.
      const response = await this.settings.fetch(url, { ...init, headers, redirect: 'manual', signal: either });
      if (isRedirect(response)) {
        await response.body?.cancel();
        throw errorOfRedirect(operation, response, url, idempotencyKey);
      }
      if (!response.ok) throw errorOfAnswer(operation, response, await response.text(), idempotencyKey);
      return await read(response, request);
    } catch (error) {
      if (error instanceof ParleyError) throw error;
      signal?.throwIfAborted();
      if (timeout.signal.aborted) {
        const detail = `no answer within ${timeoutMs} ms`;
        throw new ParleyTimeoutError(operation, { response: null, detail, idempotencyKey }, { cause: error });
      }
      throw new ParleyConnectionError(
        operation,
        { response: null, detail: `no answer from ${this.settings.baseUrl}: ${reasonOf(error)}`, idempotencyKey },
        { cause: error },
      );
    } finally {
      clearTimeout(timer);
    }
  }
}

/** @throws TypeError for an empty parameter, which would make it another route */
function pathOf(template: string, values: readonly string[]): string {
  let next = 0;
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[next++];
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} must be a string that is not empty`);
    return encodeURIComponent(value);
  });
}

function searchOf(query: object): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? '' : `?${search}`;
}

const CONTENT_TYPES = { json: 'application/json', csv: 'text/csv' } as const;

function bodyOf(route: OperationRoute, body: unknown): RequestBody {
  if (route.body === 'form') return formOf(body as MediaFile);
  return route.body === 'csv' ? (body as RequestBody) : JSON.stringify(body);
}

/** Null when it is not JSON: no answer of Parley's is `null`. */
function parsed<T>(text: string): T | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** In a browser, a redirect that is not followed is an opaque answer. */
const isRedirect = ({ status, type }: Response): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400);

/** 32 hex digits. `crypto.randomUUID` is missing on pages that were not loaded over https. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Waits; rejects with the signal's reason when it is aborted. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

/** `fetch failed` says nothing; its cause does. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  const { message: reason, code } = Object(cause) as { message?: string; code?: string };
  return reason || code || message;
}

const ACCEPTED = { json: 'application/json', csv: 'text/csv, application/json', file: '*/*' } as const;
