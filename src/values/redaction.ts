import { isRecordId } from './record-id.js';

/** What we have stored of a person as JSON, and what of it may stay once the person is erased. */
type Json = unknown;

/** Texts that never tell of a contact: words of ours, names of the account's own staff, templates and campaigns. */
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
/** Objects that tell of staff alone. */
const KEPT_OBJECTS: ReadonlySet<string> = new Set(['actor']);
/** Fields that are null, and not empty, where there is nothing. */
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

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/;
const NAMES_TIME = /(?:^|_)(?:at|timestamp)$/;
const NAMES_RECORD = /(?:^|_)(?:id|to)$/;

const isKept = (field: string, text: string): boolean =>
  KEPT_FIELDS.has(field) ||
  (NAMES_RECORD.test(field) && isRecordId(text)) ||
  (NAMES_TIME.test(field) && TIME.test(text));

/**
 * JSON about a person without anything that tells of them. What may stay is listed, so a field that is new goes. Done twice it
 * changes nothing more.
 */
export function redacted(value: Json, field = ''): Json {
  if (typeof value === 'string') return isKept(field, value) ? value : NULL_FIELDS.has(field) ? null : '';
  if (Array.isArray(value)) {
    return value.filter((item) => typeof item !== 'string').map((item) => redacted(item));
  }
  if (typeof value !== 'object' || value === null || KEPT_OBJECTS.has(field)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redacted(item, name)]));
}

/** As {@link redacted}, for the text of a stored document; one that is no JSON leaves an empty object. */
export function redactedText(text: string): string {
  try {
    return JSON.stringify(redacted(JSON.parse(text)));
  } catch {
    return '{}';
  }
}

/**
 * JSON that may tell of many people, without what it tells of some of them: an object that names one of them in a text of its
 * own is {@link redacted}, the others stay.
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

/** Numbers, user ids of the network and e-mail addresses, as they stand in texts; the database's `names_person` reads them alike. */
const TOKEN = /[^\s"'<>()[\]{},;:@]+@[^\s"'<>()[\]{},;:@]+|\b[A-Z]{2}\.[A-Za-z0-9]+|\d{7,}/g;

/** What some people are found by in texts: their numbers, user ids and e-mail addresses. */
export class PersonTokens {
  private readonly tokens: ReadonlySet<string>;

  constructor(tokens: readonly string[]) {
    this.tokens = new Set(tokens.map(folded));
  }

  /** In lower case. */
  get all(): readonly string[] {
    return [...this.tokens];
  }

  areNamedIn(text: string): boolean {
    for (const [token] of text.matchAll(TOKEN)) if (this.tokens.has(folded(token))) return true;
    return false;
  }
}

/** Addresses are written in any case, and may end a sentence. */
const folded = (token: string): string => token.toLowerCase().replace(/\.+$/, '');
