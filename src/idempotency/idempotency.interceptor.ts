import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { IdempotencyKeysService } from './idempotency-keys.service.js';
import { KEY_HEADER } from './key-header.js';
import { KeyedRequest, runWithKeyedRequest } from './keyed-request.js';

/**
 * Hands a POST request's Idempotency-Key to its handler. The key is claimed later, after the pipes, which Nest runs
 * after interceptors: an invalid request does not use up its key.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(private readonly keys: IdempotencyKeysService) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (request.method !== 'POST' || request.headers[KEY_HEADER] === undefined || request.caller === undefined) {
      return next.handle();
    }
    const keyed = new KeyedRequest(request, http.getResponse<FastifyReply>(), this.keys);
    return runWithKeyedRequest(keyed, () => next.handle());
  }
}
