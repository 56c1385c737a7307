import type { OnApplicationShutdown } from '@nestjs/common';
import { Agent } from 'undici';
import { BufferedResponse, type EgressDownload, type EgressResponse, StreamedResponse } from './answer-sinks.js';
import { EgressError } from './egress-error.js';
import type { EgressGuard, EgressPolicy } from './egress-guard.js';
import { Exchange, type ResponseHead, type ResponseSink } from './exchange.js';
import { guardedConnector } from './guarded-connector.js';

/** Bounds of the connections, the same for all customers. */
export interface EgressClientOptions {
  /** Milliseconds for DNS, TCP and TLS together; 5,000 by default. */
  readonly connectTimeoutMs?: number;
  /** Sockets to one origin at most; 128 by default, as one host may serve the endpoints of many tenants. */
  readonly connectionsPerOrigin?: number;
  /** Milliseconds that an idle connection is kept, unless the server asks for less; 4,000 by default. */
  readonly keepAliveMs?: number;
}

/** A request to a customer's URL. */
export interface EgressRequest extends EgressPolicy {
  readonly url: string;
  /** GET by default. */
  readonly method?: 'GET' | 'HEAD' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  /** Milliseconds for all of it: connection, redirects, headers, body. */
  readonly timeoutMs: number;
  /** Redirects that a GET or HEAD follows, each checked like the first URL; 0, the default, answers the redirect itself. */
  readonly redirects?: number;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * The one way out to customer-supplied URLs. Every connection passes the guard, every answer has a deadline and a
 * size cap, and connections are kept alive and bounded per origin.
 */
export class EgressClient implements OnApplicationShutdown {
  private readonly openAgent: Agent;
  private readonly httpsAgent: Agent;

  constructor(
    private readonly guard: EgressGuard,
    options: EgressClientOptions = {},
  ) {
    // A connection is reused only by requests under the policy that it was checked for.
    this.openAgent = makeAgent(guard, {}, options);
    this.httpsAgent = makeAgent(guard, { httpsOnly: true }, options);
  }

  /**
   * Sends a request and keeps the answer up to `maxResponseBytes`; what lies beyond is cut off.
   *
   * @throws EgressError
   */
  async request(request: EgressRequest & { readonly maxResponseBytes: number }): Promise<EgressResponse> {
    return this.follow(request, (url, send) => {
      const answer = new BufferedResponse(request.maxResponseBytes);
      send(url, answer);
      return answer.response;
    });
  }

  /**
   * Sends a request and answers as soon as the headers are there. The body fails with an EgressError when it breaks
   * off, is late, or grows beyond `maxBytes` (`too_large`); destroy it when no more of it is wanted.
   *
   * @throws EgressError
   */
  async download(request: EgressRequest & { readonly maxBytes: number }): Promise<EgressDownload> {
    return this.follow(
      request,
      (url, send) => {
        const answer = new StreamedResponse(request.maxBytes);
        send(url, answer);
        return answer.download;
      },
      ({ body }) => body.destroy(),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.openAgent.destroy(), this.httpsAgent.destroy()]);
  }

  private async follow<Answer extends ResponseHead>(
    request: EgressRequest,
    exchange: (url: URL, send: (url: URL, sink: ResponseSink) => void) => Promise<Answer>,
    drop: (answer: Answer) => void = () => undefined,
  ): Promise<Answer> {
    const deadline = performance.now() + request.timeoutMs;
    const send = (url: URL, sink: ResponseSink) => this.dispatch(request, url, sink, deadline - performance.now());
    const { redirects = 0, method = 'GET' } = request;
    let url = this.guard.inspect(request.url, request);
    for (let hop = 0; ; hop += 1) {
      const answer = await exchange(url, send).catch((error: unknown) => {
        throw hop > 0 && error instanceof EgressError && error.kind !== 'timeout' ? error.afterRedirect() : error;
      });
      const { location } = answer.headers;
      if (redirects === 0 || method === 'POST' || !REDIRECTS.has(answer.status) || !location) return answer;
      drop(answer);
      if (hop === redirects) throw new EgressError('too_many_redirects', `redirects more than ${redirects} times`);
      url = this.inspectRedirect(url, location, request);
    }
  }

  private inspectRedirect(from: URL, location: string, policy: EgressPolicy): URL {
    try {
      // A relative location is completed first; an absolute one is judged exactly as it stands.
      const target = /^[a-z][a-z0-9+.-]*:/i.test(location) ? location : new URL(location, from).href;
      return this.guard.inspect(target, policy);
    } catch (error) {
      if (error instanceof EgressError) throw error.afterRedirect();
      throw new EgressError('bad_url', 'redirects to something that is no URL', error);
    }
  }

  private dispatch(request: EgressRequest, url: URL, sink: ResponseSink, remainingMs: number): void {
    const exchange = new Exchange(sink, remainingMs, request.timeoutMs);
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
    // The exchange has one deadline for everything.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16 * 1024,
  });
}
