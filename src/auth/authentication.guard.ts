import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { DomainError, forbidden } from '../errors/domain-error.js';
import { now } from '../values/clock.js';
import { AuthenticationService } from './authentication.service.js';
import type { Caller } from './caller.js';
import { callerAddress } from './caller-address.js';
import { ROUTE_ACCESS, type RouteAccess } from './scopes.js';
import { type KnownSession, SessionAuthenticationService } from './session-authentication.service.js';

/** Names the account that a request with a session is about. */
const ACCOUNT_HEADER = 'parley-account';
/** Methods that change nothing. */
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD'];

/** Limits failed authentications per address. The rate-limit room implements it. */
export abstract class FailedAuthentications {
  /** @throws DomainError `rate_limited` when the address has failed too often */
  abstract check(address: string): void;

  /**
   * Runs an authentication that needs a look-up, a few at a time per address. A null result counts as a failure.
   *
   * @throws DomainError as {@link check}, before the attempt is run
   */
  abstract attempt<Found>(address: string, authenticate: () => Promise<Found | null>): Promise<Found | null>;
}

/**
 * Runs first of the guards. Authenticates an API key or, without one, the session of a person (401). A blocked address
 * gets 429 even with a valid key; a valid session is let through, so that nobody can lock out a colleague.
 */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: AuthenticationService,
    private readonly sessions: SessionAuthenticationService,
    private readonly failures: FailedAuthentications,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = accessOf(this.reflector, context);
    if (access.kind === 'public') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { authorization } = request.headers;
    const token = authorization === undefined ? this.sessions.tokenOf(request) : undefined;
    if (token !== undefined) {
      await this.enter(request, access, token);
      return true;
    }
    const address = callerAddress(request);
    this.failures.check(address);
    const [scheme, key, ...surplus] = authorization?.trim().split(/\s+/) ?? [];
    const presented = scheme?.toLowerCase() === 'bearer' && surplus.length === 0 ? key : undefined;
    request.caller = await this.authenticate(presented, address);
    return true;
  }

  /** @throws DomainError 401 when the session has ended, 403 for a forged request and without an account */
  private async enter(request: FastifyRequest, access: Exclude<RouteAccess, { kind: 'public' }>, token: string): Promise<void> {
    const session = await this.sessions.authenticate(token, now());
    if (session === null) throw new DomainError('unauthorized', 'the session has ended; sign in again');
    if (!SAFE_METHODS.includes(request.method) && !this.sessions.isFromOwnPage(request)) {
      throw forbidden('a request with a session must come from a page of this service');
    }
    request.person = session.person;
    if (access.kind === 'scope' || access.inAccount) request.caller = await this.callerIn(session, accountOf(request), token);
  }

  /** @throws DomainError 403 when the person may not enter the account */
  private async callerIn(session: KnownSession, accountId: string, token: string): Promise<Caller> {
    const caller = this.sessions.callerOf(session, accountId);
    if (caller !== null) return caller;
    // What is cached may be slightly stale, so it is read again before the request is refused.
    const current = await this.sessions.reread(token);
    const found = current && this.sessions.callerOf(current, accountId);
    if (found === null) throw forbidden('Parley-Account names no account of yours; GET /api/v1/session lists them');
    return found;
  }

  /** @throws DomainError 401, or 429 when the address is blocked */
  private async authenticate(presented: string | undefined, address: string): Promise<Caller> {
    const at = now();
    const recognised = presented === undefined ? null : await this.keys.recognise(presented, at);
    if (recognised !== null) return recognised;
    const caller = await this.failures.attempt(address, async () =>
      presented === undefined ? null : this.keys.authenticate(presented, at),
    );
    if (caller !== null) return caller;
    const message =
      presented === undefined
        ? 'an API key is required: Authorization: Bearer <API_KEY>'
        : 'the API key is unknown, expired or revoked';
    throw new DomainError('unauthorized', message, { headers: { 'www-authenticate': 'Bearer' } });
  }
}

/**
 * The account that a request with a session is about. A link can only name it in the query: that of a file, or of a
 * stream. No route sees it there.
 *
 * @throws DomainError 403
 */
function accountOf({ headers, method, query }: FastifyRequest): string {
  const inQuery = query as { account?: unknown };
  const named = headers[ACCOUNT_HEADER] ?? (SAFE_METHODS.includes(method) ? inQuery.account : undefined);
  delete inQuery.account;
  if (typeof named === 'string' && named !== '') return named.toLowerCase();
  throw forbidden('a request with a session must name its account: Parley-Account: <account_id>');
}

const accessByHandler = new WeakMap<object, RouteAccess>();

/** The access rule of this request's route. Boot has checked that every route has one. */
export function accessOf(reflector: Reflector, context: ExecutionContext): RouteAccess {
  const handler = context.getHandler();
  let access = accessByHandler.get(handler);
  if (access === undefined) {
    access = reflector.getAllAndOverride<RouteAccess | undefined>(ROUTE_ACCESS, [handler, context.getClass()]);
    if (access === undefined)
      throw new Error('the route declares neither @RequiresScope nor @RequiresSession nor @Public');
    accessByHandler.set(handler, access);
  }
  return access;
}
