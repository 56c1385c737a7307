import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../errors/domain-error.js';
import { now } from '../values/clock.js';
import { AuthenticationService } from './authentication.service.js';
import type { Caller } from './caller.js';
import { callerAddress } from './caller-address.js';
import { ROUTE_ACCESS, type RouteAccess } from './scopes.js';

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

/** Runs first of the guards. Authenticates the API key (401); a blocked address gets 429 even with a valid key. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: AuthenticationService,
    private readonly failures: FailedAuthentications,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (accessOf(this.reflector, context).kind === 'public') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const address = callerAddress(request);
    this.failures.check(address);
    const [scheme, token, ...surplus] = request.headers.authorization?.trim().split(/\s+/) ?? [];
    const presented = scheme?.toLowerCase() === 'bearer' && surplus.length === 0 ? token : undefined;
    request.caller = await this.authenticate(presented, address);
    return true;
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
    if (access === undefined) throw new Error('the route declares neither @RequiresScope nor @Public');
    accessByHandler.set(handler, access);
  }
  return access;
}
