import { isRecordId } from './record-id.js';
import { percentDecoded } from './url-encoding.js';

type Json = unknown;

/** Text fields that never identify a contact: our own vocabulary and the names of staff, templates and campaigns. */
const KEPT_FIELDS: ReadonlySet<string> = new Set([
  'event',
  'status',
  'previous_status',
  'message_type',
  'type',
  'source',
  'error',
  'template_name',
  'campaign_name',
  'assigned_to_name',
  'previous_assignee_name',
]);
/** Objects that describe staff only. */
const KEPT_OBJECTS: ReadonlySet<string> = new Set(['actor']);
/** Fields that are null rather than empty when they have no value. */
const NULL_FIELDS: ReadonlySet<string> = new Set([
  'contact_phone',
  'contact_user_id',
  'phone_number',
  'user_id',
  'username',
  'last_name',
  'email',
  'company',
  'note',
  'reason',
]);

/** Objects with what a person has said: in them, numbers and truth values tell about the person too. */
const SAID_OBJECTS: ReadonlySet<string> = new Set(['location', 'contacts', 'order', 'interactive', 'referral', 'raw']);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/;
const NAMES_TIME = /(?:^|_)(?:at|timestamp)$/;
const NAMES_RECORD = /(?:^|_)(?:id|to)$/;

const isKept = (field: string, text: string): boolean =>
  KEPT_FIELDS.has(field) ||
  (NAMES_RECORD.test(field) && isRecordId(text)) ||
  (NAMES_TIME.test(field) && TIME.test(text));

/**
 * Removes everything that identifies a person from JSON about them. Only listed fields stay, so a new field is removed
 * by default. Idempotent.
 */
export function redacted(value: Json, field = '', isSaid = false): Json {
  if (typeof value === 'string') return !isSaid && isKept(field, value) ? value : NULL_FIELDS.has(field) ? null : '';
  if (isSaid && typeof value === 'number') return 0;
  if (isSaid && typeof value === 'boolean') return false;
  const isSaidWithin = isSaid || SAID_OBJECTS.has(field);
  if (Array.isArray(value)) {
    return value.filter((item) => typeof item !== 'string').map((item) => redacted(item, '', isSaidWithin));
  }
  if (typeof value !== 'object' || value === null || KEPT_OBJECTS.has(field)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redacted(item, name, isSaidWithin)]));
}

/** As {@link redacted}, for the text of a stored document; text that is not JSON becomes an empty object. */
export function redactedText(text: string): string {
  try {
    return JSON.stringify(redacted(JSON.parse(text)));
  } catch {
    return '{}';
  }
}

/**
 * The parts of JSON that are about some people: the smallest objects with a text field that names one of them, and such
 * texts in lists. Whatever surrounds them may be about others, and is left out. Of an object that names others too, only
 * the fields stay that cannot be about them.
 */
export const partsAbout = (value: Json, people: PersonTokens): Json[] => [...eachPartAbout(value, people)];

/** The parts of {@link partsAbout} one by one, since there may be thousands. */
export function* eachPartAbout(value: Json, people: PersonTokens): Generator<Json> {
  if (typeof value === 'string') {
    if (people.areNamedIn(value) && !people.othersAreNamedIn(value)) yield value;
  } else if (Array.isArray(value)) {
    for (const item of value) yield* eachPartAbout(item, people);
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    const own = entries.filter(([, item]) => typeof item !== 'object');
    const isNamed = own.some(([, item]) => typeof item === 'string' && people.areNamedIn(item));
    if (isNamed) yield Object.fromEntries(fieldsAbout(own, people));
    for (const [, item] of entries) if (typeof item === 'object') yield* eachPartAbout(item, people);
  }
}

type Field = readonly [name: string, value: Json];

/** The fields of an object that names the people; all of them unless it names others too. */
function fieldsAbout(fields: readonly Field[], people: PersonTokens): readonly Field[] {
  const namesOthers = ([name, item]: Field) =>
    typeof item === 'string' && !NAMES_TIME.test(name) && people.othersAreNamedIn(item);
  if (!fields.some(namesOthers)) return fields;
  return fields.filter(([name, item]) => {
    if (typeof item !== 'string') return true;
    if (namesOthers([name, item])) return false;
    return people.areNamedIn(item) || NAMES_TIME.test(name) || isKept(name, item);
  });
}

/**
 * Removes some people from JSON that may be about many: an object with a text field that names one of them is
 * {@link redacted}, other objects stay.
 */
