import { EgressError } from '../../egress/egress-error.js';
import { parseEgressUrl } from '../../egress/url-rules.js';
import { badRequest, unprocessable } from '../../errors/domain-error.js';
import { isAbsent, shown, tooLong, wrongType } from '../../http/field-rules.js';
import { isObject } from '../../http/request-fields.js';
import { faultIn } from '../../http/request-reader.js';
import { bothNamed } from '../../media/media.errors.js';
import type { JsonObject } from '../../values/network-json.js';
import { urlOrNull } from '../../values/parse-url.js';
import type { RecordId } from '../../values/record-id.js';
import { edgeFault, encodingFault } from '../../values/url-encoding.js';
import type {
  Buttons,
  FreeFormContent,
  FreeFormType,
  MediaContent,
  MediaType,
  SentLocation,
} from './free-form-content.js';
import { readList } from './list-message.js';

export const BUTTONS_TYPES = ['reply', 'cta_url'] as const;

/** The network's limit of a text with buttons, or that asks for a location, characters. */
export const MAX_SHORT_TEXT = 1024;

/** The body of a free-form send; its class has the limits of each field. */
export interface FreeFormDraft {
  readonly message_type: FreeFormType;
  readonly message?: unknown;
  readonly media_url?: unknown;
  readonly media_id?: unknown;
  readonly caption?: unknown;
  readonly filename?: unknown;
  readonly buttons?: unknown;
  readonly preview_url?: boolean;
  readonly voice?: boolean;
  readonly list?: unknown;
  readonly location?: SentLocation;
  readonly contacts?: readonly object[];
  readonly reaction?: { readonly message_id: RecordId; readonly emoji: string };
  readonly reply_to?: RecordId;
}

/** The fields that only messages of some types have, and the types. */
const OWNED: Readonly<Record<string, readonly FreeFormType[]>> = {
  caption: ['image', 'video', 'document'],
  filename: ['document'],
  preview_url: ['text'],
  voice: ['audio'],
  list: ['list'],
  location: ['location'],
  contacts: ['contacts'],
  reaction: ['reaction'],
};

const isBlank = (value: unknown): value is undefined | null | '' =>
  isAbsent(value) || (typeof value === 'string' && value.trim() === '');

/** An empty list counts as absent. */
const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Refuses what is wrong with a field, as its class declares it. */
function check(owner: object, name: string, path = name, refuse = badRequest): void {
  const fault = faultIn(owner, name, path);
  if (fault !== null) throw refuse(fault);
}

/**
 * Checks everything about a free-form message that depends on the request alone: shape first (400), then the rules of
 * buttons and lists (422).
 *
 * @throws DomainError naming the field, the limit and the value
 */
export function readFreeForm(draft: FreeFormDraft): FreeFormContent {
  const { message_type: type, buttons } = draft;
  if (!isAbsent(buttons) && !isObject(buttons)) throw badRequest(wrongType('buttons', 'an object', buttons));
  refuseFieldsOfOthers(draft);
  if (type === 'text' && !isAbsent(buttons)) return textWithButtons(draft, buttons as object);
  const content = contentOf(draft, type);
  if (!isAbsent(buttons)) throw unprocessable(`buttons are only allowed with message_type text (got ${type})`);
  return content;
}

function refuseFieldsOfOthers(draft: FreeFormDraft): void {
  const { message_type: type } = draft;
  for (const [field, types] of Object.entries(OWNED)) {
    const value = draft[field as keyof FreeFormDraft];
    if (isAbsent(value) || value === false || isEmpty(value) || types.includes(type)) continue;
    const owners = types.length === 1 ? types[0] : `${types.slice(0, -1).join(', ')} or ${types.at(-1)}`;
    throw badRequest(`${field} is only allowed with message_type ${owners} (got ${type})`);
  }
}

function contentOf(draft: FreeFormDraft, type: FreeFormType): FreeFormContent {
  switch (type) {
    case 'text':
      return {
        type,
        text: requiredMessage(draft),
        buttons: null,
        ...(draft.preview_url === true && { previewUrl: true }),
      };
    case 'list': {
      const text = requiredMessage(draft);
      if (!isObject(draft.list)) throw badRequest(wrongType('list', 'an object', draft.list ?? undefined));
      return { type, text, list: readList(draft.list) };
    }
    case 'location_request': {
      const text = requiredMessage(draft);
      const long = tooLong('message', text, MAX_SHORT_TEXT);
      if (long !== null) throw badRequest(`${long} when message_type is location_request`);
      return { type, text };
    }
    case 'location':
      return { type, location: placeOf(required(draft.location, 'location')) };
    case 'contacts':
      return {
        type,
        cards: required(isEmpty(draft.contacts) ? undefined : draft.contacts, 'contacts').map(withoutEmpty),
      };
    case 'reaction':
      return readReaction(draft);
    default:
      return readMedia(draft, type);
  }
}

function requiredMessage(draft: FreeFormDraft): string {
  if (isBlank(draft.message)) throw badRequest(`message is required when message_type is ${draft.message_type}`);
  check(draft, 'message');
  return String(draft.message);
}

function required<T>(value: T | null | undefined, field: string): T {
  if (isAbsent(value)) throw badRequest(`${field} is required when message_type is ${field}`);
  return value as T;
}

const placeOf = ({ latitude, longitude, name, address }: SentLocation): SentLocation => ({
  latitude,
  longitude,
  ...(isBlank(name) ? {} : { name }),
  ...(isBlank(address) ? {} : { address }),
});

/** A copy without absent and blank fields, which the network would refuse, and without what has nothing else in it. */
const withoutEmpty = (card: object): JsonObject =>
  Object.fromEntries(
    Object.entries(card)
      .map(([name, value]) => [name, filled(value)] as const)
      .filter(([, value]) => !isNothing(value)),
  );

