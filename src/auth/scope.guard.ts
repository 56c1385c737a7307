import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { DomainError, forbidden } from '../errors/domain-error.js';
import { accessOf } from './api-key.guard.js';
import { AuthenticationService } from './authentication.service.js';
import { type Caller, callerOf } from './caller.js';
import { plainAddress } from './caller-address.js';
import { containsAddress } from './networks.js';
import { lackedScope } from './scopes.js';

/**
 * Runs last of the guards, so that whatever it refuses has counted against the rate limit. Checks the networks and the
 * scopes of the key, and refuses accounts that are suspended or being purged.
 */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: AuthenticationService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = accessOf(this.reflector, context);
    if (access.kind === 'public') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const cached = callerOf(request);
    const missingScope = ({ scopes }: Caller) => lackedScope(scopes, [access.scope, ...access.also]);
    // Only what a trusted proxy reports, never the proxy's own address: that would let in whoever hides behind it.
    const address = plainAddress(request.ip);
    const elsewhere = ({ allowedNetworks }: Caller) =>
      allowedNetworks !== null && !containsAddress(allowedNetworks, address);
    const isHere = cached.allowedNetworks === null || !elsewhere(cached);
    if (isHere && missingScope(cached) === null && !cached.suspended && !cached.purging) return true;
    // The cached caller may be slightly stale, so it is read again before the request is refused.
    const caller = await this.keys.reread(cached);
    request.caller = caller;
    // The networks stay unnamed: whoever has stolen the key must not learn where it works.
    if (elsewhere(caller)) throw forbidden(`the API key may not be used from ${address ?? 'an unknown address'}`);
    const missing = missingScope(caller);
    if (missing !== null) throw forbidden(`the API key lacks the scope ${missing}`);
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

/** Seconds until a caller may try again. */
const PURGE_RETRY_AFTER = 5;
