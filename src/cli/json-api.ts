import { CommandFailure } from './command-failure.js';

/** Timeout of a request, milliseconds: longer than any answer of Parley's takes. */
const TIMEOUT_MS = 60_000;
/** Characters shown of an error without a message. */
const MAX_SHOWN = 300;

/** An answer with an error status. */
export class ApiRefusal extends CommandFailure {
  /** @param reason the message of the answer */
  constructor(
    place: string,
    readonly status: number,
    readonly reason: string,
  ) {
    super(`${place} answered ${status}: ${reason}`);
  }
}

/** The server to call, and the error when it is not running. */
export interface JsonApiOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The one-line error when nothing listens at `baseUrl`, including what to do. */
  readonly absent: string;
}

/** Calls a JSON API over HTTP. Every failure has a one-line message. */
export class JsonApi {
  constructor(private readonly options: JsonApiOptions) {}

  get baseUrl(): string {
    return this.options.baseUrl;
  }

  get<T>(path: string): Promise<T> {
    return this.call<T>('GET', path);
  }

  post<T = unknown>(path: string, body: unknown = {}): Promise<T> {
    return this.call<T>('POST', path, body);
  }

  delete<T = unknown>(path: string): Promise<T> {
    return this.call<T>('DELETE', path);
  }

  /**
   * @throws ApiRefusal for an answer other than 2xx, such as a redirect
   * @throws CommandFailure when there is no answer
   */
  private async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { baseUrl, apiKey } = this.options;
    const response = await fetch(baseUrl + path, {
      method,
      // Followed, a redirected POST would become a GET whose answer looks like success.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      throw this.failureOf(error);
    });
    const text = await response.text();
    const json = parse(text);
    const place = `${method} ${baseUrl}${path}`;
    const target = response.headers.get('location');
    if (response.status < 400 && target !== null) {
      throw new ApiRefusal(place, response.status, `it redirects to ${target}. Use the address of Parley itself`);
    }
    if (!response.ok) throw new ApiRefusal(place, response.status, reasonOf(json) ?? text.slice(0, MAX_SHOWN));
    if (json === null) throw new CommandFailure(`${place} did not answer with JSON: is this Parley?`);
    return json as T;
  }

  private failureOf(error: Error): CommandFailure {
    const { absent, baseUrl } = this.options;
    const cause = error.cause as { code?: string; message?: string } | undefined;
    if (cause?.code === 'ECONNREFUSED') return new CommandFailure(absent);
    return new CommandFailure(`no answer from ${baseUrl}: ${cause?.message || error.message}`);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function reasonOf(json: unknown): string | null {
  const { message, detail } = (json ?? {}) as { message?: unknown; detail?: unknown };
  const reason = message ?? detail;
  return typeof reason === 'string' ? reason : null;
}
