import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { IdempotencyKeysService } from './idempotency-keys.service.js';
import { KEY_HEADER } from './key-header.js';
import { asPartOf, KeyedRequest } from './keyed-request.js';

/**
 * Makes a POST request with an Idempotency-Key known to what handles it. The key itself is looked at later, behind the
 * pipes, which Nest runs after interceptors: a request of the wrong shape does not use it up.
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
    return asPartOf(keyed, () => next.handle());
  }
}
