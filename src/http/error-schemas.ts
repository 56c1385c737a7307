import { ApiResponse } from '@nestjs/swagger';
import { ERROR_CATALOG, type ErrorCode } from '../errors/error-catalog.js';

/** The name and the usual meaning of every status that an error can have. */
export const ERROR_STATUSES: Readonly<Record<number, { readonly name: string; readonly description: string }>> = {
  400: { name: 'BadRequest', description: 'The request is malformed; the message names the field, limit and value' },
  401: { name: 'Unauthorized', description: 'The API key is missing, malformed, unknown, expired or revoked' },
  403: { name: 'Forbidden', description: 'The key lacks the scope, or the account is suspended and read-only' },
  404: { name: 'NotFound', description: 'The account has no such record' },
  408: { name: 'RequestTimeout', description: 'The request did not arrive in time; the connection is closed' },
  409: { name: 'Conflict', description: 'A request with the same Idempotency-Key is still in progress' },
  413: { name: 'PayloadTooLarge', description: 'The body is larger than the route accepts' },
  415: { name: 'UnsupportedMediaType', description: 'The body has a content type that the route does not accept' },
  416: { name: 'RangeNotSatisfiable', description: 'The file ends before the part that `Range` asks for' },
  422: { name: 'UnprocessableEntity', description: 'The Idempotency-Key was used with another body' },
  429: {
    name: 'RateLimited',
    description:
      'The key has used up its requests of the last 60 seconds, or its address failed to authenticate too often',
  },
  500: { name: 'InternalError', description: 'A fault of ours; the X-Request-Id finds it in the logs' },
  503: { name: 'Unavailable', description: 'Something that the request needs is not available; nothing was changed' },
  504: { name: 'NetworkTimeout', description: 'The network’s answer was lost: the message may have been sent' },
};

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The schema of the standard error body of a status. */
export const errorSchemaOf = (status: number) => ref(`${ERROR_STATUSES[status]?.name ?? 'Any'}Error`);

const codesOf = (status: number): ErrorCode[] =>
  (Object.keys(ERROR_CATALOG) as ErrorCode[]).filter((code) => ERROR_CATALOG[code].status === status);

const standardSchema = (description: string, codes: readonly ErrorCode[]) => ({
  type: 'object',
  description,
  required: ['error', 'message'],
  properties: {
    error: {
      type: 'string',
      enum: [...codes],
      description: codes.map((code) => `- \`${code}\`: ${ERROR_CATALOG[code].when}`).join('\n'),
    },
    message: { type: 'string', description: 'For people: names the field, the limit and the value found' },
  },
  examples: [{ error: codes[0], message: ERROR_CATALOG[codes[0] ?? 'bad_request'].when }],
});

/** The schemas of all error bodies: one for each status, and the other envelope. */
export const ERROR_SCHEMAS: Readonly<Record<string, object>> = {
  ...Object.fromEntries(
    Object.entries(ERROR_STATUSES).map(([status, { name, description }]) => [
      `${name}Error`,
      standardSchema(description, codesOf(Number(status))),
    ]),
  ),
  ErrorDetail: {
    type: 'object',
    description: 'The other error body, of a few refusals of template creation and of free-form sends',
    required: ['detail'],
    properties: { detail: { type: 'string', description: 'For people: what is wrong, and where' } },
    examples: [{ detail: 'name is required' }],
  },
};

/** Describes the 504 of routes that call the network but send nothing. */
export const ApiNetworkErrors = (): MethodDecorator =>
  ApiResponse({ status: 504, description: 'The network did not answer: it may have done what was asked, or not' });

/** Describes a status whose body may be `{detail}`. */
export const ApiDetailError = (status: 403 | 422, description: string): MethodDecorator =>
  ApiResponse({
    status,
    description,
    content: { 'application/json': { schema: { anyOf: [errorSchemaOf(status), ref('ErrorDetail')] } } },
  });
