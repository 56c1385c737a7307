import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional, ValidateBy, type ValidationArguments, type ValidationOptions } from 'class-validator';
import { isTimeZone, parseTime } from '../values/local-time.js';
import { withNearest } from '../values/nearest.js';
import { isPhoneNumber } from '../values/phone-number.js';
import { isRecordId } from '../values/record-id.js';
import { isUserId } from '../values/user-id.js';

// Validation decorators for DTO fields. Each message names the field, the limit and the value. Lengths count Unicode
// code points. Each rule also describes its field in the API description, so that the two cannot differ; an
// `@ApiProperty` above it adds a description, an example or a default.

const MAX_SHOWN = 60;
/** The first half of a surrogate pair. */
const HALF_CHARACTER = /[\ud800-\udbff]$/;

/** A value as error messages show it: long ones are cut off, never within a character. */
export const shown = (value: unknown): string => {
  // JSON has no infinite numbers, which 1e999 in a body becomes.
  const json = typeof value === 'number' ? undefined : JSON.stringify(value);
  const text = typeof value === 'string' ? value : (json ?? String(value));
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).replace(HALF_CHARACTER, '')}…` : text;
};

/**
 * The message for a value of the wrong type: `timeout must be a number, not a string ("5")`; or for none at all.
 *
 * @param expected with its article, such as `a number`
 */
export const wrongType = (field: string, expected: string, value: unknown): string =>
  value === undefined ? `${field} is required` : `${field} must be ${expected}, not ${typeAndValue(value)}`;

function typeAndValue(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return `a string (${JSON.stringify(shown(value))})`;
  const type = Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
  return `${type} (${shown(value)})`;
}

/** `message`, followed by the most similar of `names` if `value` looks like a slip for it. */
export const withSuggestion = (message: string, value: unknown, names: readonly string[]): string =>
  // Comparing takes time proportional to the length; nobody mistypes a name at such length.
  typeof value === 'string' && value.length <= MAX_SHOWN ? withNearest(message, value, names) : message;

/** Length in Unicode code points. */
export const characters = (value: string): number => {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
};

const rule = (
  name: string,
  schema: ApiPropertyOptions,
  check: (value: unknown) => boolean,
  message: (found: ValidationArguments) => string,
  options?: ValidationOptions,
): PropertyDecorator =>
  described(
    schema,
    ValidateBy(
      {
        name,
        validator: {
          validate: (value) => check(value),
          defaultMessage: (found) => message(found as ValidationArguments),
        },
      },
      options,
    ),
  );

/** A rule together with what the API description says about the field. */
export const described =
  (schema: ApiPropertyOptions, check: PropertyDecorator): PropertyDecorator =>
  (target, property) => {
    check(target, property);
    ApiProperty(schema)(target, property);
  };

/** A field that may be absent; null counts as absent. */
export const Optional = (): PropertyDecorator => described({ required: false, nullable: true }, IsOptional());

/** The limits of a text field. */
export interface TextOptions extends ValidationOptions {
  /** Maximum length in Unicode code points. */
  readonly max?: number;
  /** Whether an empty or blank value is accepted. By default it counts as missing. */
  readonly blank?: boolean;
}

/** A string, by default not blank. */
export const Text = ({ max = 10_000, blank = false, ...options }: TextOptions = {}): PropertyDecorator =>
  rule(
    'text',
    { type: 'string', maxLength: max, ...(blank ? {} : { minLength: 1 }) },
    (value) => typeof value === 'string' && (blank || value.trim() !== '') && characters(value) <= max,
    ({ property, value }) => {
      if (value === undefined || value === null) return `${property} is required`;
      if (typeof value !== 'string') return wrongType(property, 'a string', value);
      if (characters(value) > max) return `${property} must be at most ${max} characters (got ${characters(value)})`;
      return `${property} is required and must not be blank`;
    },
    options,
  );

const PHONE_SCHEMA: ApiPropertyOptions = { type: 'string', pattern: '^[1-9][0-9]{6,14}$' };

/** A phone number as digits, country code first. */
export const PhoneDigits = (options?: ValidationOptions): PropertyDecorator =>
  rule(
    'phoneDigits',
    PHONE_SCHEMA,
    isPhoneNumber,
    ({ property, value }) =>
      value === undefined || value === null ? `${property} is required` : wrongDigits(property, value),
    options,
  );

const wrongDigits = (property: string, value: unknown): string =>
  typeof value !== 'string'
    ? wrongType(property, 'a string of digits', value)
    : `${property} must be 7 to 15 digits with the country code first, without + or spaces (got ${shown(value)})`;

/** The network's user id. */
export const UserIdText = (options?: ValidationOptions): PropertyDecorator =>
  rule(
    'userId',
    { type: 'string', pattern: '^[A-Z]{2}\\.[A-Za-z0-9]+$', maxLength: 150 },
    isUserId,
    ({ property, value }) =>
      typeof value !== 'string'
        ? wrongType(property, 'a string', value)
        : `${property} must be a network user id, such as US.13491208655302741918 (got ${shown(value)})`,
    options,
  );

/** JSON null counts as absent. */
export const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null;

/** A phone number as digits, unless the field `instead` identifies the contact by user id. */
export const PhoneDigitsOr = (instead: string): PropertyDecorator => {
  const givenInstead = (found: ValidationArguments | undefined): boolean =>
    !isAbsent((found?.object as Record<string, unknown> | undefined)?.[instead]);
  const check = ValidateBy({
    name: 'phoneDigitsOr',
    validator: {
      validate: (value, found) => (givenInstead(found) ? isAbsent(value) : isPhoneNumber(value)),
      defaultMessage: (found) => {
        const { property, value } = found as ValidationArguments;
        if (givenInstead(found)) return `${property} and ${instead} must not be combined: send only one of them`;
        return isAbsent(value) ? `${property} or ${instead} is required` : wrongDigits(property, value);
      },
    },
  });
  return described({ ...PHONE_SCHEMA, required: false, nullable: true }, check);
};

/** The message for a value that is not a record id. */
export const wrongId = (property: string, value: unknown): string =>
  typeof value === 'string' ? `${property} must be an id (got ${shown(value)})` : wrongType(property, 'an id', value);

/** The id of a record. */
export const Id = (options?: ValidationOptions): PropertyDecorator =>
  rule(
    'id',
    { type: 'string', format: 'uuid' },
    isRecordId,
    ({ property, value }) =>
      value === undefined || value === null ? `${property} is required` : wrongId(property, value),
    options,
  );

/** A whole number from `min` to `max`. */
export const WholeNumber = (min: number, max: number, options?: ValidationOptions): PropertyDecorator =>
  rule(
    'wholeNumber',
    { type: 'integer', minimum: min, maximum: max },
    (value) => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max,
    ({ property, value, object }) =>
      typeof value === 'number' || isFromQuery(object, property)
        ? `${property} must be a whole number from ${min} to ${max} (got ${shown(value)})`
        : wrongType(property, 'a number', value),
    options,
  );

/** One of a fixed set of strings. */
export const OneOf = (choices: readonly string[], options?: ValidationOptions): PropertyDecorator =>
  rule(
    'oneOf',
    { type: 'string', enum: [...choices] },
    (value) => choices.includes(value as string),
    ({ property, value }) => wrongChoice(property, value, choices),
    options,
  );

/** The message for a value that is not one of `choices`. */
export function wrongChoice(field: string, value: unknown, choices: readonly string[]): string {
  const expected = `one of ${choices.join(', ')}`;
  if (isAbsent(value)) return `${field} is required: ${expected}`;
  if (typeof value !== 'string') return wrongType(field, expected, value);
  return withSuggestion(`${field} must be ${expected} (got ${shown(value)})`, value, choices);
}

/** true or false. */
export const TrueOrFalse = (options?: ValidationOptions): PropertyDecorator =>
  rule(
    'trueOrFalse',
    { type: 'boolean' },
    (value) => typeof value === 'boolean',
    ({ property, value }) => wrongType(property, 'true or false', value),
    options,
  );

/** An ISO 8601 date and time, at least to the minute. Without an offset, another field gives the time zone. */
export const Iso8601 = (options?: ValidationOptions): PropertyDecorator =>
  rule(
    'iso8601',
    { type: 'string' },
    (value) => typeof value === 'string' && parseTime(value) !== null,
    ({ property, value }) =>
      typeof value !== 'string'
        ? wrongType(property, 'a string', value)
        : `${property} must be an ISO 8601 date and time, such as 2030-01-31T09:30:00+01:00 (got ${shown(value)})`,
    options,
  );

/** An IANA time zone name. */
export const TimeZone = (options?: ValidationOptions): PropertyDecorator =>
  rule(
    'timeZone',
    { type: 'string' },
    (value) => typeof value === 'string' && isTimeZone(value),
    ({ property, value }) =>
      typeof value !== 'string'
        ? wrongType(property, 'a string', value)
        : `${property} must be an IANA time zone, such as Europe/Berlin (got ${shown(value)})`,
    options,
  );

/** An object whose values are strings, such as `body_data`. */
export const TextMap = (options?: ValidationOptions): PropertyDecorator =>
  rule(
    'textMap',
    { type: 'object', additionalProperties: { type: 'string' } },
    (value) => isPlainObject(value) && Object.values(value).every((item) => typeof item === 'string'),
    ({ property, value }) => {
      if (!isPlainObject(value)) return wrongType(property, 'an object of strings', value);
      const [key, found] = Object.entries(value).find(([, item]) => typeof item !== 'string') ?? [];
      return wrongType(`${property}.${key}`, 'a string', found);
    },
    options,
  );

/** An array of up to `max` strings, each at most `maxEach` code points. */
export const TextList = (max: number, maxEach = 256, options?: ValidationOptions): PropertyDecorator =>
  rule(
    'textList',
    { type: 'array', items: { type: 'string', maxLength: maxEach }, maxItems: max },
    (value) =>
      Array.isArray(value) &&
      value.length <= max &&
      value.every((item) => typeof item === 'string' && characters(item) <= maxEach),
    ({ property, value }) => {
      if (!Array.isArray(value)) return wrongType(property, 'an array of strings', value);
      if (value.length > max) return `${property} must have at most ${max} entries (got ${value.length})`;
      const index = value.findIndex((item) => typeof item !== 'string' || characters(item) > maxEach);
      const [entry, field] = [value[index], `${property}[${index}]`];
      if (typeof entry !== 'string') return wrongType(field, 'a string', entry);
      return `${field} must be a string of at most ${maxEach} characters (got ${shown(entry)})`;
    },
    options,
  );

/** An array of `min` to `max` record ids. */
export const IdList = (min: number, max: number, options?: ValidationOptions): PropertyDecorator =>
  rule(
    'idList',
    { type: 'array', items: { type: 'string', format: 'uuid' }, minItems: min, maxItems: max },
    (value) => Array.isArray(value) && value.length >= min && value.length <= max && value.every(isRecordId),
    ({ property, value }) => {
      if (value === undefined || value === null) return `${property} is required`;
      if (!Array.isArray(value)) return wrongType(property, 'an array of ids', value);
      if (value.length < min) return `${property} must have at least ${min} entries (got ${value.length})`;
      if (value.length > max) return `${property} must have at most ${max} entries (got ${value.length})`;
      const index = value.findIndex((item) => !isRecordId(item));
      return wrongId(`${property}[${index}]`, value[index]);
    },
    options,
  );

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
  Transform(({ value }) => (typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value))(target, field);
};
