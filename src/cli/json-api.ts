import { CommandFailure } from './command-failure.js';

/** How long an answer may take, milliseconds: longer than any that Parley gives. */
const TIMEOUT_MS = 60_000;
/** Characters of an answer without a message of its own that are shown. */
const MAX_SHOWN = 300;

/** A request that was answered, and not with success. */
export class ApiRefusal extends CommandFailure {
  /** @param reason in the words of the answer */
  constructor(
    place: string,
    readonly status: number,
    readonly reason: string,
  ) {
    super(`${place} answered ${status}: ${reason}`);
  }
}

/** Where requests go, and what is said if nobody is there. */
export interface JsonApiOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** One line, also what to do. */
  readonly absent: string;
}

/** Calls a server that speaks JSON, as any customer would. Every failure is one line. */
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
   * @throws ApiRefusal for an answer other than 2xx
   * @throws CommandFailure when there is none
   */
  private async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { baseUrl, apiKey } = this.options;
    const response = await fetch(baseUrl + path, {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      throw this.absence(error);
    });
    const text = await response.text();
    const json = parse(text);
    const place = `${method} ${baseUrl}${path}`;
    if (!response.ok) throw new ApiRefusal(place, response.status, reasonOf(json) ?? text.slice(0, MAX_SHOWN));
    if (json === null) throw new CommandFailure(`${place} did not answer in JSON: is that Parley?`);
    return json as T;
  }

  private absence(error: Error): CommandFailure {
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
