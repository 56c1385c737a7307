import { ADDRESS } from './redaction.js';
import { replaceDecoded } from './url-encoding.js';

/** Ids that programs make, which may contain many digits: UUIDs, and trace ids of 32 hexadecimal characters. */
const MADE_ID = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=.*[a-f])[0-9a-f]{32})$/i;
/** Seven digits or more, with at most five separators between two, as in `+49 (0) - 151`. Nobody writes more. */
const LONG_NUMBER = /\d(?:[ ().-]{0,5}\d){6,}/g;
/** A network user id. */
const USER_ID = /(?<![A-Za-z0-9])[A-Z]{2}\.[A-Za-z0-9]+/g;
/** Addresses come first, since they may contain the others. */
const IDENTIFIERS = [ADDRESS, USER_ID, LONG_NUMBER];
/** Characters that stay readable, so that a line can be matched with what a customer reports. */
const KEPT = 2;

/**
 * Masks what may be the phone number, the network user id or the e-mail address of a person, percent-encoded or not,
 * except for its last two characters. Logs and the audit log outlive the erasure of a person.
 *
 * @param text one word, such as a segment of a path or a request id
 */
export function maskIdentifiers(text: string): string {
  if (MADE_ID.test(text)) return text;
  const rest = text.includes('%')
    ? IDENTIFIERS.reduce((left, pattern) => replaceDecoded(left, pattern, masked), text)
    : text;
  // A `%` need not encode anything: `100%1234567` may have a number as it stands.
  return IDENTIFIERS.reduce((left, pattern) => left.replace(pattern, (found) => masked([...found])), rest);
}

/** @param characters of an identifier, encoded or not */
const masked = (characters: readonly string[]): string => `*****${characters.slice(-KEPT).join('')}`;
