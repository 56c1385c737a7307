import type { UserRole } from '../accounts/user.entity.js';
import type { Scope } from '../manifest/manifest.js';
import type { Caller } from './caller.js';
import { EVERY_SCOPE } from './scopes.js';

/** From the least to the most that a member may do. */
const RANKS: readonly UserRole[] = ['agent', 'manager', 'admin', 'owner'];

/** Areas that only admins and owners see: what connects the account with other systems, and who did what. */
const FOR_ADMINS: readonly string[] = ['webhooks', 'api_keys', 'audit'];
/** Areas that managers see and only admins and owners change. */
const SETTINGS: readonly string[] = ['business_phones'];
/** Areas in which agents work; they see the others of managers. */
const OF_AGENTS: readonly string[] = ['conversations', 'messages', 'contacts'];

/** Whether `role` may do at least what `required` may. */
const isAtLeast = (role: UserRole, required: UserRole): boolean => RANKS.indexOf(role) >= RANKS.indexOf(required);

/** Whether a person has this role at least; keys are bound by their scopes alone. */
export const hasRole = ({ by }: Pick<Caller, 'by'>, required: UserRole): boolean =>
  by.kind === 'api_key' || isAtLeast(by.person.role, required);

/**
 * What a person with this role may do in every account of the organisation.
 *
 * @param every all scopes that exist, those of extensions too
 */
export function scopesOf(role: UserRole, every: readonly Scope[]): ReadonlySet<string> {
  if (isAtLeast(role, 'admin')) return new Set([EVERY_SCOPE, ...every]);
  return new Set(
    every.filter((scope) => {
      const [area = '', kind] = scope.split(':');
      if (FOR_ADMINS.includes(area)) return false;
      if (kind === 'read') return true;
      return role === 'manager' ? !SETTINGS.includes(area) : OF_AGENTS.includes(area);
    }),
  );
}
