import { isObject, type JsonObject, objects, text } from '../values/network-json.js';
import { coordinatesOf, readableCards, readableOrder, readablePlace } from './readable-content.js';
import { storable } from './storable-payload.js';

/**
 * What a message of the network is to us:
 * - `answered`: a person wrote. It opens a window, is a reply, reopens and assigns, and the automatic reply answers it.
 * - `heard`: the same, without an automatic reply.
 * - `notice`: the network says something about a person.
 * - `edit`, `revoke`, `unreact`: changes the message that it names, and does nothing else.
 */
export type InboundRole = 'answered' | 'heard' | 'notice' | 'edit' | 'revoke' | 'unreact';

/** What a payload says about the file of its message. */
export interface MediaFacts {
  /** The network's id of the file; null when it names none. */
  readonly networkMediaId: string | null;
  readonly mimeType: string | null;
  readonly filename: string | null;
  readonly sha256: string | null;
  readonly voice: boolean;
  readonly animated: boolean;
}

/** A choice or a filled form. */
export type Choice =
  | { readonly type: string; readonly id: string | null; readonly title: string | null; readonly description?: string }
  | { readonly type: 'flow'; readonly name: string | null; readonly response: unknown };

/** A place, in the network's shape. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
  readonly name?: string;
  readonly address?: string;
  readonly url?: string;
}

/** What a message contains; what it has not is absent. */
export interface InboundContents {
  readonly media?: MediaFacts;
  readonly location?: Place;
  readonly contacts?: readonly unknown[];
  readonly order?: JsonObject;
  readonly interactive?: Choice;
  /** The network's id of the message that an emoji is put on. */
  readonly reaction?: { readonly names: string | null; readonly emoji: string };
  /** What no reader knows, as it arrived. */
  readonly raw?: JsonObject;
}

/** A payload of the network, read. */
export interface ReadMessage {
  readonly role: InboundRole;
  /** The network's type; of an interactive message the inner one. */
  readonly messageType: string;
  /** What a person reads. */
  readonly content: string;
  /** What stands in a list of conversations; never empty. */
  readonly preview: string;
  readonly contents: InboundContents;
  /** The network's id of the message that it quotes, taps, reacts to or changes. */
  readonly names: string | null;
  /** The button that was tapped. */
  readonly tap: { readonly id: string; readonly text: string } | null;
}

type Known = Partial<Omit<ReadMessage, 'contents'>> & Pick<ReadMessage, 'contents'>;
type Reader = (message: JsonObject) => Known | null;

/** The object `name` of another one; empty when it is none. */
export const part = (value: unknown, name: string): JsonObject => {
  const found = isObject(value) && Object.hasOwn(value, name) ? value[name] : null;
  return isObject(found) ? found : {};
};

const has = (value: JsonObject): boolean => Object.keys(value).length > 0;

const MEDIA_LABELS = {
  image: 'Photo',
  video: 'Video',
  audio: 'Audio',
  document: 'Document',
  sticker: 'Sticker',
} as const;
type MediaType = keyof typeof MEDIA_LABELS;

/** The types of messages that carry a file. */
export const MEDIA_TYPES = Object.keys(MEDIA_LABELS) as readonly MediaType[];

/** What stands for a message without text in a list of conversations, by its type. */
export const PREVIEWS: Readonly<Record<string, string>> = {
  ...MEDIA_LABELS,
  location: 'Location',
  contacts: 'Contact',
  order: 'Order',
  unsupported: 'Unsupported message',
  system: 'System notice',
};
/** What stands for a message of any other kind. */
export const ANY_PREVIEW = 'Message';
export const REVOKED_PREVIEW = 'Deleted message';

