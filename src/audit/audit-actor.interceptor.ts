import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { runAs } from './actor.js';
import { RequestActor } from './request-actor.js';

/** Makes the caller of an authenticated request the actor of everything that the request changes. */
@Injectable()
export class AuditActorInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (request.caller === undefined) return next.handle();
    return runAs(new RequestActor(request, request.caller), () => next.handle());
  }
}
