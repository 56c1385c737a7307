import { DomainError } from '../errors/domain-error.js';

/** Seconds; by then an operator may have restored the key. */
const KEY_RETRY_AFTER = 60;

/**
 * 503: without the key of the suppression hashes nobody can tell, or remember, who has opted out.
 *
 * @param refused what was not done
 */
export const hashKeyUnreadable = (refused: string, keyId: string): DomainError =>
  new DomainError(
    'unavailable',
    `opt-outs of people without a contact cannot be read: their hash key is encrypted under the key "${keyId}", which ` +
      `ENCRYPTION_KEY does not have, so ${refused}. Start the service with that key`,
    { headers: { 'retry-after': String(KEY_RETRY_AFTER) } },
  );
