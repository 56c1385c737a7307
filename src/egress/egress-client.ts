import type { OnApplicationShutdown } from '@nestjs/common';
import { Agent } from 'undici';
import { EgressError } from './egress-error.js';
import type { EgressGuard, EgressPolicy } from './egress-guard.js';
import { Exchange, type ResponseHead, type ResponseSink } from './exchange.js';
import { guardedConnector } from './guarded-connector.js';
import { BufferedResponse, type EgressDownload, type EgressResponse, StreamedResponse } from './response-sinks.js';

/** Connection limits, the same for all customers. */
export interface EgressClientOptions {
  /** Milliseconds for DNS, TCP and TLS together; 5,000 by default. */
  readonly connectTimeoutMs?: number;
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
  /** Milliseconds for the whole request: connection, redirects, headers and body. */
  readonly timeoutMs: number;
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
  private readonly openAgent: Agent;
  private readonly httpsAgent: Agent;

  constructor(
    private readonly guard: EgressGuard,
    options: EgressClientOptions = {},
  ) {
    // Two agents: a connection must only be reused under the policy that it was checked against.
    this.openAgent = makeAgent(guard, {}, options);
    this.httpsAgent = makeAgent(guard, { httpsOnly: true }, options);
  }

  /**
   * Sends a request and buffers the response up to `maxResponseBytes`; the rest is cut off.
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
   * Sends a request and resolves as soon as the headers arrive. The body fails with an EgressError when it breaks off,
   * times out, or exceeds `maxBytes` (`too_large`). Destroy the body if you don't read it to the end.
   *
   * @throws EgressError
   */
  async download(request: EgressRequest & { readonly maxBytes: number }): Promise<EgressDownload> {
    return this.follow(
      request,
      (url, send) => {
        const response = new StreamedResponse(request.maxBytes);
        send(url, response);
        return response.download;
      },
      ({ body }) => body.destroy(),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.openAgent.destroy(), this.httpsAgent.destroy()]);
  }

  private async follow<Result extends ResponseHead>(
    request: EgressRequest,
    exchange: (url: URL, send: (url: URL, sink: ResponseSink) => void) => Promise<Result>,
    drop: (response: Result) => void = () => undefined,
  ): Promise<Result> {
    const deadline = performance.now() + request.timeoutMs;
    const send = (url: URL, sink: ResponseSink) => this.dispatch(request, url, sink, deadline - performance.now());
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

  private inspectRedirect(from: URL, location: string, policy: EgressPolicy): URL {
    try {
      // Resolve a relative location first; check an absolute one exactly as written.
      const target = /^[a-z][a-z0-9+.-]*:/i.test(location) ? location : new URL(location, from).href;
      return this.guard.inspect(target, policy);
    } catch (error) {
      if (error instanceof EgressError) throw error.afterRedirect();
      throw new EgressError('bad_url', 'redirects to an invalid URL', error);
    }
  }

  private dispatch(request: EgressRequest, url: URL, sink: ResponseSink, remainingMs: number): void {
    const exchange = new Exchange(sink, remainingMs, request.timeoutMs, request.signal);
    const agent = request.httpsOnly ? this.httpsAgent : this.openAgent;
    try {
      agent.dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method: request.method ?? 'GET',
          headers: { 'user-agent': 'Parley', ...request.headers },
          body: request.body ?? null,
        },
        exchange,
      );
    } catch (error) {
      exchange.onResponseError(null, error);
    }
  }
}

function makeAgent(guard: EgressGuard, policy: EgressPolicy, options: EgressClientOptions): Agent {
  return new Agent({
    connect: guardedConnector(guard, policy, options.connectTimeoutMs ?? 5000),
    connections: options.connectionsPerOrigin ?? 128,
    pipelining: 1,
    keepAliveTimeout: options.keepAliveMs ?? 4000,
    keepAliveMaxTimeout: 30_000,
    // The exchange enforces one deadline for everything.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16 * 1024,
  });
}
