import { isCustomerNumber, isUserId } from '../callbacks/user-ids.js';
import { jsonOr } from '../exchange.js';
import { GraphError } from '../graph-error.js';
import { exceeds, isObject, isText, type JsonObject } from '../json-object.js';
import { checkMedia, type KnowsMedia } from '../media/media-rules.js';
import { checkInteractive } from './interactive-rules.js';

const TEXT_LIMIT = 4096;
const CAPTION_LIMIT = 1024;
const CALLBACK_DATA_LIMIT = 512;
const FILENAME_LIMIT = 240;

/** Media types, and whether they allow a caption. */
const MEDIA: Record<string, boolean> = { image: true, video: true, document: true, audio: false, sticker: false };
const TYPES = [...Object.keys(MEDIA), 'text', 'interactive', 'template', 'location', 'contacts', 'reaction'];

function checkMediaMessage(medium: unknown, type: string, knowsMedia: KnowsMedia): void {
  const checked = checkMedia(medium, type, knowsMedia);
  const { caption, filename } = checked;
  if (caption !== undefined) {
    if (!MEDIA[type]) throw new GraphError(100, `Param ${type} does not take a caption.`);
    if (typeof caption !== 'string' || exceeds(caption, CAPTION_LIMIT)) {
      throw new GraphError(100, `Param ${type}['caption'] must be at most ${CAPTION_LIMIT} characters long.`);
    }
  }
  const { voice } = checked;
  if (voice !== undefined && (type !== 'audio' || typeof voice !== 'boolean')) {
    throw new GraphError(
      100,
      type === 'audio' ? "Param audio['voice'] must be a boolean." : `Param ${type} does not take voice.`,
    );
  }
  if (filename !== undefined) {
    if (type !== 'document') throw new GraphError(100, `Param ${type} does not take a filename.`);
    if (typeof filename !== 'string' || exceeds(filename, FILENAME_LIMIT)) {
      throw new GraphError(100, `Param document['filename'] must be at most ${FILENAME_LIMIT} characters long.`);
    }
  }
}

function checkText(text: unknown): void {
  if (!isObject(text)) throw GraphError.missing('text');
  if (!isText(text.body)) throw GraphError.missing("text['body']");
  if (exceeds(text.body, TEXT_LIMIT)) {
    throw new GraphError(100, `Param text['body'] must be at most ${TEXT_LIMIT} characters long.`);
  }
  if (text.preview_url !== undefined && typeof text.preview_url !== 'boolean') {
    throw new GraphError(100, "Param text['preview_url'] must be a boolean.");
  }
}

function checkLocation(location: unknown): void {
  if (!isObject(location)) throw GraphError.missing('location');
  for (const [name, limit] of [
    ['latitude', 90],
    ['longitude', 180],
  ] as const) {
    const degrees = Number(location[name] ?? Number.NaN);
    if (!(Math.abs(degrees) <= limit)) throw GraphError.invalid(`location ${name} must be from -${limit} to ${limit}`);
  }
}

function checkContacts(given: unknown): void {
  const contacts = typeof given === 'string' ? jsonOr(given) : given;
  if (!Array.isArray(contacts) || contacts.length === 0) throw GraphError.missing('contacts');
  for (const contact of contacts) {
    if (!isObject(contact) || !isObject(contact.name) || !isText(contact.name.formatted_name)) {
      throw GraphError.missing("contacts[]['name']['formatted_name']");
    }
  }
}

function checkReaction(reaction: unknown): void {
  if (!isObject(reaction)) throw GraphError.missing('reaction');
  if (!isText(reaction.message_id)) throw GraphError.missing("reaction['message_id']");
  if (typeof reaction.emoji !== 'string') throw GraphError.missing("reaction['emoji']");
  if (reaction.emoji !== '' && !isEmoji(reaction.emoji)) throw GraphError.invalid('reaction emoji must be one emoji');
}

/** TypeScript refuses this flag in a literal, because it is newer than what the build targets. */
const SETS = 'v';
const EMOJI = new RegExp('^\\p{RGI_Emoji}$', SETS);
/** Turns a character that is also text into a picture; people's keyboards often leave it out. */
const AS_PICTURE = '\ufe0f';

const isEmoji = (text: string): boolean => EMOJI.test(text) || EMOJI.test(text + AS_PICTURE);

/** The recipient of a message, as the request names it: by number or by user id. */
export type Recipient = { input: string } & (
  | { digits: string; hasPlus: boolean; userId: null }
  | { digits: null; hasPlus: false; userId: string }
);

const NUMBER = /^\+?[\d() -]+$/;

/** If the request has both a number and a user id, the number wins. */
function recipientOf({ to, recipient }: JsonObject): Recipient {
  if (!isText(to) && recipient !== undefined) {
    if (isUserId(recipient)) return { input: recipient, digits: null, hasPlus: false, userId: recipient };
    throw GraphError.invalid('recipient must be a business-scoped user id, such as US.13491208655302741918');
  }
  if (!isText(to)) throw GraphError.missing('to');
  const digits = NUMBER.test(to) ? to.replace(/\D/g, '') : null;
  if (isCustomerNumber(digits)) return { input: to, digits, hasPlus: to.startsWith('+'), userId: null };
  throw GraphError.invalid('to must be a phone number with its country code, such as +1 (631) 555-1234');
}

interface CheckedMessage {
  recipient: Recipient;
  type: string;
}

/** Checks the fields that all messages share. */
function checkFrame(message: JsonObject): CheckedMessage {
  const { messaging_product, recipient_type, type = 'text', context, biz_opaque_callback_data: data } = message;
  if (messaging_product === undefined) throw GraphError.missing('messaging_product');
  if (messaging_product !== 'whatsapp') throw new GraphError(100, 'Param messaging_product must be one of {WHATSAPP}.');
  if (recipient_type !== undefined && recipient_type !== 'individual') {
    throw new GraphError(100, 'Param recipient_type must be one of {individual}.');
  }
  const recipient = recipientOf(message);
  if (typeof type !== 'string' || !TYPES.includes(type)) {
    throw new GraphError(100, `Param type must be one of {${TYPES.join(', ').toUpperCase()}} - got "${String(type)}".`);
  }
  if (data !== undefined && (typeof data !== 'string' || exceeds(data, CALLBACK_DATA_LIMIT))) {
    throw new GraphError(100, `Param biz_opaque_callback_data must be at most ${CALLBACK_DATA_LIMIT} characters long.`);
  }
  if (context !== undefined && !(isObject(context) && isText(context.message_id)))
    throw GraphError.missing("context['message_id']");
  return { recipient, type };
}

/** Rejects a malformed message as the network does. Template parameters are checked in `checkTemplateParameters`. */
export function checkMessage(message: JsonObject, knowsMedia: KnowsMedia): CheckedMessage {
  const checked = checkFrame(message);
  const { type } = checked;
  if (type in MEDIA) checkMediaMessage(message[type], type, knowsMedia);
  else if (type === 'text') checkText(message.text);
  else if (type === 'interactive') checkInteractive(message.interactive, knowsMedia);
  else if (type === 'location') checkLocation(message.location);
  else if (type === 'contacts') checkContacts(message.contacts);
  else if (type === 'reaction') checkReaction(message.reaction);
  return checked;
}
