import { isPossibleNumber } from './possible-number.js';

/** A phone number in its stored form: country code and number, 7 to 15 digits, no `+`. */
export type PhoneNumber = string;

const DIGITS = /^[1-9][0-9]{6,14}$/;
const SEPARATORS = /[\s\-.()[\]\u00a0\u2010-\u2015]/g;

/** Whether `value` is already in the stored form, as sends and conversation paths require. */
export const isPhoneNumber = (value: unknown): value is PhoneNumber => typeof value === 'string' && DIGITS.test(value);

/**
 * Reads a number as people write it: drops `+`, a leading `00`, spaces, dashes, dots and brackets.
 *
 * @returns the number in the stored form, possible or not; null when `value` is not a number
 */
export function readPhoneNumber(value: string): PhoneNumber | null {
  const digits = value.trim().replace(SEPARATORS, '').replace(/^\+/, '').replace(/^00/, '');
  return isPhoneNumber(digits) ? digits : null;
}

/**
 * Reads a number as {@link readPhoneNumber} does, then checks with libphonenumber that it is possible.
 *
 * @returns the number in the stored form; null when `value` is not a possible number
 */
export function normalisePhoneNumber(value: string): PhoneNumber | null {
  const digits = readPhoneNumber(value);
  return digits !== null && isPossibleNumber(digits) ? digits : null;
}
