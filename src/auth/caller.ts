import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The authenticated caller: an API key and its account. */
export interface Caller {
  readonly accountId: string;
  readonly organisationId: string | null;
  /** `user_id` of the account's owner. API calls act as this user. */
  readonly ownerId: string;
  readonly keyId: string;
  /** Finds the key. */
  readonly keyPrefix: string;
  /** Shared by a key and its successors, as are idempotency keys and the rate limit. */
  readonly keyFamily: string;
  readonly scopes: ReadonlySet<string>;
  /** When the key expires or its scheduled revocation takes effect; null: never. */
  readonly endsAt: Date | null;
  /** CIDRs that the key may be used from; null: from anywhere. */
  readonly allowedNetworks: readonly string[] | null;
  /** Requests per 60 seconds. */
  readonly rateLimit: number;
  readonly suspended: boolean;
  /** Whether all contacts of the account are being erased. */
  readonly purging: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the API-key guard; absent on public routes. */
    caller?: Caller;
  }
}

/** The caller of an authenticated request. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === undefined) throw new Error(`${request.url} was reached without authentication`);
  return request.caller;
}

/** Controller parameter: the authenticated caller. */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller => callerOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
