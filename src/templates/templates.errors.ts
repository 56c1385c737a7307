import { badRequest, DomainError } from '../errors/domain-error.js';
import { NetworkOutcomeUnknown, NetworkRefusal, NetworkUnreachable } from '../network/network-error.js';

/** The network's subcodes for a name that is in use, or was until a deletion that is not complete yet. */
const DUPLICATE_SUBCODES = new Set([2388023, 2388024]);

export const duplicateName = (name: string, language: string): DomainError =>
  badRequest(`name ${name} already exists in ${language} for the business account of this phone number`);

/** Whether the network refused a new template because its name is in use. */
export const isDuplicateRefusal = (error: unknown): boolean =>
  error instanceof NetworkRefusal && error.subcode !== null && DUPLICATE_SUBCODES.has(error.subcode);

/** What a call was for: a lost answer leaves a change in doubt, while a read can simply be repeated. */
export type NetworkTask = 'change' | 'read';

/**
 * The caller's error when the network did not do its part: refused 400, asked to wait or unreachable 503, unknown
 * outcome 504. Other errors stay as they are.
 *
 * @param what came of it, as in "the template was not created"
 */
export function networkFailure(error: unknown, what: string, task: NetworkTask = 'change'): unknown {
  if (error instanceof NetworkRefusal) {
    if (error.errorClass !== 'retry') {
      return new DomainError('network_rejected', `${what}: the network refused it: ${error.message}`, { cause: error });
    }
    const seconds = Math.max(1, Math.ceil((error.retryAfterMs ?? 0) / 1000));
    return new DomainError('network_unavailable', `${what}: the network asks to try again later: ${error.message}`, {
      cause: error,
      headers: { 'retry-after': String(seconds) },
    });
  }
  if (error instanceof NetworkUnreachable) {
    return new DomainError('network_unavailable', `${what}: the network could not be reached`, { cause: error });
  }
  if (error instanceof NetworkOutcomeUnknown && task === 'read') {
    return new DomainError('network_unavailable', `${what}: the network gave no answer`, { cause: error });
  }
  if (error instanceof NetworkOutcomeUnknown) {
    const advice = 'the network’s answer was lost, so POST /api/v1/templates/sync will show what became of it';
    return new DomainError('network_timeout', `${what}, as far as is known: ${advice}`, { cause: error });
  }
  return error;
}
