import type { Route } from '../auth/route-inventory.js';
import { BODY_OPTIONS, type BodyOptions, DEFAULT_BODY, MIB } from '../http/accepted-body.js';
import { ERROR_STATUSES, errorSchemaOf } from '../http/error-schemas.js';
import { IDEMPOTENT } from '../idempotency/idempotent.decorator.js';
import type { Operation, Responses } from './open-api.js';

/** Descriptions of response headers. */
export const HEADERS = {
  'X-Request-Id': { schema: { type: 'string' }, description: 'Finds the request in the logs' },
  'RateLimit-Limit': { schema: { type: 'integer' }, description: 'Requests that the key may make in any 60 seconds' },
  'RateLimit-Remaining': { schema: { type: 'integer' }, description: 'Requests that the key may still make now' },
  'RateLimit-Reset': { schema: { type: 'integer' }, description: 'Seconds until the key may make more requests' },
  'Retry-After': {
    schema: { type: 'integer' },
    description: 'Seconds to wait before trying again; absent when a repetition does not help',
  },
  'X-Ignored-Fields': {
    schema: { type: 'string' },
    description:
      'Up to 20 fields of the body and query that the route does not read, such as misspelled ones: nested ones by their ' +
      'path (`send_window.days`, `buttons[0].icon`, `contacts[].foo`), names percent-encoded, a dot within one as `%2E`, ' +
      'separated by commas. ' +
      'Absent when there are none',
  },
  'Idempotency-Replayed': {
    schema: { type: 'string', enum: ['true'] },
    description: 'Present when the stored answer of an earlier request with the same Idempotency-Key is repeated',
  },
  'WWW-Authenticate': { schema: { type: 'string', enum: ['Bearer'] }, description: 'How to authenticate' },
  'X-Message-Id': {
    schema: { type: 'string', format: 'uuid' },
    description: 'The message that was stored, whether or not it was sent; absent when none was',
  },
} as const;

/** Name of a header that {@link HEADERS} describes. */
export type HeaderName = keyof typeof HEADERS;

const RATE_LIMIT: readonly HeaderName[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
const MAY_HAVE_BODY = ['POST', 'PATCH', 'PUT'];

/** The errors that a route can answer because of how it is declared, whatever it does. */
function errorsOf({ method, path, access, handler }: Route, operation: Operation): number[] {
  const keyed = access.kind !== 'public';
  const body = MAY_HAVE_BODY.includes(method) || operation.requestBody !== undefined;
  return [
    ...(keyed ? [400, 401, 403, 429, 503] : []),
    // A request that takes too long to arrive, with or without a body.
    ...[408, 500],
    ...(/:\w+_id\b/.test(path) ? [404] : []),
    ...(body ? [400, 413, ...(keyed ? [415] : [])] : []),
    ...(Reflect.hasMetadata(IDEMPOTENT, handler) ? [409, 422] : []),
  ];
}

/** What distinguishes a route's responses. */
interface Kind {
  readonly keyed: boolean;
  readonly idempotent: boolean;
}

/**
 * Adds what follows from the declaration of the route: its errors, the headers of all answers, its scope.
 *
 * @param shared collects the responses that operations share
 */
export function completeOperation(operation: Operation, route: Route, shared: Responses): void {
  const { access, handler } = route;
  const kind = { keyed: access.kind !== 'public', idempotent: Reflect.hasMetadata(IDEMPOTENT, handler) };
  for (const status of errorsOf(route, operation)) operation.responses[status] ??= { description: '' };
  operation.responses = Object.fromEntries(
    Object.entries(operation.responses).map(([status, response]) => {
      const name = sharedName(Number(status), kind);
      const completed = completeResponse(Number(status), response, kind);
      const special = response.description !== '' || response.content !== undefined || response.headers !== undefined;
      if (name === null || special) return [status, completed];
      shared[name] = completed;
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  ) as Responses;
  if (access.kind === 'public') operation.security = [];
  else if (access.kind === 'session') operation.security = [{ session: [] }];
  else {
    const scopes = [access.scope, ...access.also];
    operation.security = [{ bearer: scopes }];
    const needs = `Needs the scope${scopes.length > 1 ? 's' : ''} ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`;
    operation.description = [operation.description, needs].filter(Boolean).join('\n\n');
  }
  completeBody(operation, handler);
}

function sharedName(status: number, { keyed, idempotent }: Kind): string | null {
  const error = ERROR_STATUSES[status];
  if (error === undefined) return null;
  if (!keyed) return `Public${error.name}`;
  return idempotent && isStoredAnswer(status) ? `Stored${error.name}` : error.name;
}

function completeResponse(status: number, response: Responses[string], kind: Kind): Responses[string] {
  const error = ERROR_STATUSES[status];
  const content = { 'application/json': { schema: errorSchemaOf(status) } };
  return {
    ...response,
    description: response.description || error?.description || 'Success',
    headers: { ...response.headers, ...headersOf(status, kind) },
    ...(error === undefined || response.content !== undefined ? {} : { content }),
  };
}

/** Whether an answer of this status may be one that was stored under an Idempotency-Key. */
const isStoredAnswer = (status: number): boolean => ![401, 408, 413, 415, 429, 500].includes(status);

/** References to the headers that answers of this status carry. */
function headersOf(status: number, { keyed, idempotent }: Kind): object {
  const names: HeaderName[] = ['X-Request-Id'];
  if (keyed && status !== 401) names.push(...RATE_LIMIT);
  if (status === 401 && keyed) names.push('WWW-Authenticate');
  // A 409 has it while another request with the same key is in progress.
  if (status === 429 || status === 503 || (idempotent && status === 409)) names.push('Retry-After');
  // Unknown until the caller is: the guards refuse before the route is looked at.
  if (status !== 401) names.push('X-Ignored-Fields');
  if (idempotent && isStoredAnswer(status)) names.push('Idempotency-Replayed');
  return headerReferences(...names);
}

/** References to some of {@link HEADERS}. */
export const headerReferences = (...names: readonly HeaderName[]): object =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

function completeBody({ requestBody }: Operation, handler: () => unknown): void {
  if (requestBody === undefined) return;
  const { limit }: BodyOptions = Reflect.getMetadata(BODY_OPTIONS, handler) ?? DEFAULT_BODY;
  requestBody.description = [requestBody.description, `At most ${limit / MIB} MiB.`].filter(Boolean).join(' ');
}
