import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { OpenAccount } from '../accounts/session.queries.js';
import type { UserRole } from '../accounts/user.entity.js';

/** A person who has signed in. */
export interface Person {
  readonly userId: string;
  readonly fullName: string;
  readonly email: string;
  readonly role: UserRole;
  readonly organisationId: string | null;
  readonly sessionId: string;
  /** Whether they came by a link and have to choose a password before anything else. */
  readonly mustSetPassword: boolean;
}

/** A session that has not ended: the person, and the accounts that they may enter. */
export interface KnownSession {
  readonly person: Person;
  readonly accounts: readonly OpenAccount[];
  readonly createdAt: Date;
  /** When it last made a request, as far as this process knows. */
  seenAt: Date;
}

/** Who calls: a key of the account, or a person. */
export type CallerIdentity =
  | { readonly kind: 'api_key'; readonly keyId: string /** Finds the key. */; readonly keyPrefix: string }
  | { readonly kind: 'user'; readonly person: Person };

/** The authenticated caller of a request that is about an account. */
export interface Caller {
  readonly by: CallerIdentity;
  readonly accountId: string;
  readonly organisationId: string | null;
  /** `user_id` in whose name the caller changes things: the person, or the owner of the key's account. */
  readonly userId: string;
  /** Where changes come from: the API, or a person at the console. */
  readonly source: 'api' | 'manual';
  /** What idempotency keys belong to: a key with its successors, or a person. */
  readonly family: string;
  readonly scopes: ReadonlySet<string>;
  /** When the key expires or its scheduled revocation takes effect; null: never, and for people. */
  readonly endsAt: Date | null;
  /** CIDRs that the key may be used from; null: from anywhere. */
  readonly allowedNetworks: readonly string[] | null;
  /** Whose requests count together, and how many of them are accepted in 60 seconds. */
  readonly budget: RequestBudget;
  readonly suspended: boolean;
  /** Whether all contacts of the account are being erased. */
  readonly purging: boolean;
}

/** A limit of requests. */
export interface RequestBudget {
  readonly subject: string;
  /** Requests per 60 seconds. */
  readonly limit: number;
}

/** Requests per 60 seconds of each person: sessions are made at will. */
const SESSION_RATE_LIMIT = 600;

export const budgetOf = ({ userId }: Person): RequestBudget => ({
  subject: `user:${userId}`,
  limit: SESSION_RATE_LIMIT,
});

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard; absent on public routes and those about a session. */
    caller?: Caller;
    /** Set by the guard when the request came with a session, with it. */
    person?: Person;
    session?: { readonly token: string; readonly known: KnownSession };
  }
}

/** The caller of an authenticated request. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === undefined) throw new Error(`${request.url} was reached without authentication`);
  return request.caller;
}

/** The person behind a request of a route that needs a session. */
export function personOf(request: FastifyRequest): Person {
  if (request.person === undefined) throw new Error(`${request.url} was reached without a session`);
  return request.person;
}

/** Controller parameter: the person who has signed in. */
export const CurrentPerson = createParamDecorator(
  (_: unknown, context: ExecutionContext): Person => personOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** Controller parameter: the authenticated caller. */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller => callerOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
