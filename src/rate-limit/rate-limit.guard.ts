import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail } from '@nestjs/throttler';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { budgetOf, type RequestBudget } from '../auth/caller.js';
import { DomainError } from '../errors/domain-error.js';

/** The window over which requests are counted, milliseconds. */
export const RATE_LIMIT_SPAN_MS = 60_000;

/**
 * The second guard. Each API key has one budget across all routes and processes, which it shares with the keys
 * it was rotated from and into: otherwise each rotation with an overlap would add to the account's limit. So has each
 * session.
 */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  protected override readonly headerPrefix = 'RateLimit';

  protected override async shouldSkip(context: ExecutionContext): Promise<boolean> {
    return requestBudget(context.switchToHttp().getRequest<FastifyRequest>()) === undefined;
  }

  protected override async getTracker(request: Record<string, unknown>): Promise<string> {
    return requestBudget(request as unknown as FastifyRequest)?.subject ?? '';
  }

  protected override generateKey(_: ExecutionContext, subject: string): string {
    return subject;
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

/** The limit of the calling key or session. */
export const limitOfCaller = (context: ExecutionContext): number =>
  requestBudget(context.switchToHttp().getRequest<FastifyRequest>())?.limit ?? 0;

const requestBudget = ({ caller, person }: FastifyRequest): RequestBudget | undefined =>
  caller?.budget ?? (person && budgetOf(person));
