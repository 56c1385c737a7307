import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isTracing, type Span, startSpan, within } from '../tracing/spans.js';

/** Routes that orchestrators ask every few seconds. */
const UNTRACED = '/health/';

/**
 * One span for each request, by the pattern of its route: paths and queries can hold phone numbers. It continues the
 * trace of a caller who sends `traceparent`.
 */
export class RequestSpans {
  private readonly spans = new WeakMap<FastifyRequest, Span>();

  /** Call before other hooks, so that the span holds all of the request. Without tracing, it adds nothing. */
  static attach(server: FastifyInstance): RequestSpans | null {
    if (!isTracing()) return null;
    const spans = new RequestSpans();
    server.addHook('onRequest', (request, reply, done) => {
      spans.begin(request, reply);
      done();
    });
    return spans;
  }

  /** Does `work` as a part of the request: its spans and log lines belong to the request's trace. */
  within(request: FastifyRequest, work: () => void): void {
    const span = this.spans.get(request);
    if (span === undefined) work();
    else within(span, work);
  }

  private begin(request: FastifyRequest, reply: FastifyReply): void {
    const route = request.routeOptions.url;
    if (route?.startsWith(UNTRACED)) return;
    const { traceparent } = request.headers;
    const span = startSpan(() => ({
      name: route === undefined ? 'HTTP' : `${request.method} ${route}`,
      kind: 'server',
      attributes: { 'http.request.method': request.method, 'http.route': route },
      isRoot: true,
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    }));
    if (span === null) return;
    this.spans.set(request, span);
    reply.raw.once('close', () => {
      const { statusCode } = reply;
      span.set({ 'http.response.status_code': statusCode, 'parley.account_id': request.caller?.accountId });
      if (!reply.raw.writableFinished) span.fail('client_gone');
      else if (statusCode >= 500) span.fail(String(statusCode));
      span.end();
    });
  }
}