const filled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(filled).filter((entry) => !isNothing(entry));
  return isObject(value) ? withoutEmpty(value) : value;
};

const isNothing = (value: unknown): boolean =>
  isBlank(value) || (typeof value === 'object' && Object.keys(value as object).length === 0);

function readReaction({ reaction, reply_to }: FreeFormDraft): FreeFormContent {
  const { message_id: messageId, emoji } = required(reaction, 'reaction');
  if (!isAbsent(reply_to)) throw badRequest('reply_to is not allowed with message_type reaction');
  return { type: 'reaction', messageId, emoji };
}

function textWithButtons(draft: FreeFormDraft, buttons: object): FreeFormContent {
  const { message } = draft;
  if (!isAbsent(message) && typeof message !== 'string') throw badRequest(wrongType('message', 'a string', message));
  if (draft.preview_url === true) throw badRequest('preview_url is not allowed when buttons are present');
  if (isBlank(message)) throw unprocessable('message is required when buttons are present');
  const long = tooLong('message', message, MAX_SHORT_TEXT);
  if (long !== null) throw unprocessable(long.replace(' (got', ' when buttons are present (got'));
  return { type: 'text', text: message, buttons: readButtons(buttons) };
}

function readMedia(draft: FreeFormDraft, type: MediaType): MediaContent {
  const { caption, filename, voice } = draft;
  const source = readSource(draft, type);
  if (!isAbsent(caption)) check(draft, 'caption');
  if (!isAbsent(filename)) check(draft, 'filename');
  return { type, source, caption: orNull(caption), filename: orNull(filename), ...(voice === true && { voice }) };
}

/** Where the file is: exactly one of two fields names it. */
function readSource(draft: FreeFormDraft, type: MediaContent['type']): MediaContent['source'] {
  const { media_url, media_id } = draft;
  if (!isAbsent(media_id)) {
    check(draft, 'media_id');
    if (!isBlank(media_url)) throw bothNamed();
    return { fileId: String(media_id) };
  }
  if (isBlank(media_url))
    throw badRequest(`media_url is required when message_type is ${type}, unless media_id is given`);
  check(draft, 'media_url');
  const url = String(media_url);
  refuseMalformedUrl(url);
  return { url };
}

/** Refuses a malformed URL before the service window is checked; whether it can be fetched is checked afterwards. */
function refuseMalformedUrl(mediaUrl: string): void {
  try {
    parseEgressUrl(mediaUrl);
  } catch (error) {
    throw error instanceof EgressError ? badRequest(`media_url ${error.message}`) : error;
  }
}

const orNull = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);

/** Reads `buttons`; each violation of a rule is a 422. */
function readButtons(buttons: object): Buttons {
  const { type, reply_buttons: replies, url_button: website } = buttons as Record<string, unknown>;
  if (type !== 'reply' && type !== 'cta_url') {
    throw unprocessable(`buttons.type must be reply or cta_url (got ${shown(JSON.stringify(type) ?? 'nothing')})`);
  }
  if (!isAbsent(replies) && !isAbsent(website)) {
    throw unprocessable('buttons must not combine reply_buttons and url_button');
  }
  return type === 'reply' ? readReplies(buttons, replies) : readWebsite(website);
}

function readReplies(buttons: object, replies: unknown): Buttons {
  if (!Array.isArray(replies)) throw unprocessable('buttons.reply_buttons is required when buttons.type is reply');
  check(buttons, 'reply_buttons', 'buttons.reply_buttons', unprocessable);
  const read = replies.map((reply: unknown, index) => {
    const path = `buttons.reply_buttons[${index}]`;
    if (!isObject(reply)) throw unprocessable(`${path} must be an object with id and title`);
    return { id: requiredText(reply, 'id', path), title: requiredText(reply, 'title', path) };
  });
  for (const field of ['title', 'id'] as const) {
    refuseDuplicates(
      field,
      read.map((reply) => reply[field]),
    );
  }
  return { type: 'reply', replies: read };
}

function readWebsite(website: unknown): Buttons {
  if (!isObject(website)) throw unprocessable('buttons.url_button is required when buttons.type is cta_url');
  const displayText = requiredText(website, 'display_text', 'buttons.url_button');
  const url = requiredText(website, 'url', 'buttons.url_button');
  const edge = edgeFault(url);
  if (edge !== null) throw unprocessable(`buttons.url_button.url ${edge} (got ${shown(url)})`);
  if (!/^https?:\/\//.test(url)) {
    throw unprocessable(`buttons.url_button.url must start with http:// or https:// (got ${shown(url)})`);
  }
  if (!/^https?:\/\/[^/?#]/.test(url) || urlOrNull(url) === null) {
    throw unprocessable(`buttons.url_button.url must be a valid URL (got ${shown(url)})`);
  }
  const fault = encodingFault(url);
  if (fault !== null) throw unprocessable(`buttons.url_button.url ${fault} (got ${shown(url)})`);
  return { type: 'cta_url', displayText, url };
}

function requiredText(owner: object, name: string, parent: string): string {
  const value = (owner as Record<string, unknown>)[name];
  const path = `${parent}.${name}`;
  if (isBlank(value)) throw unprocessable(`${path} is required`);
  if (typeof value !== 'string') throw unprocessable(`${path} must be a string`);
  check(owner, name, path, unprocessable);
  return value;
}

function refuseDuplicates(field: string, values: readonly string[]): void {
  const twice = values.find((value, index) => values.indexOf(value) !== index);
  if (twice !== undefined) {
    throw unprocessable(`buttons.reply_buttons must not repeat the same ${field} (got ${JSON.stringify(twice)} twice)`);
  }
}
