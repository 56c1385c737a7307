import { badRequest } from '../errors/domain-error.js';

/** Name of the header, as Node spells it. */
export const KEY_HEADER = 'idempotency-key';
/** Longest key, characters (D9). */
export const MOST_KEY_CHARACTERS = 255;

const PRINTABLE = /^[\x20-\x7e]*$/;

/**
 * The key that a request carries (D9).
 *
 * @param values of the header, one for each time that it was sent
 * @throws DomainError `bad_request` when there is not exactly one, or it is no key
 */
export function readKey(values: readonly string[]): string {
  const [key = '', ...surplus] = values;
  if (surplus.length > 0) throw badRequest(`Idempotency-Key must be sent once (got ${values.length} of them)`);
  if (key.length === 0) throw badRequest(`Idempotency-Key must have 1 to ${MOST_KEY_CHARACTERS} characters (got 0)`);
  if (!PRINTABLE.test(key)) throw badRequest('Idempotency-Key must consist of printable ASCII characters');
  if (key.length > MOST_KEY_CHARACTERS) {
    throw badRequest(`Idempotency-Key must have at most ${MOST_KEY_CHARACTERS} characters (got ${key.length})`);
  }
  return key;
}
