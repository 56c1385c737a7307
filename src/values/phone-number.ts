import { isPossibleNumber } from './possible-number.js';

/** A phone number in the one stored form: country code and number, 7 to 15 digits, no `+`. */
export type PhoneNumber = string;

const DIGITS = /^[1-9][0-9]{6,14}$/;
const SEPARATORS = /[\s\-.()[\]\u00a0\u2010-\u2015]/g;

/** Whether `value` already is in the stored form, as sends and conversation paths require. */
export const isPhoneNumber = (value: unknown): value is PhoneNumber => typeof value === 'string' && DIGITS.test(value);

/**
 * Reads a number written by people: drops `+`, a leading `00`, spaces, dashes, dots and brackets.
 *
 * @returns the digits in the stored form, whether or not such a number is possible, or null
 */
export function readPhoneNumber(value: string): PhoneNumber | null {
  const digits = value.trim().replace(SEPARATORS, '').replace(/^\+/, '').replace(/^00/, '');
  return isPhoneNumber(digits) ? digits : null;
}

/**
 * Brings a number written by people into the stored form, then asks libphonenumber whether such a number is possible
 *.
 *
 * @returns the digits, or null when no possible number can be read out of `value`
 */
export function normalisePhoneNumber(value: string): PhoneNumber | null {
  const digits = readPhoneNumber(value);
  return digits !== null && isPossibleNumber(digits) ? digits : null;
}
