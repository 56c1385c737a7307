import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { DomainError, forbidden } from '../errors/domain-error.js';
import { accessOf } from './api-key.guard.js';
import { ApiKeyService } from './api-key.service.js';
import { callerOf } from './caller.js';

/** Last of the guards: the key's scopes, then the account's suspension. */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: ApiKeyService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = accessOf(this.reflector, context);
    if (access.kind === 'public') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const remembered = callerOf(request);
    if (remembered.scopes.has(access.scope) && !remembered.suspended) return true;
    // What is remembered may be a moment old; a caller who may do less than others is looked up again.
    const caller = await this.keys.reread(remembered);
    request.caller = caller;
    if (!caller.scopes.has(access.scope)) {
      throw forbidden(`the API key lacks the scope ${access.scope}`);
    }
    if (caller.suspended && !access.whileSuspended) {
      throw new DomainError('account_suspended', 'the account is suspended: it can read, and do nothing else');
    }
    return true;
  }
}
