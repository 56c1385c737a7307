import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../errors/domain-error.js';
import { now } from '../values/clock.js';
import { AuthenticationService } from './authentication.service.js';
import type { Caller, KnownSession } from './caller.js';
import { callerAddress } from './caller-address.js';
import { ROUTE_ACCESS, type RouteAccess } from './scopes.js';
import { SessionAuthenticationService } from './session-authentication.service.js';

/** A proxy in front may have credentials of its own in the header. */
const BEARER = /^\s*bearer\b/i;

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

  /**
   * Looks up a session, a few at a time per address. A null result counts, but for no block: sessions end by themselves.
   *
   * @throws DomainError `rate_limited` when the address has asked for too many that do not exist
   */
  abstract lookUp<Found>(address: string, find: () => Promise<Found | null>): Promise<Found | null>;
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
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const { authorization } = request.headers;
    const isWithKey = authorization !== undefined && BEARER.test(authorization);
    const token = isWithKey ? undefined : this.sessions.tokenOf(request);
    const address = callerAddress(request);
    if (token !== undefined) {
      // What a browser keeps for somebody who has signed in must not outlive their session.
      void http.getResponse<FastifyReply>().header('cache-control', 'no-store');
      request.session = { token, known: await this.resume(token, address) };
      request.person = request.session.known.person;
      return true;
    }
    this.failures.check(address);
    const [scheme, key, ...surplus] = authorization?.trim().split(/\s+/) ?? [];
    const presented = scheme?.toLowerCase() === 'bearer' && surplus.length === 0 ? key : undefined;
    request.caller = await this.authenticate(presented, address);
    return true;
  }

  /** @throws DomainError 401 when the session has ended; 429 when the address keeps sending sessions that do not exist */
  private async resume(token: string, address: string): Promise<KnownSession> {
    const look = () => this.sessions.authenticate(token, now());
    const session = this.sessions.isKnown(token) ? await look() : await this.failures.lookUp(address, look);
    if (session === null) throw new DomainError('unauthorized', 'the session has ended; sign in again');
    return session;
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
