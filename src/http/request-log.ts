import type { FastifyReply, FastifyRequest } from 'fastify';

/** Routes that orchestrators ask every few seconds. */
const UNLOGGED = '/health/';
/** Maximum characters of a logged path. */
const MAX_PATH = 200;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Seven digits or more, with the separators that people write between them, encoded or not. */
const LONG_NUMBER = /\d(?:(?:[ ().-]|%2[089de])*\d){6,}/gi;
/** Digits that stay readable, so that a line can be matched with what a customer reports. */
const DIGITS_KEPT = 2;
const KEY = /pk_live_[\w-]*/g;

/**
 * A path as it may be logged: without its query, numbers that could be phone numbers masked except for their last two
 * digits, and API keys that a caller put there by mistake removed.
 */
export function loggedPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path
    .slice(0, MAX_PATH)
    .split('/')
    .map((segment) =>
      UUID.test(segment) ? segment : segment.replace(KEY, '[redacted]').replace(LONG_NUMBER, maskDigits),
    )
    .join('/');
}

const maskDigits = (number: string): string => `*****${number.slice(-DIGITS_KEPT)}`;

/** Logs one line per answered request, without headers, bodies and query values; health checks are left out. */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const route = request.routeOptions.url;
  if (route?.startsWith(UNLOGGED)) return;
  const { statusCode } = reply;
  request.log[statusCode >= 500 ? 'error' : 'info'](
    {
      method: request.method,
      route,
      path: loggedPath(request.url),
      status: statusCode,
      duration_ms: Math.round(reply.elapsedTime * 10) / 10,
      bytes: lengthOf(reply),
      account_id: request.caller?.accountId,
      key_id: request.caller?.keyId,
    },
    'request',
  );
}

/** The size of the response's body; undefined when it was streamed. */
function lengthOf(reply: FastifyReply): number | undefined {
  const length = reply.getHeader('content-length');
  return length === undefined ? undefined : Number(length);
}
