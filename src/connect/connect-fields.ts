import { shown, wrongType, wrongTypeUnquoted } from '../http/field-rules.js';
import { rule } from '../http/request-fields.js';

/** The longest token or code that is accepted, in characters. */
const MAX_SECRET = 4096;

/** The longest id of the network that is accepted, in characters. */
const MAX_NETWORK_ID = 64;
/** An id of the network. */
const NETWORK_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** How many digits the PIN of a phone's two-step verification has. */
const PIN_DIGITS = 6;
/** The PIN of a phone's two-step verification. */
const PIN = /^\d{6}$/;

/** An id of the network: it goes into paths. */
export const NetworkId = (): PropertyDecorator =>
  rule(
    { type: 'string', pattern: NETWORK_ID.source, maxLength: MAX_NETWORK_ID },
    {
      wrong: (path, value) => (typeof value === 'string' ? null : wrongType(path, 'a string', value)),
      beyond: (path, value) =>
        NETWORK_ID.test(String(value))
          ? null
          : `${path} must be 1 to ${MAX_NETWORK_ID} letters, digits, _ or - (got ${shown(value)})`,
    },
  );

/** A secret that no message quotes. */
const Secret = (pattern: RegExp, max: number, expected: string): PropertyDecorator =>
  rule<string>(
    { type: 'string', writeOnly: true, pattern: pattern.source, maxLength: max },
    {
      wrong: (path, value) => (typeof value === 'string' ? null : wrongTypeUnquoted(path, 'a string', value)),
      beyond: (path, value) =>
        value.length <= max && pattern.test(value)
          ? null
          : `${path} must be ${expected} (got ${value.length} characters)`,
    },
  );

/** A token or a code. */
export const SecretText = () => Secret(/^[\x21-\x7e]+$/, MAX_SECRET, `1 to ${MAX_SECRET} characters without spaces`);

/** The PIN of a phone's two-step verification. */
export const PinDigits = () => Secret(PIN, PIN_DIGITS, `${PIN_DIGITS} digits`);
