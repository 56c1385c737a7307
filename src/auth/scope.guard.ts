import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { DomainError, forbidden } from '../errors/domain-error.js';
import { accessOf } from './api-key.guard.js';
import { callerOf } from './caller.js';

/** Last of the guards: the key's scopes, then the account's suspension (D7, D48). */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const access = accessOf(this.reflector, context);
    if (access.kind === 'public') return true;
    const caller = callerOf(context.switchToHttp().getRequest<FastifyRequest>());
    if (!caller.scopes.has(access.scope)) {
      throw forbidden(`the API key lacks the scope ${access.scope}`);
    }
    if (caller.suspended && !access.whileSuspended) {
      throw new DomainError('account_suspended', 'the account is suspended: it can read, and do nothing else');
    }
    return true;
  }
}
