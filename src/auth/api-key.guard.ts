import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../errors/domain-error.js';
import { now } from '../values/clock.js';
import { ApiKeyService } from './api-key.service.js';
import { ROUTE_ACCESS, type RouteAccess } from './scopes.js';

/** Counts failed authentications per address; the rate-limit room implements it (D10, D84). */
export abstract class FailedAuthentications {
  /** @throws DomainError `rate_limited` when the address has failed too often */
  abstract count(address: string): Promise<void>;
}

/** First of the guards: turns the bearer token into a caller, or answers 401 (D11). */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: ApiKeyService,
    private readonly failures: FailedAuthentications,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (accessOf(this.reflector, context).kind === 'public') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const [scheme, token, ...surplus] = request.headers.authorization?.trim().split(/\s+/) ?? [];
    const presented = scheme?.toLowerCase() === 'bearer' && surplus.length === 0 ? token : undefined;
    const caller = presented === undefined ? null : await this.keys.authenticate(presented, now());
    if (caller === null) {
      await this.failures.count(request.ip);
      const message =
        presented === undefined
          ? 'an API key is required: Authorization: Bearer <API_KEY>'
          : 'the API key is unknown, expired or revoked';
      throw new DomainError('unauthorized', message, { headers: { 'www-authenticate': 'Bearer' } });
    }
    request.caller = caller;
    return true;
  }
}

/** How the route of this request may be called; boot has made sure that each route says so. */
export function accessOf(reflector: Reflector, context: ExecutionContext): RouteAccess {
  const access = reflector.getAllAndOverride<RouteAccess | undefined>(ROUTE_ACCESS, [
    context.getHandler(),
    context.getClass(),
  ]);
  if (access === undefined) throw new Error('the route declares neither a scope nor that it is public');
  return access;
}
