import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { runAs } from './audit/actor.js';
import { RequestActor } from './audit/request-actor.js';
import { RequestBodies } from './http/accepted-body.js';
import { readRequestedCursor } from './http/requested-cursor.js';
import { IdempotencyKeysService } from './idempotency/idempotency-keys.service.js';
import { KEY_HEADER } from './idempotency/key-header.js';
import { KeyedRequest, runWithKeyedRequest } from './idempotency/keyed-request.js';

/**
 * What happens between the guards and the pipes: the body and a list's cursor are read, the caller becomes the actor of
 * everything that the request changes, and an Idempotency-Key is handed to the handler, which claims it after the
 * pipes: an invalid request does not use up its key. One interceptor, because each costs every request a subscription
 * and an async resource.
 */
@Injectable()
export class RequestInterceptor implements NestInterceptor {
  constructor(
    private readonly bodies: RequestBodies,
    private readonly keys: IdempotencyKeysService,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    await this.bodies.read(context, request, reply);
    if ((request.query as { cursor?: unknown }).cursor !== undefined) readRequestedCursor(context, request);
    const { caller, person } = request;
    const by = caller?.by.kind === 'api_key' ? caller.by : person;
    if (by === undefined) return next.handle();
    const actor = new RequestActor(request, by);
    if (caller === undefined || request.method !== 'POST' || request.headers[KEY_HEADER] === undefined)
      return runAs(actor, () => next.handle());
    const keyed = new KeyedRequest(request, reply, this.keys);
    return runAs(actor, () => runWithKeyedRequest(keyed, () => next.handle()));
  }
}
