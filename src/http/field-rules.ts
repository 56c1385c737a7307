import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { isTimeZone, parseTime } from '../values/local-time.js';
import { withNearest } from '../values/nearest.js';
import { isPhoneNumber } from '../values/phone-number.js';
import { isRecordId } from '../values/record-id.js';
import { cutOff, MAX_SHOWN, quoted, shownText } from '../values/shown-text.js';
import { isUserId, MAX_USER_ID, USER_ID } from '../values/user-id.js';
import { type Condition, declares, hasSubstitute, rule } from './request-fields.js';

// The decorators for fields of bodies and queries. Each message names the field, the limit and the value. Lengths count
// Unicode code points. Each rule also describes its field in the API description, so that the two cannot differ; an
// `@ApiProperty` above it adds a description, an example or a default, and never a limit.

/** A text that is empty or has nothing but blanks. */
export const isBlankText = (value: unknown): value is string => typeof value === 'string' && value.trim() === '';

/** A value as error messages show it: {@link shownText}. */
export const shown = (value: unknown): string => {
  // JSON has no infinite numbers, which 1e999 in a body becomes.
  const json = typeof value === 'number' ? undefined : JSON.stringify(value);
  return shownText(typeof value === 'string' ? value : (json ?? String(value)));
};

/**
 * The message for a value of the wrong type: `timeout must be a number, not a string ("5")`; or for none at all.
 *
 * @param expected with its article, such as `a number`
 */
export const wrongType = (field: string, expected: string, value: unknown): string =>
  value === undefined ? `${field} is required` : `${field} must be ${expected}, not ${typeAndValue(value)}`;

/** {@link wrongType} for values that no message may quote, such as a one-time code. */
export const wrongTypeUnquoted = (field: string, expected: string, value: unknown): string =>
  value === undefined ? `${field} is required` : `${field} must be ${expected}, not ${typeOf(value)}`;

