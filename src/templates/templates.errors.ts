import { badRequest, conflict, DomainError } from '../errors/domain-error.js';
import { shown } from '../http/field-rules.js';
import { NetworkOutcomeUnknown, NetworkRefusal, NetworkUnreachable } from '../network/network-error.js';
import type { TemplateUser } from './template-users.js';

/** The network's subcodes for a name that is in use, or whose deletion is not complete yet. */
const DUPLICATE_SUBCODES = new Set([2388023, 2388024]);

export const duplicateName = (name: string, language: string): DomainError =>
  badRequest(`name ${name} already exists in ${language} for the business account of this phone number`);

/** Campaigns that a refusal names. */
export const MAX_USERS_NAMED = 10;

/** @param users one more than are named says that there are more */
export function templateInUse(name: string, users: readonly TemplateUser[]): DomainError {
  const named = users.slice(0, MAX_USERS_NAMED).map((user) => `${shown(user.name)} (${user.id})`);
  const more = users.length > MAX_USERS_NAMED ? ' and more' : '';
  return conflict(
    `template ${name} is used by these scheduled or running campaigns: ${named.join(', ')}${more}. ` +
      'Cancel them, or delete the template when they have ended',
  );
}

/** Whether the network refused a new template because its name is in use. */
export const isDuplicateRefusal = (error: unknown): boolean =>
  error instanceof NetworkRefusal && error.subcode !== null && DUPLICATE_SUBCODES.has(error.subcode);

/** The kind of call: after a lost answer the outcome of a change is unknown, while a read can simply be repeated. */
export type NetworkTask = 'change' | 'read';

/**
 * Maps a network error to the caller's error: 400 when it refused, 503 when it was busy or unreachable, 504 when the
 * outcome is unknown. Other errors are returned unchanged.
 *
 * @param what the consequence, such as "the template was not created"
 */
export function networkFailure(error: unknown, what: string, task: NetworkTask = 'change'): unknown {
  if (error instanceof NetworkRefusal) {
    if (error.errorClass !== 'retry') {
      return new DomainError('network_rejected', `${what}: the network refused it: ${error.message}`, { cause: error });
    }
    const seconds = Math.max(1, Math.ceil((error.retryAfterMs ?? 0) / 1000));
    return new DomainError('network_unavailable', `${what}: the network asked to retry later: ${error.message}`, {
      cause: error,
      headers: { 'retry-after': String(seconds) },
    });
  }
  if (error instanceof NetworkUnreachable) {
    return new DomainError('network_unavailable', `${what}: the network could not be reached`, { cause: error });
  }
  if (error instanceof NetworkOutcomeUnknown && task === 'read') {
    return new DomainError('network_unavailable', `${what}: the network did not answer`, { cause: error });
  }
  if (error instanceof NetworkOutcomeUnknown) {
    const advice = 'the network’s answer was lost. Run POST /api/v1/templates/sync to check';
    return new DomainError('network_timeout', `${what}, as far as we know: ${advice}`, { cause: error });
  }
  return error;
}
