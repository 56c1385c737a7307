/** Ids that programs make, which may contain many digits: UUIDs, and trace ids of 32 hexadecimal characters. */
const MADE_ID = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=.*[a-f])[0-9a-f]{32})$/i;
/**
 * Seven digits or more, with the separators that people write between them, encoded or not. Five at most, more than
 * anybody writes, as in `+49 (0) - 151`: an encoded separator contains a digit, so a row of them would be read again from
 * each. Digits further apart are not masked.
 */
const LONG_NUMBER = /\d(?:(?:[ ().-]|%2[089de]){0,5}\d){6,}/gi;
/** A network user id, encoded or not. */
const USER_ID = /(?<![A-Za-z0-9])[A-Z]{2}(?:\.|%2[eE])[A-Za-z0-9]+/g;
/** Characters that stay readable, so that a line can be matched with what a customer reports. */
const KEPT = 2;

/**
 * Masks what may be the phone number or the network user id of a person, except for its last two characters. Logs and
 * the audit log outlive the erasure of a person.
 *
 * @param text one word, such as a segment of a path or a request id
 */
export const maskIdentifiers = (text: string): string =>
  MADE_ID.test(text) ? text : text.replace(USER_ID, masked).replace(LONG_NUMBER, masked);

const masked = (identifier: string): string => `*****${identifier.slice(-KEPT)}`;