function typeAndValue(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return `${typeOf(value)} (${quoted(cutOff(value))})`;
  // Its digits were lost when the JSON was read.
  const isRounded = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded ? 'a number beyond 2^53: send it as a string' : `${typeOf(value)} (${shown(value)})`;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** `message`, followed by the most similar of `names` if `value` looks like a slip for it. */
export const withSuggestion = (message: string, value: unknown, names: readonly string[]): string =>
  // Comparing takes time proportional to the length; nobody mistypes a name at such length.
  typeof value === 'string' && value.length <= MAX_SHOWN ? withNearest(message, value, names) : message;

/** Length in Unicode code points. */
export const characters = (value: string): number => {
  let count = value.length;
  // Faster than iterating, which makes a string of each character: some texts have a million.
  for (let at = 1; at < value.length; at += 1) {
    if (isSecondHalf(value.charCodeAt(at)) && isFirstHalf(value.charCodeAt(at - 1))) count -= 1;
  }
  return count;
};

const isFirstHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isSecondHalf = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** Whom a rule answers. */
export interface RuleOptions {
  /** Of a value that is refused; by default as the body says. */
  readonly status?: 400 | 422;
}

/** JSON null counts as absent. */
export const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null;

/** A rule without limits, or with all of them in one sentence. */
const simple = (
  schema: ApiPropertyOptions,
  fits: (value: unknown) => boolean,
  message: (path: string, value: unknown) => string,
  options: RuleOptions = {},
): PropertyDecorator =>
  rule(schema, { ...options, wrong: (path, value) => (fits(value) ? null : message(path, value)) });

/** A field that may be absent; null counts as absent. */
export const Optional = (): PropertyDecorator => both({ required: false, nullable: true }, 'null');

/** A field that may be left out; null counts as a value, and must pass the rules that follow. */
export const MayBeAbsent = (): PropertyDecorator => both({ required: false }, 'undefined');

const both =
  (schema: ApiPropertyOptions, absent: 'null' | 'undefined'): PropertyDecorator =>
  (target, property) => {
    declares((field) => {
      field.absent = absent;
    })(target, property);
    ApiProperty(schema)(target, property);
  };

/** Changes a value before it is judged. */
export const Changed = (change: (value: unknown) => unknown): PropertyDecorator =>
  declares((field) => {
    field.change = change;
  });

/**
 * An optional field without which a body allows more, or does more, than with any value: a blank one is refused, while
 * those of other fields count as absent.
 */
export const AbsenceMeansMore = (): PropertyDecorator =>
  declares((field) => {
    field.absenceMeansMore = true;
  });

/** A field that is described, and judged by the check of its class (`@Checked`), because other fields decide about it. */
export const ByBody = (): PropertyDecorator =>
  declares((field) => {
    field.byBody = true;
  });

/** When the limits of a field hold; its type always does. */
export const LimitsWhen = <T extends object, Body extends object>(
  holds: (owner: T, body: Body) => boolean,
): PropertyDecorator =>
  declares((field) => {
    field.limitsWhen = holds as Condition;
  });

/** A value of any type, judged elsewhere. */
export const Anything = (schema: ApiPropertyOptions): PropertyDecorator => simple(schema, () => true, String);

/** A sentence about a text that has more than `max` code points; null for one that fits. */
export const tooLong = (path: string, text: string, max: number): string | null =>
  // A code point takes one or two UTF-16 units, so a text that is short enough in units need not be counted.
  text.length <= max || characters(text) <= max
    ? null
    : `${path} must be at most ${max} characters (got ${characters(text)})`;

/** The limits of a text field. */
export interface TextOptions extends RuleOptions {
  /** Maximum length in Unicode code points; null: as long as the body may be. */
  readonly max?: number | null;
  /** Whether a blank value is accepted, or an empty one too. By default neither is. */
  readonly blank?: boolean | 'not empty';
  /** What it must match, and how the message says so. */
  readonly form?: readonly [pattern: RegExp, says: string];
}

/** A string, by default not blank. */
export const Text = ({ max = 10_000, blank = false, form, ...options }: TextOptions = {}): PropertyDecorator =>
  rule<string>(
    {
      type: 'string',
      ...(max !== null && { maxLength: max }),
      ...(blank === true ? {} : { minLength: 1 }),
      ...(form && { pattern: form[0].source }),
    },
    {
      ...options,
      wrong: (path, value) =>
        isAbsent(value) || typeof value === 'string' ? required(path, value) : wrongType(path, 'a string', value),
      beyond: (path, value) => {
        const long = max === null ? null : tooLong(path, value, max);
        if (long !== null) return long;
        if (blank === 'not empty' && value === '') return `${path} is required`;
        if (!blank && value.trim() === '') return `${path} is required and must not be blank`;
        return form === undefined || form[0].test(value) ? null : `${path} must ${form[1]} (got ${shown(value)})`;
      },
    },
  );

const required = (path: string, value: unknown): string | null => (isAbsent(value) ? `${path} is required` : null);

/** A text whose absence or blankness is a fault of its type. */
export const RequiredText = (options?: RuleOptions): PropertyDecorator =>
  rule(
    { type: 'string', minLength: 1 },
    {
      ...options,
      early: true,
      wrong: (path, value) => {
        if (isAbsent(value)) return `${path} is required`;
        if (typeof value !== 'string') return wrongType(path, 'a string', value);
        return value.trim() === '' ? `${path} is required and must not be blank` : null;
      },
    },
  );

const PHONE_SCHEMA: ApiPropertyOptions = { type: 'string', pattern: '^[1-9][0-9]{6,14}$' };

/** A phone number as digits, country code first. */
export const PhoneDigits = (): PropertyDecorator =>
  simple(PHONE_SCHEMA, isPhoneNumber, (path, value) => required(path, value) ?? wrongDigits(path, value));

const wrongDigits = (path: string, value: unknown): string =>
  typeof value !== 'string'
    ? wrongType(path, 'a string of digits', value)
    : `${path} must be 7 to 15 digits with the country code first, without + or spaces (got ${shown(value)})`;

/** The network's user id. */
export const UserIdText = (): PropertyDecorator =>
  simple({ type: 'string', pattern: USER_ID.source, maxLength: MAX_USER_ID }, isUserId, (path, value) =>
    typeof value !== 'string'
      ? wrongType(path, 'a string', value)
      : `${path} must be a network user id, such as US.13491208655302741918 (got ${shown(value)})`,
  );

/** A phone number as digits, unless the field `instead` identifies the contact by user id. */
export const PhoneDigitsOr =
  (instead: string): PropertyDecorator =>
  (target, property) => {
    hasSubstitute(target, property);
    rule(
      { ...PHONE_SCHEMA, required: false, nullable: true },
      {
        wrong: (path, value, body) => {
          if (!isAbsent((body as Record<string, unknown>)[instead])) {
            return isAbsent(value) ? null : `${path} and ${instead} must not be combined: send only one of them`;
          }
          if (isPhoneNumber(value)) return null;
          return isAbsent(value) ? `${path} or ${instead} is required` : wrongDigits(path, value);
        },
      },
    )(target, property);
  };

/** The message for a value that is not a record id. */
export const wrongId = (property: string, value: unknown): string =>
  typeof value === 'string' ? `${property} must be an id (got ${shown(value)})` : wrongType(property, 'an id', value);

/** The id of a record. */
export const Id = (options?: RuleOptions): PropertyDecorator =>
  simple(
    { type: 'string', format: 'uuid' },
    isRecordId,
    (path, value) => required(path, value) ?? wrongId(path, value),
    options,
  );

/** A whole number from `min` to `max`. */
export const WholeNumber = (min: number, max: number): PropertyDecorator =>
  rule(
    { type: 'integer', minimum: min, maximum: max },
    {
      wrong: (path, value, body) =>
        typeof value === 'number' || isFromQuery(body, path) ? null : wrongType(path, 'a number', value),
      beyond: (path, value) =>
        isWithin(value, min, max) ? null : `${path} must be a whole number from ${min} to ${max} (got ${shown(value)})`,
    },
  );

const isWithin = (value: unknown, min: number, max: number): boolean =>
  Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;

/** A number from `min` to `max`. */
export const NumberBetween = (min: number, max: number): PropertyDecorator =>
  rule<number>(
    { type: 'number', minimum: min, maximum: max },
    {
      wrong: (path, value) => (typeof value === 'number' ? null : wrongType(path, 'a number', value)),
      beyond: (path, value) =>
        value >= min && value <= max ? null : `${path} must be a number from ${min} to ${max} (got ${value})`,
    },
  );

/** One of a fixed set of strings. */
export const OneOf = (choices: readonly string[]): PropertyDecorator =>
  simple(
    { type: 'string', enum: [...choices] },
    (value) => choices.includes(value as string),
    (path, value) => wrongChoice(path, value, choices),
  );

/** The message for a value that is not one of `choices`. */
export function wrongChoice(field: string, value: unknown, choices: readonly string[]): string {
  const expected = `one of ${choices.join(', ')}`;
  if (isAbsent(value)) return `${field} is required: ${expected}`;
  if (typeof value !== 'string') return wrongType(field, expected, value);
  return withSuggestion(`${field} must be ${expected} (got ${shown(value)})`, value, choices);
}

/** true or false. */
export const TrueOrFalse = (): PropertyDecorator =>
  simple(
    { type: 'boolean' },
    (value) => typeof value === 'boolean',
    (path, value) => wrongType(path, 'true or false', value),
  );

/** A string of a form that no pattern tells. */
const formed = (fits: (value: string) => boolean, form: string): PropertyDecorator =>
  simple(
    { type: 'string' },
    (value) => typeof value === 'string' && fits(value),
    (path, value) =>
      typeof value === 'string' ? `${path} must be ${form} (got ${shown(value)})` : wrongType(path, 'a string', value),
  );

/** An ISO 8601 date and time, at least to the minute. Without an offset, another field gives the time zone. */
export const Iso8601 = (): PropertyDecorator =>
  formed((value) => parseTime(value) !== null, 'an ISO 8601 date and time, such as 2030-01-31T09:30:00+01:00');

/** An IANA time zone name. */
export const TimeZone = (): PropertyDecorator => formed(isTimeZone, 'an IANA time zone, such as Europe/Berlin');

/** Whether `value` is an object as JSON has them: neither null nor an array, and of no class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const FROM_QUERY = Symbol('number from a query string');

const isFromQuery = (object: object, field: string): boolean => Reflect.hasMetadata(FROM_QUERY, object, field);

/** Parses a number from a query string. Other values are left for the next rule to refuse. */
export const FromQueryNumber = (): PropertyDecorator => (target, field) => {
  // In a query every value is a string, so that its type is never what is wrong.
  Reflect.defineMetadata(FROM_QUERY, true, target, field);
  Changed((value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value))(target, field);
};
