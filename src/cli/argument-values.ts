import { readFileSync } from 'node:fs';
import { isEmail } from 'class-validator';
import { InvalidArgumentError } from 'commander';
import { EVERY_SCOPE } from '../auth/scopes.js';
import { characters } from '../http/field-rules.js';
import { now } from '../values/clock.js';
import { urlOrNull } from '../values/parse-url.js';
import type { PhoneNumber } from '../values/phone-number.js';
import { isRecordId, type RecordId } from '../values/record-id.js';
import { readNumber } from '../values/written-number.js';

// Each parser converts one argument, or throws the sentence that follows "argument 'x' is invalid.".

const refuse = (expected: string): never => {
  throw new InvalidArgumentError(`It must be ${expected}${expected.endsWith('?') ? '' : '.'}`);
};

export const recordId = (value: string): RecordId => (isRecordId(value) ? value : refuse('an id'));

/** Text that is not blank, at most `max` Unicode code points. */
export const textUpTo =
  (max: number) =>
  (value: string): string =>
    value.trim() !== '' && characters(value) <= max ? value : refuse(`1 to ${max} characters long, and not blank`);

/** The content of a file, without surrounding white space; checked like {@link textUpTo}. */
export const textOfFile =
  (max: number) =>
  (file: string): string =>
    textUpTo(max)(contentOf(file).trim());

/** What a file holds, without the line end behind it. */
export const lineOfFile = (file: string): string => contentOf(file).replace(LINE_END, '');

/** The line end behind a line. */
export const LINE_END = /\r?\n$/;

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new InvalidArgumentError(`It cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

export const wholeNumber =
  (min: number, max: number) =>
  (value: string): number =>
    /^\d{1,16}$/.test(value) && Number(value) >= min && Number(value) <= max
      ? Number(value)
      : refuse(`a whole number from ${min} to ${max}`);

const ISO = /^(\d{4})-(\d\d)-(\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** An ISO 8601 time in the future; UTC without an offset. */
export function futureTime(value: string): Date {
  const [match, year, month, day, time, , , offset] = ISO.exec(value) ?? [];
  const at = new Date(match === undefined ? Number.NaN : time && !offset ? `${value}Z` : value);
  // JavaScript reads 31 February as 3 March.
  const lastOfMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (Number.isNaN(at.getTime()) || Number(day) > lastOfMonth) refuse('an ISO 8601 time, such as 2030-01-31T09:30:00Z');
  return at > now() ? at : refuse('in the future');
}

const listOf = (value: string): string[] => [
  ...new Set(
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  ),
];

export function scopes(value: string): string[] {
  const named = listOf(value);
  const unknown = named.find((scope) => scope !== EVERY_SCOPE && !/^[a-z_]+:(?:read|write)$/.test(scope));
  if (unknown !== undefined) refuse(`a list of scopes such as contacts:read (${unknown} is not a scope)`);
  return named.length > 0 ? named : refuse('at least one scope');
}

/** Comma-separated words. Each is compared with a whole message. */
export function words(value: string): string[] {
  const named = listOf(value);
  const fits = named.length >= 1 && named.length <= 100 && named.every((word) => characters(word) <= 64);
  return fits ? named : refuse('1 to 100 words of at most 64 characters, separated by commas');
}

/** Comma-separated event names. Which there are, only the service knows. */
export function eventNames(value: string): string[] {
  const named = listOf(value);
  return named.length > 0 ? named : refuse('at least one event');
}

/** An http(s) URL. */
export const httpUrl = (value: string): string =>
  /^https?:\/\//i.test(value) && urlOrNull(value) !== null
    ? value
    : refuse('a URL that starts with http:// or https://');

/** A network id. It is safe to use in a URL path. */
export const networkId = (value: string): string =>
  /^[A-Za-z0-9_-]{1,64}$/.test(value) ? value : refuse('1 to 64 letters, digits, _ or -');

/** A PIN of two-step verification. */
export const pin = (value: string): string => (/^\d{6}$/.test(value) ? value : refuse('six digits'));

/** A phone number with its country code, as people write it; digits may be no possible number. */
export function phoneNumber(value: string): PhoneNumber {
  const { number, ifKnown } = readNumber(value);
  return number ?? ifKnown ?? refuse('a phone number of 7 to 15 digits, country code first');
}

export const email = (value: string): string => (isEmail(value) ? value : refuse('an e-mail address'));

/** Parses `off` as false (commander would turn null into ''). */
export const unlessOff =
  <T>(parse: (value: string) => T) =>
  (value: string): T | false =>
    value === 'off' ? false : parse(value);
