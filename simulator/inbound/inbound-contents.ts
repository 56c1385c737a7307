import { ControlError } from '../control/control-error.js';
import { isText, type JsonObject } from '../json-object.js';
import { flag, optionalList, optionalObject, optionalText, requiredText } from './inbound-fields.js';

/** The sender of an inbound message; `from` is missing when the person hides the number. */
export interface Sender {
  from?: string;
  from_user_id: string;
  from_parent_user_id?: string;
}

/** What the contents of a message depend on besides what the test says. */
export interface ContentSource {
  sender: Sender;
  /** The message to which this one refers, as the network names it. */
  contextId: string | undefined;
  /** Describes the file of a media message. */
  media(type: string, input: JsonObject): Promise<JsonObject>;
}

type Contents = (input: JsonObject, source: ContentSource) => JsonObject | Promise<JsonObject>;

const FAR = 180;
const MAX_LATITUDE = 90;
/** The types of messages that people can edit. */
const EDITABLE = ['text', 'image', 'video', 'document'];
/** What the network says about a message that it does not pass on. */
const REFUSALS = {
  131051: ['Message type unknown', 'Message type is currently not supported.'],
  131052: [
    'Media file size too big. Max file size we currently support: 100MB.',
    'Please communicate with your customer to send a media file that is less than 100MB.',
  ],
} as const;

/** The contents of a message that the network does not pass on. */
export function unsupported(type: string, code: keyof typeof REFUSALS): JsonObject {
  const [title, details] = REFUSALS[code];
  return { unsupported: { type }, errors: [{ code, title, message: title, error_data: { details } }] };
}

function locationOf(input: JsonObject): JsonObject {
  const location = optionalObject(input, 'location', '{latitude, longitude, name?, address?, url?}') ?? {
    latitude: 52.520008,
    longitude: 13.404954,
    name: 'Berlin',
    address: 'Berlin, Germany',
  };
  for (const [name, limit] of [
    ['latitude', MAX_LATITUDE],
    ['longitude', FAR],
  ] as const) {
    const degrees = location[name];
    if (typeof degrees !== 'number' || Math.abs(degrees) > limit)
      throw new ControlError(`location.${name} must be a number from -${limit} to ${limit}`);
  }
  return { location };
}

function contactsOf(input: JsonObject): JsonObject {
  const contacts = optionalList(input, 'contacts', '{name: {formatted_name, …}, phones?, …}') ?? [
    { name: { formatted_name: 'Ada Lindgrove', first_name: 'Ada' }, phones: [{ phone: '+442071234567' }] },
  ];
  return { contacts };
}

function orderOf(input: JsonObject): JsonObject {
  const order = optionalObject(input, 'order', '{catalog_id, text?, product_items}') ?? {};
  const items = optionalList(order, 'product_items', '{product_retailer_id, quantity, item_price, currency}') ?? [
    { product_retailer_id: 'sku-1', quantity: 1, item_price: 9.5, currency: 'EUR' },
  ];
  return { order: { catalog_id: '1', text: isText(input.text) ? input.text : '', ...order, product_items: items } };
}

/** The answer to a form; the network sends what was filled in as JSON text. */
function formOf(input: JsonObject): JsonObject {
  const { response_json: given = { flow_token: 'unused', name: 'Ada', wants_news: true } } = input;
  const name = optionalText(input, 'flow_name') ?? 'flow';
  const body = optionalText(input, 'text') ?? 'Sent';
  const response_json = typeof given === 'string' ? given : JSON.stringify(given);
  return { interactive: { type: 'nfm_reply', nfm_reply: { name, body, response_json } } };
}

function choiceOf(type: 'button_reply' | 'list_reply', idField: string): Contents {
  return (input) => {
    const id = requiredText(input, idField);
    const description = type === 'list_reply' && isText(input.description) ? { description: input.description } : {};
    return { interactive: { type, [type]: { id, title: isText(input.title) ? input.title : id, ...description } } };
  };
}

function callPermissionOf(input: JsonObject): JsonObject {
  const response = optionalText(input, 'response') ?? 'accept';
  if (response !== 'accept' && response !== 'reject') throw new ControlError('response must be "accept" or "reject"');
  const call_permission_reply = {
    response,
    response_source: 'user_action',
    ...(response === 'accept' ? { expiration_timestamp: Math.floor(Date.now() / 1000) + 604_800 } : {}),
  };
  return { interactive: { type: 'call_permission_reply', call_permission_reply } };
}