const media =
  (type: MediaType): Reader =>
  (message) => {
    const file = part(message, type);
    if (!has(file)) return null;
    const voice = file['voice'] === true;
    const filename = text(file['filename']);
    return {
      content: text(file['caption']) ?? '',
      preview: text(file['caption']) ?? (voice ? 'Voice message' : (filename ?? MEDIA_LABELS[type])),
      contents: {
        media: {
          networkMediaId: text(file['id']),
          mimeType: text(file['mime_type']),
          filename,
          sha256: text(file['sha256']),
          voice,
          animated: file['animated'] === true,
        },
      },
    };
  };

const choice = (type: string, chosen: JsonObject): Known | null => {
  const [id, title, description] = ['id', 'title', 'description'].map((name) => text(chosen[name])) as [
    string | null,
    string | null,
    string | null,
  ];
  if (id === null && title === null) return null;
  const interactive = { type, id, title, ...(description === null ? {} : { description }) };
  return { messageType: type, content: title ?? '', contents: { interactive } };
};

/** The readers of interactive messages, by the inner type. */
const INTERACTIVE: Readonly<Record<string, Reader>> = {
  button_reply(interactive) {
    const known = choice('button_reply', part(interactive, 'button_reply'));
    const id = text(part(interactive, 'button_reply')['id']);
    return known === null || id === null ? known : { ...known, tap: { id, text: known.content ?? '' } };
  },
  list_reply: (interactive) => choice('list_reply', part(interactive, 'list_reply')),
  nfm_reply(interactive) {
    const { name, body, response_json: json } = part(interactive, 'nfm_reply');
    const response = parsed(json);
    if (response === undefined) return null;
    return {
      content: text(body) ?? '',
      preview: text(body) ?? 'Form',
      contents: { interactive: { type: 'flow', name: text(name), response: storable(response) } },
    };
  },
};

