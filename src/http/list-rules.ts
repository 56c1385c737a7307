import { isRecordId } from '../values/record-id.js';
import {
  characters,
  isAbsent,
  isPlainObject,
  type RuleOptions,
  shown,
  wrongChoice,
  wrongId,
  wrongType,
  wrongTypeUnquoted,
} from './field-rules.js';
import { declares, type FieldClass, type FieldPart, hasSubstitute, isObject, rule } from './request-fields.js';

// The decorators of field-rules.ts for fields that hold several values.

/** How many entries a list has, and what the message for fewer adds. */
export interface ListSize {
  readonly min?: number;
  readonly max: number;
  readonly hint?: string;
}

/** What is wrong with an entry, as a sentence that begins with its path; null when nothing is. */
type EntryJudge = (path: string, entry: unknown) => string | null;

/** A list of values that are no objects. */
const valueList = (
  items: object,
  expected: string,
  { min = 0, max, hint }: ListSize,
  faultOf: EntryJudge,
): PropertyDecorator =>
  rule<unknown[]>(
    { type: 'array', items: items as never, maxItems: max, ...(min > 0 && { minItems: min }) },
    {
      wrong: (path, value) => {
        if (isAbsent(value)) return `${path} is required`;
        return Array.isArray(value) ? null : wrongType(path, expected, value);
      },
      beyond: (path, value) => {
        const got = `(got ${value.length})`;
        if (value.length < min) {
          return `${path} must have at least ${min} ${hint === undefined ? `entries ${got}` : `entry ${got}; ${hint}`}`;
        }
        if (value.length > max) return `${path} must have at most ${max} entries ${got}`;
        for (const [index, entry] of value.entries()) {
          const fault = faultOf(`${path}[${index}]`, entry);
          if (fault !== null) return fault;
        }
        return null;
      },
    },
  );

/** What more there is to say about a list of strings. */
export interface TextListOptions extends Omit<ListSize, 'max'> {
  /** What the API description says about an entry besides its length. */
  readonly items?: object;
}

/** An array of up to `max` strings, each at most `maxEach` code points. */
export const TextList = (max: number, maxEach = 256, { items, ...size }: TextListOptions = {}): PropertyDecorator =>
  valueList(
    { type: 'string', maxLength: maxEach, ...items },
    'an array of strings',
    { ...size, max },
    (path, entry) => {
      if (typeof entry !== 'string') return wrongType(path, 'a string', entry);
      if (characters(entry) <= maxEach) return null;
      return `${path} must be a string of at most ${maxEach} characters (got ${shown(entry)})`;
    },
  );

/** An array of `min` to `max` record ids. */
export const IdList = (min: number, max: number): PropertyDecorator =>
  valueList({ type: 'string', format: 'uuid' }, 'an array of ids', { min, max }, (path, entry) =>
    isRecordId(entry) ? null : wrongId(path, entry),
  );

/** An array of some of `choices`. */
export const ChoiceList = (choices: readonly string[]): PropertyDecorator =>
  valueList({ type: 'string', enum: [...choices] }, 'an array of strings', { max: choices.length }, (path, entry) =>
    choices.includes(entry as string) ? null : wrongChoice(path, entry, choices),
  );

/** An array of whole numbers, each from `min` to `max`. @param what one is called, with its article */
export const NumberList = (min: number, max: number, what: string, size: ListSize): PropertyDecorator =>
  valueList({ type: 'integer', minimum: min, maximum: max }, 'an array of numbers', size, (path, entry) => {
    if (typeof entry !== 'number') return wrongType(path, 'a number', entry);
    if (Number.isSafeInteger(entry) && entry >= min && entry <= max) return null;
    return `${path} must be ${what}, a whole number from ${min} to ${max} (got ${shown(entry)})`;
  });

/**
 * An object whose values are strings, such as `body_data`.
 *
 * @param quoted whether messages may show values: one may be a one-time code
 */