export function redactedAbout(value: Json, people: PersonTokens): Json {
  if (typeof value === 'string') return people.areNamedIn(value) ? '' : value;
  if (Array.isArray(value)) {
    return value
      .filter((item) => typeof item !== 'string' || !people.areNamedIn(item))
      .map((item) => redactedAbout(item, people));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  if (entries.some(([, item]) => typeof item === 'string' && people.areNamedIn(item))) return redacted(value);
  return Object.fromEntries(entries.map(([name, item]) => [name, redactedAbout(item, people)]));
}

// The database function `identifiers_in` finds the same. No pattern may begin with something of any length that need not
// be followed by a match: it would read a long word again from each of its letters, and a megabyte would take an hour.

/** Two words that an `@` joins. */
export const ADDRESS = /(?<![^\s"'<>()[\]{},;:@])[^\s"'<>()[\]{},;:@]+@[^\s"'<>()[\]{},;:@]+/g;
/** A word, with the next one if an `@` joins them. */
const WORD_OR_ADDRESS = /[^\s"'<>()[\]{},;:@]+(?:@[^\s"'<>()[\]{},;:@]+)?/g;
/** Network user ids, and phone numbers, wherever they are in a text. */
const ID_OR_NUMBER = /(?<![A-Za-z0-9_])[A-Z]{2}\.[A-Za-z0-9]+|[0-9]{7,}/g;
const CAPITALS = /[A-Z]+/g;
/** Our ids and the network's ids of messages, whose digits are nobody's number. */
const MADE_ID = /(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])|wamid\.[A-Za-z0-9+/=_-]*/gi;

/** A letter takes the place of each id, so that an e-mail address with one in it stays an address. */
const withoutIds = (text: string): string => text.replace(MADE_ID, 'x');

const DIGITS = /[0-9]+/g;
/** Where letters and digits begin or end. */
const EDGE = /(?<![A-Za-z0-9])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?![A-Za-z0-9])/g;
/** Digits of the longest phone number. */
const MAX_DIGITS = 15;

/** What groups of digits give together, from one of them on. */
function numbersFrom(groups: readonly string[], from: number): string[] {
  const numbers: string[] = [];
  let number = '';
  for (let at = from; at < groups.length && number.length <= MAX_DIGITS; at += 1) {
    number += groups[at];
    numbers.push(number);
  }
  return numbers;
}

/** What separates the parts of a URL; elsewhere an e-mail address may have it in front of its `@`. */
const URL_DELIMITER = /[/?#&=]/g;

/** What is certainly a URL: one of the web, or a path or query that begins like one. It ends where a word of prose does. */
const WEB_URL = /(?:https?:\/\/|(?<![^\s"'<>()])[/?])[^\s"'<>()]*/gi;

/** A text as its URLs mean it: their parts are words, and are percent-decoded. */
const asUrl = (text: string): string => percentDecoded(text.replace(URL_DELIMITER, ' '));

/** A text as it stands, and as its URLs mean it unless that makes no difference. */
const readings = (text: string): readonly string[] =>
  text.includes('%') || text.includes('@') ? [text, asUrl(text)] : [text];

/** Whether a text contains anything by which {@link PersonTokens} might find a person. Ids name nobody. */
export const namesAnyone = (text: string): boolean => readings(text).some(hasIdentifier);

function hasIdentifier(text: string): boolean {
  const rest = withoutIds(text);
  // The pattern is global, and `test` would start where the last call ended.
  if (rest.search(ID_OR_NUMBER) !== -1) return true;
  return rest.includes('@') && rest.search(ADDRESS) !== -1;
}

/** The phone numbers, user ids and e-mail addresses by which we find people in text. */
export class PersonTokens {
  private readonly tokens: ReadonlySet<string>;
  /** Shorter words need no look. */
  private readonly minLength: number;

  constructor(tokens: readonly string[]) {
    this.tokens = new Set(tokens.map(folded));
    this.minLength = this.all.reduce((length, token) => Math.min(length, token.length), Number.POSITIVE_INFINITY);
  }

  /** In lower case. */
  get all(): readonly string[] {
    return [...this.tokens];
  }

  /** Whether a text contains one of the tokens as a whole word, in time proportional to its length; in URLs encoded too. */
  areNamedIn(text: string): boolean {
    return this.tokens.size > 0 && readings(text).some((reading) => this.areWordsOf(reading));
  }

  private areWordsOf(text: string): boolean {
    for (const [word] of text.matchAll(ID_OR_NUMBER)) if (this.has(word)) return true;
    if (!text.includes('@')) return false;
    for (const [address] of text.matchAll(ADDRESS)) if (this.has(address)) return true;
    return false;
  }

  /**
   * Whether a short text contains one of the tokens in any spelling: a number with separators, or an address between
   * other words. It errs towards yes: `k-ada@example.com` may be an address of its own.
   */
  areWrittenIn(text: string): boolean {
    return this.tokens.size > 0 && readings(text).some((reading) => this.arePartOf(reading));
  }

  private arePartOf(text: string): boolean {
    if (this.areWordsOf(text)) return true;
    const digits = text.match(DIGITS) ?? [];
    if (digits.some((_, from) => numbersFrom(digits, from).some((number) => this.has(number)))) return true;
    return [...text.matchAll(ADDRESS)].some(([address]) => this.isPartOf(address));
  }

  /** Whether an address contains a token that begins and ends where its letters and digits do. */
  private isPartOf(address: string): boolean {
    const edges = [...address.matchAll(EDGE)].map(({ index }) => index);
    return edges.some((from) => edges.some((to) => to > from && this.has(address.slice(from, to))));
  }

  /**
   * Whether a text seems to contain a number, user id or address of anybody else, in time proportional to its length. Any
   * seven digits count, and what may be a URL or not is read as both, so this errs towards yes.
   */
  othersAreNamedIn(text: string): boolean {
    // A whole word of these people names nobody else, even if a URL would mean several words.
    const rest = text.replace(WORD_OR_ADDRESS, (word) => (this.has(word) ? ' ' : word));
    return this.othersAreWordsOf(rest.replace(WEB_URL, ' ')) || this.othersAreWordsOf(asUrl(rest));
  }

  private othersAreWordsOf(text: string): boolean {
    for (const [word] of withoutIds(text).matchAll(WORD_OR_ADDRESS)) {
      if (this.has(word)) continue;
      if (word.includes('@')) return true;
      for (const [token] of word.matchAll(ID_OR_NUMBER)) if (!this.has(token)) return true;
    }
    return false;
  }

  private has(word: string): boolean {
    return word.length >= this.minLength && this.tokens.has(folded(word));
  }
}

/** Addresses come in any case and may end a sentence. Folds ASCII letters only, as the database does. */
function folded(token: string): string {
  let end = token.length;
  while (token.charAt(end - 1) === '.') end -= 1;
  return token.slice(0, end).replace(CAPITALS, (letters) => letters.toLowerCase());
}
