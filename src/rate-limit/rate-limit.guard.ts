import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail } from '@nestjs/throttler';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../auth/caller.js';
import { DomainError } from '../errors/domain-error.js';

/** The window over which requests are counted, milliseconds. */
export const RATE_LIMIT_SPAN_MS = 60_000;

/**
 * The second guard. Each API key has one budget across all routes and processes, which it shares with the keys
 * it was rotated from and into: otherwise each rotation with an overlap would add to the account's limit.
 */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  protected override readonly headerPrefix = 'RateLimit';

  protected override async shouldSkip(context: ExecutionContext): Promise<boolean> {
    return context.switchToHttp().getRequest<FastifyRequest>().caller === undefined;
  }

  protected override async getTracker(request: Record<string, unknown>): Promise<string> {
    return callerOf(request as unknown as FastifyRequest).keyFamily;
  }

  protected override generateKey(_: ExecutionContext, keyFamily: string): string {
    return `key:${keyFamily}`;
  }

  protected override async throwThrottlingException(
    context: ExecutionContext,
    { limit, timeToBlockExpire }: ThrottlerLimitDetail,
  ): Promise<void> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    reply.headers({
      'RateLimit-Limit': limit,
      'RateLimit-Remaining': 0,
      'RateLimit-Reset': timeToBlockExpire,
    });
    throw new DomainError(
      'rate_limited',
      `at most ${limit} requests are accepted in any 60 seconds; retry in ${timeToBlockExpire} s`,
    );
  }
}

/** The limit of the calling key. */
export const limitOfCaller = (context: ExecutionContext): number =>
  context.switchToHttp().getRequest<FastifyRequest>().caller?.rateLimit ?? 0;
