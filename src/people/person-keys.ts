import type { ContactRef } from './contact-ref.js';

// How contacts are found by what identifies a person, as SQL. Every statement that looks for a number takes its
// condition from here, so that all spellings of a number find one contact.

/** The ON CONFLICT target of the unique index on numbers. */
export const PHONE_NUMBER_CONFLICT = '(account_id, number_key(phone_number)) WHERE NOT is_duplicate';
/** The ON CONFLICT target of the unique index on the network's user ids. */
export const USER_ID_CONFLICT = '(account_id, user_id) WHERE user_id IS NOT NULL';

/**
 * SQL condition: row `c` of contacts has the number, in any spelling. The row may be an alias: a merged contact whose
 * number or user id leads to the contact in `merged_into`.
 */
export const hasNumber = (c: string, number: string): string =>
  `number_key(${c}.phone_number) = number_key(${number}) AND NOT ${c}.is_duplicate`;

const has = (by: ContactRef['by'], c: string, value: string): string =>
  by === 'user_id' ? `${c}.user_id = ${value}` : hasNumber(c, value);

/** SQL of the id of the contact of account `$1` that a caller names by number or user id. */
const idNamed = (by: ContactRef['by'], value: string): string =>
  `(SELECT coalesce(a.merged_into, a.id) FROM contacts a WHERE a.account_id = $1 AND ${has(by, 'a', value)})`;

/** SQL condition: contact `c` of account `$1` is the one that a caller names by number or user id. */
export const isNamed = (c: string, by: ContactRef['by'], value: string): string => `${c}.id = ${idNamed(by, value)}`;

/** SQL, for a lateral join, of the contact that an entry names by number or user id; locked if asked to. */
export const namedContact = (by: ContactRef['by'], account: string, value: string, lock = ''): string =>
  `SELECT c.* FROM contacts a JOIN contacts c ON c.account_id = a.account_id AND c.id = coalesce(a.merged_into, a.id)
         WHERE a.account_id = ${account} AND ${has(by, 'a', value)} LIMIT 1 ${lock && `${lock} OF c`}`;

/** SQL condition: contact `c` itself, no alias, has the number or user id. */
export const hasItself = (by: ContactRef['by'], c: string, value: string): string =>
  `${has(by, c, value)} AND ${c}.merged_into IS NULL`;
/** The order in which all writers lock contacts. */
export const NUMBER_ORDER = 'number_key(phone_number), id';
