import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Logger,
  NotFoundException,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isTransient, transientReason } from '../database/connections/transient-errors.js';
import { DomainError } from '../errors/domain-error.js';
import { ERROR_CATALOG, type ErrorCode } from '../errors/error-catalog.js';
import { type ErrorResponse, ReplayedError } from './error-response.js';

const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'not_found',
  408: 'request_timeout',
  409: 'conflict',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'unprocessable_entity',
  429: 'rate_limited',
};

/** Seconds to wait before a retry after a transient error. */
const RETRY_AFTER_SECONDS = 2;

/** Maps an error to its response. An unavailable database is a 503; anything unexpected is a 500 without details. */
export function errorResponse(error: unknown): ErrorResponse {
  if (error instanceof ReplayedError) return error.response;
  if (error instanceof DomainError) {
    const body = error.format === 'detail' ? { detail: error.message } : { error: error.code, message: error.message };
    return { status: error.status, headers: error.headers, body };
  }
  if (isTransient(error)) return unavailable(error);
  const status = error instanceof HttpException ? error.getStatus() : (error as { statusCode?: number })?.statusCode;
  const code = CODE_OF_STATUS[status ?? 500];
  if (code !== undefined) return standard(code, code === 'not_found' ? 'no such route' : messageOf(error));
  if (status !== undefined && status >= 400 && status < 500) return standard('bad_request', messageOf(error));
  return standard('internal_error', 'something went wrong on our side; search the logs for this X-Request-Id');
}

const standard = (error: ErrorCode, message: string): ErrorResponse => ({
  status: ERROR_CATALOG[error].status,
  headers: {},
  body: { error, message },
});

const unavailable = (error: unknown): ErrorResponse => ({
  ...standard('unavailable', `${transientReason(error)}; try again in ${RETRY_AFTER_SECONDS} s`),
  headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
});

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'the request is not valid');

/** The only place that writes error bodies. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('ErrorFilter');

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const { status, headers, body } = errorResponse(
      // Nest's own: no route matched.
      error instanceof NotFoundException ? request.server.routeTable.refusal(request.method, request.url) : error,
    );
    if (status >= 500 && !(error instanceof DomainError || error instanceof ReplayedError)) this.log(request.id, error);
    if (reply.sent || reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    reply.status(status).headers(headers).header('content-type', 'application/json; charset=utf-8').send(body);
  }

  /** Transient errors hit many requests at the same time and are logged without a stack. */
  private log(requestId: string, error: unknown): void {
    if (isTransient(error)) {
      this.logger.warn(`request ${requestId} got a 503: ${(error as Error).message}`);
      return;
    }
    const stack = error instanceof Error ? error.stack : String(error);
    this.logger.error(`request ${requestId} failed`, stack, 'ErrorFilter');
  }
}
