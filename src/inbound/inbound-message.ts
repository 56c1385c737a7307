import { isPhoneNumber, type PhoneNumber } from '../values/phone-number.js';
import { isUserId, type UserId } from '../values/user-id.js';
import { isObject, type JsonObject, type MessageItem, text, unixSeconds } from './callback.js';

/** A message from a contact, parsed from the network's format. */
export interface InboundMessage {
  /** The network's id. */
  readonly networkMessageId: string;
  /** The sender's number, or null when they hide it. */
  readonly from: PhoneNumber | null;
  /** The sender's user id; at least one of this and `from` is set. */
  readonly userId: UserId | null;
  readonly username: string | null;
  readonly profileName: string | null;
  /** The network's type, `button_reply` for the interactive one. */
  readonly messageType: string;
  readonly content: string;
  /** When it was written, never later than now. */
  readonly at: Date;
  /** The network's id of the message that it quotes, taps or reacts to. */
  readonly about: string | null;
  /** The button that was tapped. */
  readonly tap: { readonly id: string; readonly text: string } | null;
  readonly isFromAd: boolean;
  readonly raw: JsonObject;
}

/** The type of notices that the network sends on a contact's behalf. They open no service window and answer nothing. */
export const NETWORK_NOTICE = 'system';

const part = (value: unknown, name: string): JsonObject =>
  isObject(value) && isObject(value[name]) ? (value[name] as JsonObject) : {};

const WITH_CAPTION = new Set(['image', 'video', 'audio', 'document', 'sticker']);

/**
 * Reads one message.
 *
 * @param now the latest time that a message may be dated
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
    ...contentOf(message),
    at: seconds === null ? now : new Date(Math.min(seconds * 1000, now.getTime())),
    isFromAd: isObject(message['referral']),
    raw: message,
  };
}

type MessageContent = Pick<InboundMessage, 'messageType' | 'content' | 'about' | 'tap'>;

function contentOf(message: JsonObject): MessageContent {
  const type = text(message['type']) ?? 'unknown';
  const base: MessageContent = {
    messageType: type,
    content: '',
    about: text(part(message, 'context')['id']),
    tap: null,
  };
  if (type === 'text') return { ...base, content: text(part(message, 'text')['body']) ?? '' };
  if (WITH_CAPTION.has(type)) return { ...base, content: text(part(message, type)['caption']) ?? '' };
  if (type === 'button') {
    const { payload, text: label } = part(message, 'button');
    const content = text(label) ?? '';
    return { ...base, content, tap: { id: text(payload) ?? content, text: content } };
  }
  if (type === 'interactive') {
    const reply = part(part(message, 'interactive'), 'button_reply');
    if (text(reply['id']) === null) return base;
    const content = text(reply['title']) ?? '';
    return { ...base, messageType: 'button_reply', content, tap: { id: text(reply['id']) ?? '', text: content } };
  }
  if (type === 'reaction') {
    const reaction = part(message, 'reaction');
    return { ...base, content: text(reaction['emoji']) ?? '', about: text(reaction['message_id']) };
  }
  return base;
}

/** Whether a text opts the contact in or out; null when it does neither. */
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
