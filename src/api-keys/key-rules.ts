import { STANDARD_RATE_LIMIT } from '../accounts/api-keys.service.js';
import type { Caller } from '../auth/caller.js';
import { containsNetworks } from '../auth/networks.js';
import { EVERY_SCOPE, lackedScope } from '../auth/scopes.js';
import { forbidden } from '../errors/domain-error.js';

/** The rights of an API key. */
export interface KeyRights {
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  /** CIDRs; null: from anywhere. */
  readonly allowedNetworks: readonly string[] | null;
}

/** The rights of the key that makes the request: a new key has them too, wherever it is made without others. */
const rightsOf = ({ scopes, endsAt, allowedNetworks }: Caller): KeyRights => ({
  scopes: scopes.has(EVERY_SCOPE) ? [EVERY_SCOPE] : [...scopes],
  expiresAt: endsAt,
  allowedNetworks,
});

/**
 * The rights of a new key. No key can make one that may do more, or lives longer, than itself.
 *
 * @throws DomainError 403
 */
export function rightsOfNewKey(caller: Caller, requested: Partial<KeyRights>): KeyRights {
  const own = rightsOf(caller);
  const rights: KeyRights = {
    scopes: requested.scopes ?? own.scopes,
    expiresAt: requested.expiresAt ?? own.expiresAt,
    allowedNetworks: requested.allowedNetworks ?? own.allowedNetworks,
  };
  checkRights(caller, rights);
  return rights;
}

/** Requests of a new key per 60 seconds: never more than those of the key that makes it. */
export const rateLimitOfNewKey = ({ by, budget }: Pick<Caller, 'by' | 'budget'>): number =>
  by.kind === 'api_key' ? Math.min(budget.limit, STANDARD_RATE_LIMIT) : STANDARD_RATE_LIMIT;

/** @throws DomainError 403 when the calling key may do less than a key with `rights` */
export function checkRights(caller: Caller, rights: KeyRights): void {
  checkScopes(caller, rights.scopes);
  const { endsAt } = caller;
  if (endsAt !== null && (rights.expiresAt === null || rights.expiresAt > endsAt)) {
    throw forbidden(
      `the API key works until ${endsAt.toISOString()}, so it cannot make or rotate a key that lives longer`,
    );
  }
  const own = caller.allowedNetworks;
  if (own !== null && (rights.allowedNetworks === null || !containsNetworks(own, rights.allowedNetworks))) {
    throw forbidden(
      `the API key may be used from ${own.join(', ')} only, so it cannot make or rotate a key for other networks`,
    );
  }
}

/** @throws DomainError 403 when the calling key lacks one of the scopes of a key that it would make, rotate or revoke */
export function checkScopes(caller: Caller, scopes: readonly string[]): void {
  const lacked = lackedScope(caller.scopes, scopes);
  if (lacked === null) return;
  throw forbidden(`the API key lacks the scope ${lacked}, so it cannot make, rotate or revoke a key that has it`);
}
