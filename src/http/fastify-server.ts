import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import type { Environment } from '../config/environment.js';
import type { ErrorCode } from '../errors/error-catalog.js';
import { EventLoopTurns } from '../runtime/event-loop-turns.js';
import type { Metrics } from '../runtime/metrics.js';
import type { Shutdown } from '../runtime/shutdown.js';
import { maskIdentifiers } from '../values/person-identifiers.js';
import { newRecordId } from '../values/record-id.js';
import { compressLargeResponses } from './compression.js';
import { credentialsIn } from './credentials.js';
import { errorResponse } from './error.filter.js';
import { limitUnreadBody } from './request-body.js';
import { logRequest } from './request-log.js';
import { RequestMetrics } from './request-metrics.js';
import { RequestSpans } from './request-spans.js';
import { RouteTable } from './route-table.js';
import { SECURITY_HEADERS } from './security-headers.js';
import { UndeclaredProxy } from './undeclared-proxy.js';

/** The characters of request ids that we accept from callers. */
const ACCEPTED = /^[A-Za-z0-9._:-]{1,128}$/;

/** Maximum length of a path parameter. Our ids are shorter. */
const MAX_PARAMETER_CHARACTERS = 512;

/** Fastify's `trustProxy` option. Fastify ignores a plain number, so this counts hops; the connection is hop 0. */
const trustProxyOption = (proxies: number | readonly string[]): FastifyServerOptions['trustProxy'] => {
  if (proxies === 0) return false;
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : [...proxies];
};

/**
 * Creates the HTTP server. Every response has a request id and security headers, trailing slashes are optional, bodies
 * stay unread until the guards have passed, and errors below Nest look like all others.
 *
 * @param settings `trustProxy`: whose `X-Forwarded-For` is trusted, the number of proxies in front or their CIDRs;
 *   `sessionCookie`: the name of the cookie by which people are known
 */
export function createFastifyAdapter(
  logger: Logger,
  { trustProxy: proxies, sessionCookie }: Pick<Environment, 'trustProxy' | 'sessionCookie'>,
  shutdown: Shutdown,
  metrics: Metrics,
): FastifyAdapter {
  const adapter = new FastifyAdapter({
    loggerInstance: logger as unknown as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    trustProxy: trustProxyOption(proxies),
    genReqId: (request: IncomingMessage) => requestIdOf(request),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAMETER_CHARACTERS },
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => answer(error, request, reply),
    clientErrorHandler: refuseUnreadable,
    return503OnClosing: false,
  });
  const server = adapter.getInstance<FastifyInstance>();
  RouteTable.attach(server);
  UndeclaredProxy.attach(server);
  compressLargeResponses(server);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  const spans = RequestSpans.attach(server);
  const turns = new EventLoopTurns();
  const measured = new RequestMetrics(metrics);
  server.addHook('onRequest', (request, _reply, done) => {
    // A request without a key or session is either refused soon or a callback, which queues once its phone is known.
    const credentials = credentialsIn(request.headers, sessionCookie);
    if (credentials === undefined) done();
    else turns.enter(credentials, done);
  });
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id });
    done();
  });
  if (spans !== null) server.addHook('onRequest', (request, _reply, done) => spans.within(request, done));
  server.addHook('onSend', (_request, reply, _payload, done) => {
    // A stopping process closes each connection after its answer, so that no client writes to a closing one.
    if (shutdown.isStopping) reply.header('connection', 'close');
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    limitUnreadBody(request.raw);
    measured.observe(request, reply);
    if (spans === null) logRequest(request, reply);
    else spans.within(request, () => logRequest(request, reply));
    done();
  });
  return adapter;
}

function answer(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body } = errorResponse(error);
  if (status >= 500) request.log.error({ err: error }, 'request failed');
  void reply
    .status(status)
    .headers({ ...SECURITY_HEADERS, ...headers, 'x-request-id': request.id })
    .header('content-type', 'application/json; charset=utf-8')
    .send(body);
}

/** Status, error code and message by Node's own code; anything else is not HTTP. */
const UNREADABLE: Readonly<Record<string, readonly [status: string, code: ErrorCode, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'bad_request', 'the request headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request_timeout', 'the request took too long to arrive'],
};
const NOT_HTTP = ['400 Bad Request', 'bad_request', 'the request is not valid HTTP'] as const;

/** Answers requests that Node.js could not parse, such as oversized headers. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, code, message] = UNREADABLE[error.code ?? ''] ?? NOT_HTTP;
  const body = JSON.stringify({ error: code, message });
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestIdOf({ headers: {} } as IncomingMessage)}\r\nConnection: close\r\n\r\n${body}`,
    );
  }
  socket.destroySoon();
}

/**
 * The caller's `X-Request-Id` if it is acceptable, else a new id. One that may identify a person is replaced too, because
 * every line of the log and the audit log have the request id.
 */
function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED.test(given) && maskIdentifiers(given) === given ? given : newRecordId();
}
