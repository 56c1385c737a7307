import { SetMetadata } from '@nestjs/common';

/** What a key can be allowed to touch. */
const AREAS = [
  'messages',
  'templates',
  'campaigns',
  'contacts',
  'groups',
  'agents',
  'conversations',
  'webhooks',
  'api_keys',
  'audit',
  'business_phones',
] as const;

/** `<module>:read` or `<module>:write`. */
export type Scope = `${(typeof AREAS)[number]}:${'read' | 'write'}`;

/** Every scope there is; what a key has unless it was made with fewer. */
export const ALL_SCOPES: readonly Scope[] = AREAS.flatMap((area): Scope[] => [`${area}:read`, `${area}:write`]);

/** Whether `value` names a scope. */
export const isScope = (value: string): value is Scope => (ALL_SCOPES as readonly string[]).includes(value);

/** Where a route's declaration is kept: a scope, or that it takes no key. */
export const ROUTE_ACCESS = 'parley:access';

/** How a route may be called. */
export type RouteAccess =
  | { readonly kind: 'scope'; readonly scope: Scope; readonly also: readonly Scope[]; readonly whileSuspended: boolean }
  | { readonly kind: 'public' };

/** What {@link RequiresScope} may say beside the scope. */
export interface ScopeOptions {
  /** Whether a suspended account may still call the route: reads may. Default: whether the scope is a read. */
  readonly whileSuspended?: boolean;
  /** What else the key must have, where the route shows more than its own records. */
  readonly also?: readonly Scope[];
}

/** Declares the scope that a route demands. A route that declares nothing stops the process at boot. */
export const RequiresScope = (scope: Scope, options: ScopeOptions = {}) =>
  SetMetadata<string, RouteAccess>(ROUTE_ACCESS, {
    kind: 'scope',
    scope,
    also: options.also ?? [],
    whileSuspended: options.whileSuspended ?? scope.endsWith(':read'),
  });

/** Declares a route that takes no API key: callbacks, health, documents. */
export const Public = () => SetMetadata<string, RouteAccess>(ROUTE_ACCESS, { kind: 'public' });
