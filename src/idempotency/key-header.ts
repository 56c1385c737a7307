import { badRequest } from '../errors/domain-error.js';

/** Name of the header, as Node spells it. */
export const KEY_HEADER = 'idempotency-key';
/** Longest key, characters. */
export const MAX_KEY_CHARACTERS = 255;

const PRINTABLE = /^[\x20-\x7e]*$/;

/**
 * Reads the key of a request.
 *
 * @param values of the header, one for each time that it was sent
 * @throws DomainError `bad_request` when there is not exactly one, or it is malformed
 */
export function readKey(values: readonly string[]): string {
  const [key = '', ...surplus] = values;
  if (surplus.length > 0) throw badRequest(`Idempotency-Key must be sent once (got ${values.length} of them)`);
  if (key.length === 0) throw badRequest(`Idempotency-Key must have 1 to ${MAX_KEY_CHARACTERS} characters (got 0)`);
  if (!PRINTABLE.test(key)) throw badRequest('Idempotency-Key must consist of printable ASCII characters');
  if (key.length > MAX_KEY_CHARACTERS) {
    throw badRequest(`Idempotency-Key must have at most ${MAX_KEY_CHARACTERS} characters (got ${key.length})`);
  }
  return key;
}
