import type { OnApplicationShutdown } from '@nestjs/common';
import { Agent, type Client, Pool } from 'undici';
import { EgressError, NOT_FINISHED, tooLate } from './egress-error.js';
import type { EgressGuard, EgressPolicy } from './egress-guard.js';
import { Exchange, type ResponseHead, type ResponseSink } from './exchange.js';
import { type ExchangeDispatch, GuardedClient, GuardedConnector } from './guarded-client.js';
import { BufferedResponse, type EgressDownload, type EgressResponse, StreamedResponse } from './response-sinks.js';
import { encodedBytes } from './url-rules.js';

/** Connection limits, the same for all customers. */
export interface EgressClientOptions {
  /** Maximum sockets per origin; 128 by default, because one host may serve the endpoints of many tenants. */
  readonly connectionsPerOrigin?: number;
  /** Milliseconds that an idle connection is kept alive, unless the server asks for less; 4,000 by default. */
  readonly keepAliveMs?: number;
}

/** A request to a customer's URL. */
export interface EgressRequest extends EgressPolicy {
  readonly url: string;
  /** GET by default. */
  readonly method?: 'GET' | 'HEAD' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  /** Milliseconds for the whole request: its turn, name, connection, redirects, headers and body. No part has a limit of its own. */
  readonly timeoutMs: number;
  /** When that time is over, by `performance.now()`, if it has begun before. */
  readonly deadline?: number;
  /**
   * Redirects that a GET or HEAD follows, each checked like the first URL; with 0 (default) the redirect is returned.
   */
  readonly redirects?: number;
  /** Cancels the request, also while its body is being read. */
  readonly signal?: AbortSignal;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * The only client for customer-supplied URLs. Every connection passes the guard, every response has a deadline and a
 * size limit, and connections are kept alive and limited per origin.
 */
export class EgressClient implements OnApplicationShutdown {
  private readonly openAgents: Agents;
  private readonly httpsAgents: Agents;

  constructor(
    private readonly guard: EgressGuard,
    options: EgressClientOptions = {},
  ) {
    // By policy: a connection must only be reused under the one that it was checked against.
    this.openAgents = makeAgents(guard, {}, options);
    this.httpsAgents = makeAgents(guard, { httpsOnly: true }, options);
  }

  /**
   * Sends a request and buffers the response up to `maxResponseBytes`; of the rest, a little is read and the connection is
   * closed beyond that. A response counts once its headers have arrived in time: if its body then breaks off or is late,
   * what came of it is returned. It is decoded by its `Content-Encoding`, up to `maxResponseBytes` too; what is wrong with
   * that is odd, but never an error.
   *
   * @throws EgressError
   */
  async request(request: EgressRequest & { readonly maxResponseBytes: number }): Promise<EgressResponse> {
    return this.follow(request, (url, send) => {
      const response = new BufferedResponse(request.maxResponseBytes);
      send(url, response);
      return response.response;
    });
  }

