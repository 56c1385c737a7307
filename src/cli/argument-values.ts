import { readFileSync } from 'node:fs';
import { isEmail } from 'class-validator';
import { InvalidArgumentError } from 'commander';
import { isScope, type Scope } from '../auth/scopes.js';
import { characters } from '../http/field-rules.js';
import { EVENT_KINDS, type EventKind } from '../outbox/event.js';
import { now } from '../values/clock.js';
import { parseUrl } from '../values/parse-url.js';
import { type PhoneNumber, readPhoneNumber } from '../values/phone-number.js';
import { isRecordId, type RecordId } from '../values/record-id.js';

// Each parser turns one argument into a value, or throws what continues the sentence "argument 'x' is invalid.".

const refuse = (expected: string): never => {
  throw new InvalidArgumentError(`It must be ${expected}.`);
};

export const recordId = (value: string): RecordId => (isRecordId(value) ? value : refuse('an id'));

/** Text with more than blanks in it, at most `most` Unicode code points. */
export const text =
  (most: number) =>
  (value: string): string =>
    value.trim() !== '' && characters(value) <= most ? value : refuse(`1 to ${most} characters long, and not blank`);

/** What a file holds, without surrounding white space: text as above. */
export const textOfFile =
  (most: number) =>
  (file: string): string => {
    let content: string;
    try {
      content = readFileSync(file, 'utf8');
    } catch (error) {
      throw new InvalidArgumentError(`It cannot be read (${(error as NodeJS.ErrnoException).code}).`);
    }
    return text(most)(content.trim());
  };

export const wholeNumber =
  (least: number, most: number) =>
  (value: string): number =>
    /^\d{1,16}$/.test(value) && Number(value) >= least && Number(value) <= most
      ? Number(value)
      : refuse(`a whole number from ${least} to ${most}`);

const ISO = /^(\d{4})-(\d\d)-(\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** An ISO 8601 instant in the future; without an offset it is UTC. */
export function futureInstant(value: string): Date {
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

export function scopes(value: string): Scope[] {
  const named = listOf(value);
  const unknown = named.find((scope) => !isScope(scope));
  if (unknown !== undefined) refuse(`a list of scopes such as contacts:read (${unknown} is none)`);
  return named.length > 0 ? named.filter(isScope) : refuse('at least one scope');
}

/** Words separated by commas; a message is compared with each as a whole. */
export function words(value: string): string[] {
  const named = listOf(value);
  const fits = named.length >= 1 && named.length <= 100 && named.every((word) => characters(word) <= 64);
  return fits ? named : refuse('1 to 100 words of at most 64 characters, separated by commas');
}

/** Names of events, separated by commas. */
export function eventKinds(value: string): EventKind[] {
  const named = listOf(value);
  const isKind = (name: string): name is EventKind => (EVENT_KINDS as readonly string[]).includes(name);
  const unknown = named.find((name) => !isKind(name));
  if (unknown !== undefined) refuse(`a list of events (${unknown} is none); there are ${EVENT_KINDS.join(', ')}`);
  return named.length > 0 ? named.filter(isKind) : refuse('at least one event');
}

/** An http(s) URL. */
export const httpUrl = (value: string): string =>
  /^https?:\/\//i.test(value) && parseUrl(value) !== null
    ? value
    : refuse('a URL that starts with http:// or https://');

/** An id of the network, which travels in paths of its API. */
export const networkId = (value: string): string =>
  /^[A-Za-z0-9_-]{1,64}$/.test(value) ? value : refuse('1 to 64 letters, digits, _ or -');

/** The number as the network displays it, brought into digits. */
export const displayedPhone = (value: string): PhoneNumber =>
  readPhoneNumber(value) ?? refuse('a phone number of 7 to 15 digits, country code first');

export const email = (value: string): string => (isEmail(value) ? value : refuse('an e-mail address'));

/** `off` is false (commander would turn null into ''). */
export const unlessOff =
  <T>(parse: (value: string) => T) =>
  (value: string): T | false =>
    value === 'off' ? false : parse(value);
