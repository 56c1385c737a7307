import type { FastifyReply, FastifyRequest } from 'fastify';
import { maskIdentifiers } from '../values/person-identifiers.js';

/** Routes that orchestrators ask every few seconds. */
const UNLOGGED = '/health/';
/** Maximum characters of a logged path. */
const MAX_PATH = 200;
/** As much of a path is masked before it is cut: far more than an identifier has. */
const MAX_MASKED = 2000;

const KEY = /pk_live_[\w-]*/g;

/**
 * A path as it may be logged: without its query, with phone numbers, user ids and e-mail addresses masked, and without API
 * keys that a caller put there by mistake.
 */
export function loggedPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  // What lies across the limit would not be recognised without its end.
  return path
    .slice(0, MAX_MASKED)
    .split('/')
    .map((segment) => maskIdentifiers(segment.replace(KEY, '[redacted]')))
    .join('/')
    .slice(0, MAX_PATH);
}

/** Logs one line per answered request, without headers, bodies and query values; health checks are left out. */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const route = request.routeOptions.url;
  if (route?.startsWith(UNLOGGED)) return;
  const { statusCode } = reply;
  const by = request.caller?.by;
  request.log[statusCode >= 500 ? 'error' : 'info'](
    {
      method: request.method,
      route,
      path: loggedPath(request.url),
      status: statusCode,
      duration_ms: Math.round(reply.elapsedTime * 10) / 10,
      bytes: lengthOf(reply),
      account_id: request.caller?.accountId,
      key_id: by?.kind === 'api_key' ? by.keyId : undefined,
      user_id: request.person?.userId,
    },
    'request',
  );
}

/** The size of the response's body; undefined when it was streamed. */
function lengthOf(reply: FastifyReply): number | undefined {
  const length = reply.getHeader('content-length');
  return length === undefined ? undefined : Number(length);
}
