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
import { EventLoopTurns } from '../runtime/event-loop-turns.js';
import type { Shutdown } from '../runtime/shutdown.js';
import { errorResponse } from './error.filter.js';
import { limitRest } from './request-body.js';
import { requestIdOf } from './request-id.js';
import { SECURITY_HEADERS } from './security-headers.js';

/** Longest path parameter that is routed; a longer one is no id of ours. */
const MAX_PARAMETER_CHARACTERS = 512;

/**
 * Which senders of `X-Forwarded-For` are believed, as Fastify wants it. Given a number, Fastify believes nobody, so hops
 * are counted here: the connection itself is hop 0.
 */
const believed = (proxies: number | readonly string[]): FastifyServerOptions['trustProxy'] => {
  if (proxies === 0) return false;
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : [...proxies];
};

/**
 * The HTTP server: request ids and security headers on every answer to a request, trailing slashes optional, bodies
 * left unread until the guards have passed, and errors below Nest in the same shape as all others.
 *
 * @param proxies whose `X-Forwarded-For` is believed: how many in front, or their CIDRs
 */
export function createFastifyAdapter(
  logger: Logger,
  proxies: number | readonly string[],
  shutdown: Shutdown,
): FastifyAdapter {
  const adapter = new FastifyAdapter({
    loggerInstance: logger as unknown as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: believed(proxies),
    genReqId: (request: IncomingMessage) => requestIdOf(request),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAMETER_CHARACTERS },
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => answer(error, request, reply),
    clientErrorHandler: refuseUnreadable,
    return503OnClosing: false,
  });
  const server = adapter.getInstance<FastifyInstance>();
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  const turns = new EventLoopTurns();
  server.addHook('onRequest', (request, _reply, done) => {
    // What comes without a key is refused soon, or is a callback, which takes its turn once its phone is known.
    const key = request.headers.authorization;
    if (key === undefined) done();
    else turns.enter(key, done);
  });
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id });
    done();
  });
  server.addHook('onSend', (_request, reply, _payload, done) => {
    // A process that is stopping ends each connection with an answer, so that nobody writes to one that is being closed.
    if (shutdown.isStopping) reply.header('connection', 'close');
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    limitRest(request.raw);
    const { statusCode } = reply;
    const level = statusCode >= 500 ? 'error' : 'debug';
    request.log[level](
      {
        method: request.method,
        url: request.url.split('?')[0],
        status: statusCode,
        duration_ms: Math.round(reply.elapsedTime),
      },
      'request',
    );
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

/** Answers what is not even HTTP, such as headers beyond the limit. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, reason] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'the request headers are too large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'the request took too long to arrive']
        : ['400 Bad Request', 'the request is not valid HTTP'];
  const body = JSON.stringify({ error: 'bad_request', message: reason });
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestIdOf({ headers: {} } as IncomingMessage)}\r\nConnection: close\r\n\r\n${body}`,
    );
  }
  socket.destroySoon();
}
