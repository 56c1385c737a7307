import { isPhoneNumber, type PhoneNumber } from '../values/phone-number.js';
import { storableText } from '../values/storable-text.js';
import { isUserId, type UserId } from '../values/user-id.js';
import { type JsonObject, type MessageItem, unixSeconds } from './callback.js';

/** A message from a contact, read out of the network's words. */
export interface InboundMessage {
  /** The network's id. */
  readonly networkMessageId: string;
  /** The sender's number, or null when they hide it. */
  readonly from: PhoneNumber | null;
  /** The sender's user id; either this or the number is there. */
  readonly userId: UserId | null;
  readonly username: string | null;
  readonly profileName: string | null;
  /** The network's type, `button_reply` for the interactive one. */
  readonly messageType: string;
  readonly content: string;
  /** When it was written, never later than now. */
  readonly at: Date;
  /** The network's id of the message that it quotes, taps on or reacts to. */
  readonly about: string | null;
  /** The button that was tapped. */
  readonly tap: { readonly id: string; readonly text: string } | null;
  readonly isFromAd: boolean;
  readonly raw: JsonObject;
}

/** The type of the network's own notices in a contact's name: they open no window and answer nothing. */
export const NETWORK_NOTICE = 'system';

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const part = (value: unknown, name: string): JsonObject =>
  isObject(value) && isObject(value[name]) ? (value[name] as JsonObject) : {};
const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? storableText(value) : null;

const WITH_CAPTION = new Set(['image', 'video', 'audio', 'document', 'sticker']);

/**
 * Reads one message.
 *
 * @param now no message is dated later than this
 * @returns null when it has no id or no sender
 */
export function readInboundMessage({ message, contact }: MessageItem, now: Date): InboundMessage | null {
  const networkMessageId = text(message['id']);
  const sender = text(message['from']) ?? text(contact?.['wa_id']);
  const userIds = [message['from_user_id'], message['user_id'], contact?.['user_id']];
  const userId = userIds.find(isUserId) ?? null;
  const from = isPhoneNumber(sender) ? sender : null;
  if (networkMessageId === null || (from === null && userId === null)) return null;
  const seconds = unixSeconds(message['timestamp']);
  return {
    networkMessageId,
    from,
    userId,
    username: text(part(contact, 'profile')['username']),
    profileName: text(part(contact, 'profile')['name']),
    ...whatItSays(message),
    at: seconds === null ? now : new Date(Math.min(seconds * 1000, now.getTime())),
    isFromAd: isObject(message['referral']),
    raw: message,
  };
}

type Said = Pick<InboundMessage, 'messageType' | 'content' | 'about' | 'tap'>;

/** Type, content, tap and the message it is about. */
function whatItSays(message: JsonObject): Said {
  const type = text(message['type']) ?? 'unknown';
  const said: Said = { messageType: type, content: '', about: text(part(message, 'context')['id']), tap: null };
  if (type === 'text') return { ...said, content: text(part(message, 'text')['body']) ?? '' };
  if (WITH_CAPTION.has(type)) return { ...said, content: text(part(message, type)['caption']) ?? '' };
  if (type === 'button') {
    const { payload, text: label } = part(message, 'button');
    const content = text(label) ?? '';
    return { ...said, content, tap: { id: text(payload) ?? content, text: content } };
  }
  if (type === 'interactive') {
    const reply = part(part(message, 'interactive'), 'button_reply');
    if (text(reply['id']) === null) return said;
    const content = text(reply['title']) ?? '';
    return { ...said, messageType: 'button_reply', content, tap: { id: text(reply['id']) ?? '', text: content } };
  }
  if (type === 'reaction') {
    const reaction = part(message, 'reaction');
    return { ...said, content: text(reaction['emoji']) ?? '', about: text(reaction['message_id']) };
  }
  return said;
}

/** What a text asks of the contact's consent, or null. */
export function consentDecision(
  { messageType, content }: Pick<InboundMessage, 'messageType' | 'content'>,
  words: { readonly stop: readonly string[]; readonly start: readonly string[] },
): boolean | null {
  if (messageType !== 'text') return null;
  const said = content.trim().toUpperCase();
  if (words.stop.some((word) => word.toUpperCase() === said)) return false;
  if (words.start.some((word) => word.toUpperCase() === said)) return true;
  return null;
}