export const TextMap = ({ quoted = false } = {}): PropertyDecorator => {
  const wrong = quoted ? wrongType : wrongTypeUnquoted;
  return rule<Record<string, unknown>>(
    { type: 'object', additionalProperties: { type: 'string' } },
    {
      wrong: (path, value) => {
        if (!isPlainObject(value)) return wrong(path, 'an object of strings', value);
        for (const [key, item] of Object.entries(value)) {
          if (typeof item !== 'string') return wrong(`${path}.${shown(key)}`, 'a string', item);
        }
        return null;
      },
    },
  );
};

/** How the objects in a field are told about. */
export interface PartOptions extends RuleOptions {
  /** What the field must be, with its article. */
  readonly expected?: string;
  /** Whether the message is the same for every wrong value. */
  readonly says?: string;
  /** Whether only the first fault in it is told. */
  readonly firstOnly?: boolean;
}

const holds = (part: FieldPart): PropertyDecorator =>
  declares((field) => {
    field.part = part;
  });

/** An object of another class. */
export const ObjectOf =
  (
    type: FieldClass,
    { expected = 'an object', says, firstOnly = false, ...options }: PartOptions = {},
  ): PropertyDecorator =>
  (target, property) => {
    holds({ type, list: 'no', firstOnly, wrongEntry: notAnObject })(target, property);
    rule(
      { type },
      {
        ...options,
        wrong: (path, value) => {
          if (isObject(value)) return null;
          if (isAbsent(value)) return `${path} is required`;
          return says === undefined ? wrongType(path, expected, value) : `${path} ${says} (got ${shown(value)})`;
        },
      },
    )(target, property);
  };

/** How the entries of a list are counted, and told about. */
export interface ObjectListOptions extends ListSize, Pick<PartOptions, 'expected' | 'says' | 'firstOnly'> {
  /** What its entries are called; by default `entries`. */
  readonly noun?: string;
  /** What is wrong with an entry that is no object. */
  readonly entry?: FieldPart['wrongEntry'];
  /** The field of another list, without which this one is required. */
  readonly or?: string;
  /** Whether it may have thousands of entries, which are judged in slices and stay as given. */
  readonly long?: boolean;
}

/** An array of objects of another class. Unless it may be absent, an absent one counts as empty. */
export const ObjectList =
  (type: FieldClass, options: ObjectListOptions): PropertyDecorator =>
  (target, property) => {
    const { min = 0, max, noun = 'entries', expected = 'an array of objects', says, or } = options;
    const { firstOnly = false, long = false, entry = notAnObject } = options;
    holds({ type, list: long ? 'long' : 'short', firstOnly, wrongEntry: entry })(target, property);
    if (or !== undefined) hasSubstitute(target, property);
    const size = min > 0 ? `${min} to ${max}` : `at most ${max}`;
    rule<unknown[] | null | undefined>(
      { type: [type], maxItems: max, ...(min > 0 && { minItems: min }) },
      {
        wrong: (path, value, body) => {
          if (or !== undefined && isNone(value)) {
            return isNone((body as Record<string, unknown>)[or]) ? `${path} or ${or} is required` : null;
          }
          if (isAbsent(value) || Array.isArray(value)) return null;
          return says === undefined ? wrongType(path, expected, value) : `${path} ${says} (got ${gotInstead(value)})`;
        },
        beyond: (path, value) => {
          const count = value?.length ?? 0;
          return count < min || count > max ? `${path} must have ${size} ${noun} (got ${count})` : null;
        },
      },
    )(target, property);
  };

/** A value where objects were meant: without what may be in it, because one of those values may be a one-time code. */
export const gotInstead = (value: unknown): string => {
  if (typeof value === 'string') return /^\s*[{[]/.test(value) ? 'a string of JSON' : shown(value);
  if (Array.isArray(value)) return value.length === 0 ? '[]' : 'an array';
  return isPlainObject(value) && Object.keys(value).length > 0 ? 'an object' : shown(value);
};

const isNone = (value: unknown): boolean => isAbsent(value) || (Array.isArray(value) && value.length === 0);

const notAnObject: FieldPart['wrongEntry'] = (path, entry) => wrongType(path, 'an object', entry);
