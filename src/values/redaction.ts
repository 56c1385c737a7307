import { isRecordId } from './record-id.js';

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
export function redacted(value: Json, field = ''): Json {
  if (typeof value === 'string') return isKept(field, value) ? value : NULL_FIELDS.has(field) ? null : '';
  if (Array.isArray(value)) {
    return value.filter((item) => typeof item !== 'string').map((item) => redacted(item));
  }
  if (typeof value !== 'object' || value === null || KEPT_OBJECTS.has(field)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redacted(item, name)]));
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

/** Phone numbers, network user ids and e-mail addresses in text; must match the database function `names_person`. */
const TOKEN = /[^\s"'<>()[\]{},;:@]+@[^\s"'<>()[\]{},;:@]+|\b[A-Z]{2}\.[A-Za-z0-9]+|\d{7,}/g;

/** The phone numbers, user ids and e-mail addresses by which we find people in text. */
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

/** Addresses come in any case and may end a sentence. */
const folded = (token: string): string => token.toLowerCase().replace(/\.+$/, '');
