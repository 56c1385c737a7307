import { badRequest } from '../errors/domain-error.js';

/** The header's name, in Node's lower case. */
export const KEY_HEADER = 'idempotency-key';
/** Maximum length of a key, characters. */
export const MAX_KEY_CHARACTERS = 255;

const PRINTABLE = /^[\x20-\x7e]*$/;

/**
 * Reads the key of a request.
 *
 * @param values one for each time the header was sent
 * @throws DomainError `bad_request` unless there is exactly one and it is well-formed
 */
export function readKey(values: readonly string[]): string {
  const [key = '', ...surplus] = values;
  if (surplus.length > 0) throw badRequest(`Idempotency-Key must be sent once (got ${values.length} headers)`);
  if (key.length === 0) throw badRequest(`Idempotency-Key must have 1 to ${MAX_KEY_CHARACTERS} characters (got 0)`);
  if (!PRINTABLE.test(key)) throw badRequest('Idempotency-Key must contain only printable ASCII characters');
  if (key.length > MAX_KEY_CHARACTERS) {
    throw badRequest(`Idempotency-Key must have at most ${MAX_KEY_CHARACTERS} characters (got ${key.length})`);
  }
  return key;
}
