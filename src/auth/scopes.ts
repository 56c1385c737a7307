import { SetMetadata } from '@nestjs/common';
import type { UserRole } from '../accounts/user.entity.js';
import type { Scope } from '../manifest/manifest.js';

/** Every scope, today's and later ones. Keys created without scopes have it. */
export const EVERY_SCOPE = '*';

/** The first of `required` that `held` does not cover, or null. */
export const lackedScope = (held: ReadonlySet<string>, required: readonly string[]): string | null =>
  held.has(EVERY_SCOPE) ? null : (required.find((scope) => !held.has(scope)) ?? null);

/** Metadata key of a route's {@link RouteAccess}. */
export const ROUTE_ACCESS = 'parley:access';

/** How a route may be called. */
export type RouteAccess =
  | { readonly kind: 'scope'; readonly scope: Scope; readonly also: readonly Scope[]; readonly whileSuspended: boolean }
  | { readonly kind: 'session'; readonly inAccount: boolean }
  | { readonly kind: 'public' };

/** Options of {@link RequiresScope}. */
export interface ScopeOptions {
  /** Whether a suspended account may call the route. Default: true for read scopes. */
  readonly whileSuspended?: boolean;
  /** Further scopes that the key needs, when the route shows records of other areas. */
  readonly also?: readonly Scope[];
}

/** Declares the scope that a route requires. A route without a declaration stops the process at boot. */
export const RequiresScope = (scope: Scope, options: ScopeOptions = {}) =>
  SetMetadata<string, RouteAccess>(ROUTE_ACCESS, {
    kind: 'scope',
    scope,
    also: options.also ?? [],
    whileSuspended: options.whileSuspended ?? scope.endsWith(':read'),
  });

/**
 * Declares a route for people who have signed in; API keys are refused.
 *
 * @param inAccount whether it is about an account, which the request names; else about the session itself
 */
export const RequiresSession = ({ inAccount = false } = {}) =>
  SetMetadata<string, RouteAccess>(ROUTE_ACCESS, { kind: 'session', inAccount });

/** Metadata key of the role that a route requires of people. */
export const REQUIRED_ROLE = 'parley:role';

/** Declares that people need a role at least, beside the scope. API keys are bound by their scopes alone. */
export const RequiresRole = (role: UserRole) => SetMetadata<string, UserRole>(REQUIRED_ROLE, role);

/** Declares a route that needs no API key: callbacks, health, documents. */
export const Public = () => SetMetadata<string, RouteAccess>(ROUTE_ACCESS, { kind: 'public' });