function parsed(json: unknown): unknown {
  if (typeof json !== 'string') return isObject(json) ? json : undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The inner type of an interactive message: the one that it names, or else the one that it has. */
const innerTypeOf = (interactive: JsonObject): string | null =>
  text(interactive['type']) ?? Object.keys(INTERACTIVE).find((type) => has(part(interactive, type))) ?? null;

/**
 * Everything that counts as a message of a person and is answered automatically. A kind that is not in this list, or
 * that its reader cannot read, is heard and kept as it arrived.
 */
const ANSWERED: Readonly<Record<string, Reader>> = {
  text: (message) => {
    const body = text(part(message, 'text')['body']);
    return body === null ? null : { content: body, contents: {} };
  },
  ...(Object.fromEntries(MEDIA_TYPES.map((type) => [type, media(type)])) as Record<MediaType, Reader>),
  location(message) {
    const { name, address, url } = part(message, 'location');
    const coordinates = coordinatesOf(part(message, 'location'));
    if (coordinates === null) return null;
    const named = Object.entries({ name, address, url }).flatMap(([key, value]) => {
      const shown = text(value);
      return shown === null ? [] : [[key, shown] as const];
    });
    const location: Place = { ...coordinates, ...Object.fromEntries(named) };
    return { content: readablePlace(location), preview: PREVIEWS['location'], contents: { location } };
  },
  contacts(message) {
    const cards = objects(message['contacts']);
    if (cards.length === 0) return null;
    const contacts = storable(cards) as unknown[];
    return { content: readableCards(cards), preview: PREVIEWS['contacts'], contents: { contacts } };
  },
  order(message) {
    const order = part(message, 'order');
    if (!has(order)) return null;
    return {
      content: readableOrder(order),
      preview: PREVIEWS['order'],
      contents: { order: storable(order) as JsonObject },
    };
  },
  button(message) {
    const { payload, text: label } = part(message, 'button');
    const title = text(label) ?? '';
    const id = text(payload) ?? title;
    if (id === '') return null;
    return { content: title, contents: { interactive: { type: 'button', id, title } }, tap: { id, text: title } };
  },
  interactive(message) {
    const interactive = part(message, 'interactive');
    const type = innerTypeOf(interactive);
    if (type === null) return null;
    const known = Object.hasOwn(INTERACTIVE, type) ? INTERACTIVE[type]?.(interactive) : null;
    if (known === null || known === undefined) return { messageType: type, contents: { raw: message } };
    return { ...known, messageType: type };
  },
};

/** What a message says that changes another one, and what the network says on a person's behalf. */
const OTHERS: Readonly<Record<string, Reader>> = {
  reaction(message) {
    const { message_id, emoji } = part(message, 'reaction');
    const names = text(message_id);
    const shown = text(emoji);
    if (shown === null) return { role: 'unreact', names, contents: { raw: message } };
    return { role: 'heard', names, content: shown, contents: { reaction: { names, emoji: shown } } };
  },
  edit: (message) => changing('edit', message),
  revoke: (message) => changing('revoke', message),
  system: (message) => ({
    role: 'notice',
    content: text(part(message, 'system')['body']) ?? '',
    contents: { raw: message },
  }),
};

const changing = (role: 'edit' | 'revoke', message: JsonObject): Known => ({
  role,
  names: text(part(message, role)['original_message_id']),
  contents: { raw: message },
});

/** Reads one message of the network. Never throws, whatever it contains; what it cannot read is `raw`. */
export function readMessage(message: JsonObject): ReadMessage {
  const type = text(message['type']) ?? 'unknown';
  const isAnswered = Object.hasOwn(ANSWERED, type);
  const reader = isAnswered ? ANSWERED[type] : Object.hasOwn(OTHERS, type) ? OTHERS[type] : undefined;
  const known = reader?.(message) ?? { contents: { raw: message } };
  const { raw } = known.contents;
  const messageType = known.messageType ?? type;
  const content = known.content ?? '';
  return {
    role: known.role ?? (isAnswered ? 'answered' : 'heard'),
    messageType,
    content,
    preview: known.preview ?? (content === '' ? (PREVIEWS[messageType] ?? ANY_PREVIEW) : content),
    contents: raw === undefined ? known.contents : { ...known.contents, raw: storable(raw) as JsonObject },
    names: known.names ?? text(part(message, 'context')['id']),
    tap: known.tap ?? null,
  };
}

/** What a message of the network refers to besides its own contents. */
export interface MessageContext {
  /** The network's id of the message that it quotes. */
  readonly names: string | null;
  readonly forwarded: boolean;
  readonly frequentlyForwarded: boolean;
  readonly referredProduct: JsonObject | null;
}

/** Reads what a message refers to; null when it refers to nothing. */
export function contextOf(message: JsonObject): MessageContext | null {
  const context = part(message, 'context');
  const names = text(context['id']);
  const product = part(context, 'referred_product');
  const forwarded = context['forwarded'] === true;
  const frequentlyForwarded = context['frequently_forwarded'] === true;
  if (names === null && !forwarded && !frequentlyForwarded && !has(product)) return null;
  return {
    names,
    forwarded: forwarded || frequentlyForwarded,
    frequentlyForwarded,
    referredProduct: has(product) ? (storable(product) as JsonObject) : null,
  };
}

/** The advertisement or post that brought the person, in the network's shape; null for none. */
export function referralOf(message: JsonObject): JsonObject | null {
  const referral = part(message, 'referral');
  return has(referral) ? (storable(referral) as JsonObject) : null;
}

/**
 * The payload of a message after an edit: its text or caption is replaced, and the rest stays, above all its file and
 * what it quotes. Null for an edit that says nothing of the kind.
 */
export function editedPayload(payload: JsonObject, edit: JsonObject): JsonObject | null {
  const message = part(part(edit, 'edit'), 'message');
  const type = text(message['type']);
  if (type === null || !has(part(message, type))) return null;
  const isMedia = MEDIA_TYPES.some((each) => each === type);
  if (!isMedia) return { ...payload, type, [type]: message[type] };
  const { caption: _, ...file } = part(payload, type);
  const caption = text(part(message, type)['caption']);
  return { ...payload, type, [type]: { ...part(message, type), ...file, caption: caption ?? '' } };
}
