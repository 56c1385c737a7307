import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import type { UserRole } from '../accounts/user.entity.js';
import { DomainError, forbidden } from '../errors/domain-error.js';
import { accessOf } from './authentication.guard.js';
import { AuthenticationService } from './authentication.service.js';
import { type Caller, callerOf } from './caller.js';
import { plainAddress } from './caller-address.js';
import { containsAddress } from './networks.js';
import { hasRole } from './roles.js';
import { lackedScope, REQUIRED_ROLE, type RouteAccess } from './scopes.js';
import { SessionAuthenticationService } from './session-authentication.service.js';

/**
 * Runs last of the guards, so that whatever it refuses has counted against the rate limit. Checks the networks and the
 * scopes of the key, or the role of the person, and refuses accounts that are suspended or being purged.
 */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: AuthenticationService,
    private readonly sessions: SessionAuthenticationService,
  ) {}

  /** @throws DomainError 403 for a forged request, and when the person may not enter the account that it names */
  private async enter(request: FastifyRequest, access: RouteAccess, { token, known }: OpenSession): Promise<void> {
    if (!SAFE_METHODS.includes(request.method) && !this.sessions.isFromOwnPage(request)) {
      throw forbidden('a request with a session must come from a page of this service');
    }
    if (access.kind === 'session' && !access.inAccount) return;
    const accountId = accountOf(request);
    // What is cached may be slightly stale, so it is read again before the request is refused.
    const caller = this.sessions.callerOf(known, accountId) ?? (await this.callerNow(token, accountId));
    if (caller === null) throw forbidden('Parley-Account names no account of yours; GET /api/v1/session lists them');
    request.caller = caller;
  }

  private async callerNow(token: string, accountId: string): Promise<Caller | null> {
    const session = await this.sessions.reread(token);
    return session && this.sessions.callerOf(session, accountId);
  }

  private async reread(caller: Caller, { session }: FastifyRequest): Promise<Caller> {
    if (caller.by.kind === 'api_key') return this.keys.reread(caller, caller.by.keyPrefix);
    return (session && (await this.callerNow(session.token, caller.accountId))) ?? caller;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = accessOf(this.reflector, context);
    if (access.kind === 'public') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (request.session !== undefined) await this.enter(request, access, request.session);
    if (access.kind === 'session') {
      if (request.person === undefined) throw forbidden('only people who have signed in may do this, not API keys');
      if (access.inAccount && request.person.mustSetPassword) throw forbidden(PASSWORD_FIRST);
      return true;
    }
    const cached = callerOf(request);
    const role = this.reflector.getAllAndOverride<UserRole | undefined>(REQUIRED_ROLE, [
      context.getHandler(),
      context.getClass(),
    ]);
    const missingScope = ({ scopes }: Caller) => lackedScope(scopes, [access.scope, ...access.also]);
    // Only what a trusted proxy reports, never the proxy's own address: that would let in whoever hides behind it.
    const address = plainAddress(request.ip);
    const elsewhere = ({ allowedNetworks }: Caller) =>
      allowedNetworks !== null && !containsAddress(allowedNetworks, address);
    const isHere = cached.allowedNetworks === null || !elsewhere(cached);
    const maySo = missingScope(cached) === null && refusalOf(cached, role) === null;
    if (isHere && maySo && !cached.suspended && !cached.purging) return true;
    // The cached caller may be slightly stale, so it is read again before the request is refused.
    const caller = await this.reread(cached, request);
    request.caller = caller;
    // The networks stay unnamed: whoever has stolen the key must not learn where it works.
    if (elsewhere(caller)) throw forbidden(`the API key may not be used from ${address ?? 'an unknown address'}`);
    const refusal = refusalOf(caller, role);
    if (refusal !== null) throw forbidden(refusal);
    const missing = missingScope(caller);
    if (missing !== null) throw forbidden(`${subjectOf(caller)} lacks the scope ${missing}`);
    if (caller.suspended && !access.whileSuspended) {
      throw new DomainError('account_suspended', 'the account is suspended and read-only');
    }
    if (caller.purging) {
      throw new DomainError(
        'unavailable',
        'all contacts of the account are being erased; try again when the erasure has finished',
        {
          headers: { 'retry-after': String(PURGE_RETRY_AFTER) },
        },
      );
    }
    return true;
  }
}

type OpenSession = NonNullable<FastifyRequest['session']>;

/** Names the account that a request with a session is about. */
const ACCOUNT_HEADER = 'parley-account';
/** Methods that change nothing. */
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD'];

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

const PASSWORD_FIRST = 'choose a password first: POST /api/v1/session/password';

/** Who lacks a scope. */
const subjectOf = ({ by }: Caller): string => (by.kind === 'api_key' ? 'the API key' : `the role ${by.person.role}`);

/** Why a person may not use a route, whatever their scopes; null for keys, which are bound by scopes alone. */
function refusalOf(caller: Caller, role: UserRole | undefined): string | null {
  const { by } = caller;
  if (by.kind === 'user' && by.person.mustSetPassword) return PASSWORD_FIRST;
  return role === undefined || hasRole(caller, role) ? null : `this needs the role ${role}`;
}

/** Seconds until a caller may try again. */
const PURGE_RETRY_AFTER = 5;