/** A new version of an earlier message. */
async function editOf(input: JsonObject, source: ContentSource): Promise<JsonObject> {
  const original_message_id = requiredText(input, 'original_message_id');
  const given = optionalObject(input, 'message', '{type, …}') ?? { type: 'text', text: requiredText(input, 'text') };
  const { type } = given;
  if (!isText(type) || !EDITABLE.includes(type))
    throw new ControlError(`message.type must be one of ${EDITABLE.join(', ')}`);
  const { contextId } = source;
  const context = contextId === undefined ? {} : { context: { id: contextId } };
  return { edit: { original_message_id, message: { ...context, type, ...(await contentsOf(given, source)) } } };
}

function unknownOf(input: JsonObject): JsonObject {
  const kind = optionalText(input, 'kind') ?? 'hologram';
  return { type: kind, [kind]: optionalObject(input, 'content', 'of any shape') ?? { id: '1' } };
}

const mediaOf =
  (type: string): Contents =>
  (input, source) =>
    source.media(type, input);

/** How the contents of each kind are made; a `type` in them is the network's, where it differs. */
const CONTENTS: Readonly<Record<string, Contents>> = {
  text: (input) => ({ text: { body: requiredText(input, 'text') } }),
  image: mediaOf('image'),
  video: mediaOf('video'),
  audio: mediaOf('audio'),
  document: mediaOf('document'),
  sticker: mediaOf('sticker'),
  location: locationOf,
  contacts: contactsOf,
  order: orderOf,
  button: (input) => {
    const text = isText(input.text) ? input.text : requiredText(input, 'payload');
    return { button: { payload: isText(input.payload) ? input.payload : text, text } };
  },
  button_reply: choiceOf('button_reply', 'button_id'),
  list_reply: choiceOf('list_reply', 'row_id'),
  nfm_reply: formOf,
  call_permission_reply: callPermissionOf,
  reaction: (input, { contextId }) => {
    const message_id = contextId ?? requiredText(input, 'context_id');
    return { reaction: { message_id, ...(isText(input.emoji) ? { emoji: input.emoji } : {}) } };
  },
  edit: editOf,
  revoke: (input) => ({ revoke: { original_message_id: requiredText(input, 'original_message_id') } }),
  system: (input, { sender: { from, from_user_id } }) => ({
    system: {
      type: 'user_changed_number',
      body: isText(input.text) ? input.text : 'User changed number',
      ...(from === undefined ? {} : { wa_id: from }),
      user_id: from_user_id,
    },
  }),
  unsupported: (input) => unsupported(isText(input.subtype) ? input.subtype : 'unknown', 131051),
  unknown: unknownOf,
};

/** The kinds of messages that people send. */
export const INBOUND_KINDS = Object.keys(CONTENTS);

/** The kinds that the network calls `interactive`. */
const INTERACTIVE = ['button_reply', 'list_reply', 'nfm_reply', 'call_permission_reply'];

/** The network's name for a kind. */
export const networkType = (kind: string): string => (INTERACTIVE.includes(kind) ? 'interactive' : kind);

/**
 * What a message of the kind `input.type` contains; a `type` among it replaces the usual one.
 * @throws ControlError for what such a message cannot contain
 */
export async function contentsOf(input: JsonObject, source: ContentSource): Promise<JsonObject> {
  const make = isText(input.type) && Object.hasOwn(CONTENTS, input.type) ? CONTENTS[input.type] : undefined;
  if (!make) throw new ControlError(`type must be one of ${INBOUND_KINDS.join(', ')}`);
  return make(input, source);
}

/** The part of `context` that says where a message comes from. */
export function originOf(input: JsonObject): JsonObject {
  const product = optionalObject(input, 'referred_product', '{catalog_id, product_retailer_id}');
  return {
    ...(flag(input, 'forwarded') ? { forwarded: true } : {}),
    ...(flag(input, 'frequently_forwarded') ? { frequently_forwarded: true } : {}),
    ...(product === undefined ? {} : { referred_product: product }),
  };
}
