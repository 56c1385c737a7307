import { type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { badRequest } from '../errors/domain-error.js';
import { requirePlainBody } from './body-headers.js';
import { IgnoredFields } from './ignored-fields.js';
import { arrivedBody, parseJsonBody, readBody } from './request-body.js';
import { isObject } from './request-fields.js';

/** How a route receives its body: as parsed JSON, or as a stream that it reads itself. */
export interface BodyOptions {
  readonly as: 'json' | 'stream';
  /** Bytes; a larger body is a 413. The reader of a streamed body enforces its own limit. */
  readonly limit: number;
  /** The field that may be a list of thousands of objects; null for none. */
  readonly longList: string | null;
  /** Whether `Content-Encoding` is not looked at: the network signs the bytes as they are, and nobody would read a refusal. */
  readonly anyEncoding: boolean;
}

export const MIB = 1024 * 1024;
/** The default for routes without `@AcceptsBody`. */
export const DEFAULT_BODY: BodyOptions = { as: 'json', limit: MIB, longList: null, anyEncoding: false };
/** Where a route's declaration is kept. */
export const BODY_OPTIONS = 'parley:body';

/** Overrides how a route receives its body. The default is JSON of at most 1 MiB. */
export const AcceptsBody = (options: Partial<BodyOptions>) =>
  SetMetadata(BODY_OPTIONS, { ...DEFAULT_BODY, ...options });

/** Nest does not show pipes the request, so its method is remembered with the body. */
const bodiesOfChanges = new WeakSet<object>();

/** Whether it is the body of a PATCH, in which a blank value empties a field. */
export const isOfChange = (body: object): boolean => bodiesOfChanges.has(body);

/**
 * Reads the request body after the guards, so that nothing is parsed before authentication, rate limit and scope have
 * passed. A body of nothing but white space counts as absent, a compressed one is refused. Fields that the route doesn't read are named in `X-Ignored-Fields`, in errors
 * too: they often explain them.
 */
@Injectable()
export class RequestBodies {
  private readonly optionsOf = new WeakMap<object, BodyOptions>();

  constructor(
    private readonly reflector: Reflector,
    private readonly ignoredFields: IgnoredFields,
  ) {}

  /** @throws DomainError `bad_request`, and what {@link requirePlainBody}, {@link readBody} and {@link parseJsonBody} throw */
  async read(context: ExecutionContext, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (request.raw.url?.includes('%00')) throw badRequest('the URL must not contain NUL characters');
    const { as, limit, longList, anyEncoding } = this.declared(context);
    if (!anyEncoding) requirePlainBody(request);
    if (as !== 'stream') {
      const bytes = arrivedBody(request, limit) ?? (await readBody(request, limit));
      const body = await parseJsonBody(bytes, request.headers['content-type'], longList);
      if (request.method === 'PATCH' && isObject(body)) bodiesOfChanges.add(body);
      request.body = body;
    }
    const ignored = this.ignoredFields.headerOf(context, request);
    if (ignored !== null) reply.header('x-ignored-fields', ignored);
  }

  private declared(context: ExecutionContext): BodyOptions {
    const handler = context.getHandler();
    let options = this.optionsOf.get(handler);
    if (options === undefined) {
      options = this.reflector.getAllAndOverride(BODY_OPTIONS, [handler, context.getClass()]) ?? DEFAULT_BODY;
      this.optionsOf.set(handler, options);
    }
    return options;
  }
}