  /**
   * Sends a request and resolves as soon as the headers arrive. The body is decoded by its `Content-Encoding`. It fails with
   * an EgressError when it breaks off, times out, exceeds `maxBytes` once decoded (`too_large`) or cannot be decoded
   * (`unknown_encoding`, `bad_encoding`). Destroy the body if you don't read it to the end.
   *
   * @throws EgressError
   */
  async download(request: EgressRequest & { readonly maxBytes: number }): Promise<EgressDownload> {
    const { maxBytes, timeoutMs } = request;
    const limits = { maxBytes, deadline: deadlineOf(request), late: () => tooLate(timeoutMs, NOT_FINISHED) };
    return this.follow(
      request,
      (url, send) => {
        const response = new StreamedResponse(limits);
        send(url, response);
        return response.download;
      },
      ({ body }) => body.destroy(),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    const agents = [this.openAgents, this.httpsAgents].flatMap(({ pooled, fresh }) => [pooled, fresh]);
    await Promise.all(agents.map((agent) => agent.destroy()));
  }

  private async follow<Result extends ResponseHead>(
    request: EgressRequest,
    exchange: (url: URL, send: (url: URL, sink: ResponseSink) => void) => Promise<Result>,
    drop: (response: Result) => void = () => undefined,
  ): Promise<Result> {
    const deadline = deadlineOf(request);
    const send = (url: URL, sink: ResponseSink) => this.dispatch({ request, url, deadline }, sink, false);
    const { redirects = 0, method = 'GET' } = request;
    let url = this.guard.inspect(request.url, request);
    for (let hop = 0; ; hop += 1) {
      const response = await exchange(url, send).catch((error: unknown) => {
        throw hop > 0 && error instanceof EgressError && error.kind !== 'timeout' ? error.afterRedirect() : error;
      });
      const { location } = response.headers;
      if (redirects === 0 || method === 'POST' || !REDIRECTS.has(response.status) || !location) return response;
      drop(response);
      if (hop === redirects) throw new EgressError('too_many_redirects', `redirects more than ${redirects} times`);
      url = this.inspectRedirect(url, location, request);
    }
  }

  /** @param header as given; the first of several counts, as in browsers */
  private inspectRedirect(from: URL, header: string | readonly string[], policy: EgressPolicy): URL {
    try {
      const [first = ''] = [header].flat();
      // As browsers read it: blanks are encoded, and what it is relative to is known.
      return this.guard.inspect(new URL(encodedBytes(first), from).href, policy);
    } catch (error) {
      if (error instanceof EgressError) throw error.afterRedirect();
      throw new EgressError('bad_url', 'redirects to an invalid URL', error);
    }
  }

  /** @param afresh whether to open a connection for this request alone */
  private dispatch(hop: Hop, sink: ResponseSink, afresh: boolean): void {
    const { request, url, deadline } = hop;
    const exchange = new Exchange(sink, {
      deadline,
      totalTimeoutMs: request.timeoutMs,
      mayHaveBody: request.method !== 'HEAD',
      signal: request.signal,
      retryAfresh: afresh ? null : () => this.dispatch(hop, sink, true),
    });
    const { pooled, fresh } = request.httpsOnly ? this.httpsAgents : this.openAgents;
    const options: ExchangeDispatch = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method ?? 'GET',
      headers: { 'user-agent': 'Parley', ...request.headers },
      body: request.body ?? null,
      reset: afresh,
      exchange,
    };
    try {
      (afresh ? fresh : pooled).dispatch(options, exchange);
    } catch (error) {
      exchange.onResponseError(null, error);
    }
  }
}

/** When a request ends at the latest, by `performance.now()`. */
const deadlineOf = ({ deadline, timeoutMs }: EgressRequest): number => deadline ?? performance.now() + timeoutMs;

/** One request to one URL of a chain of redirects. */
interface Hop {
  readonly request: EgressRequest;
  readonly url: URL;
  /** By `performance.now()`. */
  readonly deadline: number;
}

/** Pools of connections: one that keeps them alive, and one whose connections carry a single request each. */
interface Agents {
  readonly pooled: Agent;
  readonly fresh: Agent;
}

function makeAgents(guard: EgressGuard, policy: EgressPolicy, options: EgressClientOptions): Agents {
  const connector = new GuardedConnector(guard, policy);
  const makeClient = (origin: URL, given: object) => new GuardedClient(origin, given as Client.Options, connector);
  const makeAgent = () =>
    new Agent({
      factory: (origin, given) => new Pool(origin, { ...given, factory: makeClient }),
      connections: options.connectionsPerOrigin ?? 128,
      pipelining: 1,
      keepAliveTimeout: options.keepAliveMs ?? 4000,
      keepAliveMaxTimeout: 30_000,
      // The exchange enforces one deadline for everything.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: 16 * 1024,
    });
  return { pooled: makeAgent(), fresh: makeAgent() };
}
