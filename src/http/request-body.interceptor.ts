import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { badRequest } from '../errors/domain-error.js';
import { IgnoredFields } from './ignored-fields.js';
import { parseJsonBody, readBody } from './request-body.js';

/** How a route receives its body: as parsed JSON, or as a stream that it reads itself. */
export interface BodyOptions {
  readonly as: 'json' | 'stream';
  /** Bytes; a larger body is a 413. The reader of a streamed body enforces its own limit. */
  readonly limit: number;
}

export const MIB = 1024 * 1024;
/** The default for routes without `@AcceptsBody`. */
export const DEFAULT_BODY: BodyOptions = { as: 'json', limit: MIB };
/** Where a route's declaration is kept. */
export const BODY_OPTIONS = 'parley:body';

/** Overrides how a route receives its body. The default is JSON of at most 1 MiB. */
export const AcceptsBody = (options: Partial<BodyOptions>) =>
  SetMetadata(BODY_OPTIONS, { ...DEFAULT_BODY, ...options });

/**
 * Reads the request body after the guards, so that nothing is parsed before authentication, rate limit and scope have
 * passed. An empty body counts as absent. Fields that the route doesn't read are named in `X-Ignored-Fields`, in errors
 * too: they often explain them.
 */
@Injectable()
export class RequestBodyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly ignoredFields: IgnoredFields,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (request.raw.url?.includes('%00')) throw badRequest('the URL must not contain NUL characters');
    const options =
      this.reflector.getAllAndOverride<BodyOptions | undefined>(BODY_OPTIONS, [
        context.getHandler(),
        context.getClass(),
      ]) ?? DEFAULT_BODY;
    if (options.as !== 'stream') {
      const bytes = await readBody(request, options.limit);
      request.body = parseJsonBody(bytes, request.headers['content-type']);
    }
    const ignored = this.ignoredFields.headerOf(context, request);
    if (ignored !== null) context.switchToHttp().getResponse<FastifyReply>().header('x-ignored-fields', ignored);
    return next.handle();
  }
}
