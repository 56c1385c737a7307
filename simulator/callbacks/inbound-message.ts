import { createHash, randomBytes } from 'node:crypto';
import { ControlError } from '../control/control-error.js';
import { isObject, isText, type JsonObject } from '../json-object.js';
import { isCustomerNumber, isUserId, userIdOf } from './user-ids.js';

/** Default MIME types for media that the caller of `/_sim/inbound` does not describe. */
const MEDIA_TYPES: Record<string, string> = {
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/ogg; codecs=opus',
  document: 'application/pdf',
  sticker: 'image/webp',
};

const PLAIN_TYPES = [
  'text',
  'button',
  'button_reply',
  'reaction',
  'location',
  'contacts',
  'order',
  'system',
  'unsupported',
];
const TYPES = [...PLAIN_TYPES, ...Object.keys(MEDIA_TYPES)];

const newInboundId = (): string => `wamid.HBgM${randomBytes(15).toString('base64url')}`;

function required(input: JsonObject, name: string): string {
  const value = input[name];
  if (!isText(value)) throw new ControlError(`${name} is required for type ${String(input.type)}`);
  return value;
}

function mediaOf(input: JsonObject, type: string): JsonObject {
  const media = input.media ?? {};
  if (!isObject(media)) throw new ControlError('media must be an object {id, mime_type, sha256, caption?, filename?}');
  const id = isText(media.id) ? media.id : `${Date.now()}${randomBytes(2).readUInt16BE()}`;
  return { id, mime_type: MEDIA_TYPES[type], sha256: createHash('sha256').update(id).digest('base64'), ...media };
}

function contentOf(input: JsonObject, type: string): JsonObject {
  if (type in MEDIA_TYPES) return { [type]: mediaOf(input, type) };
  switch (type) {
    case 'text':
      return { text: { body: required(input, 'text') } };
    case 'button': {
      const text = isText(input.text) ? input.text : required(input, 'payload');
      return { button: { payload: isText(input.payload) ? input.payload : text, text } };
    }
    case 'button_reply':
      return {
        interactive: {
          type: 'button_reply',
          button_reply: {
            id: required(input, 'button_id'),
            title: isText(input.title) ? input.title : input.button_id,
          },
        },
      };
    case 'reaction': {
      const emoji = isText(input.emoji) ? { emoji: input.emoji } : {};
      return { reaction: { message_id: required(input, 'context_id'), ...emoji } };
    }
    case 'location':
      return { location: { latitude: 52.520008, longitude: 13.404954, name: 'Berlin', address: 'Berlin, Germany' } };
    case 'contacts':
      return {
        contacts: [
          { name: { formatted_name: 'Ada Lindgrove', first_name: 'Ada' }, phones: [{ phone: '+442071234567' }] },
        ],
      };
    case 'order': {
      const item = { product_retailer_id: 'sku-1', quantity: 1, item_price: 9.5, currency: 'EUR' };
      return { order: { catalog_id: '1', text: isText(input.text) ? input.text : '', product_items: [item] } };
    }
    case 'system':
      return { system: { type: 'user_changed_number', body: isText(input.text) ? input.text : 'User changed number' } };
    default:
      return {
        errors: [
          {
            code: 131051,
            title: 'Message type unknown',
            message: 'Message type unknown',
            error_data: { details: 'Message type is currently not supported.' },
          },
        ],
      };
  }
}

/** Unix seconds, from a number or a string of digits; defaults to now. */
function timestampOf(value: unknown): string {
  if (value === undefined) return Math.floor(Date.now() / 1000).toString();
  if (!/^\d{1,12}$/.test(String(value))) throw new ControlError('timestamp must be unix seconds');
  return String(value);
}

/** The sender of an inbound message; `from` is missing when the customer hides the number. */
interface Sender {
  from?: string;
  from_user_id: string;
}

function senderOf({ from, from_user_id: userId }: JsonObject): Sender {
  if (from === undefined && userId !== undefined) {
    if (isUserId(userId)) return { from_user_id: userId };
    throw new ControlError('from_user_id must be a business-scoped user id, such as US.13491208655302741918');
  }
  if (!isCustomerNumber(from)) throw new ControlError('from must be the customer number, digits only');
  const own = userIdOf(from);
  if (userId === undefined || userId === own) return { from, from_user_id: own };
  throw new ControlError(`from_user_id of ${from} is ${own}; leave it out, or leave out from to hide the number`);
}

/** Builds the inbound message for the body of `POST /_sim/inbound`. A reply quotes `display`, our own number. */
export function inboundMessage(input: JsonObject, display: string): JsonObject & Sender & { id: string } {
  const { type } = input;
  if (!isText(type) || !TYPES.includes(type)) throw new ControlError(`type must be one of ${TYPES.join(', ')}`);
  const sender = senderOf(input);
  if (input.referral !== undefined && !isObject(input.referral)) throw new ControlError('referral must be an object');
  const quotes = isText(input.context_id) && type !== 'reaction';
  return {
    ...(quotes ? { context: { from: display.replace(/\D/g, ''), id: input.context_id } } : {}),
    ...sender,
    id: isText(input.id) ? input.id : newInboundId(),
    timestamp: timestampOf(input.timestamp),
    type: type === 'button_reply' ? 'interactive' : type,
    ...contentOf(input, type),
    ...(input.referral === undefined ? {} : { referral: input.referral }),
  };
}
