import { part, type ReadMessage, readMessage } from '../messages/inbound-kinds.js';
import type { NewIdentity } from '../people/learning.js';
import { SECOND } from '../values/clock.js';
import { isObject, type JsonObject, text, unixSeconds } from '../values/network-json.js';
import { isPhoneNumber, type PhoneNumber } from '../values/phone-number.js';
import { isUserId, type UserId } from '../values/user-id.js';
import type { MessageItem } from './callback.js';

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
  /** When it was written, never later than now. */
  readonly at: Date;
  /** What it is and what it contains. */
  readonly read: ReadMessage;
  readonly isFromAd: boolean;
  /** The group in which it was posted; null for a message to the business. */
  readonly groupId: string | null;
  /** What its sender is known by from now on, if it is a notice that this has changed. */
  readonly movedTo: NewIdentity | null;
  /** As the network delivered it. */
  readonly raw: JsonObject;
}

/**
 * Reads one message.
 *
 * @param now the latest time that a message may be dated
 * @returns null when it has no id or no sender
 */
export function readInboundMessage({ message, contact }: MessageItem, now: Date): InboundMessage | null {
  const networkMessageId = text(message['id']);
  const sender = text(message['from']) ?? text(contact?.['wa_id']);
  const formerUserId = part(message, 'system')['previous_user_id'];
  const userIds = [formerUserId, message['from_user_id'], message['user_id'], contact?.['user_id']];
  const userId = userIds.find(isUserId) ?? null;
  const from = isPhoneNumber(sender) ? sender : null;
  if (networkMessageId === null || (from === null && userId === null)) return null;
  return {
    networkMessageId,
    from,
    userId,
    username: text(part(contact, 'profile')['username']),
    profileName: text(part(contact, 'profile')['name']),
    at: timeOf(message, now),
    read: readMessage(message),
    isFromAd: isObject(message['referral']),
    groupId: text(message['group_id']),
    movedTo: newIdentityOf(message),
    raw: message,
  };
}

/** A message that the business sent with the phone app; its recipient takes the place of the sender. */
export type Echo = Pick<InboundMessage, 'networkMessageId' | 'from' | 'userId' | 'at' | 'read' | 'groupId' | 'raw'>;

/**
 * Reads a message that the business sent with the phone app.
 *
 * @returns null when it has no id or no recipient
 */
export function readEcho(message: JsonObject, now: Date): Echo | null {
  const networkMessageId = text(message['id']);
  const to = text(message['to']);
  const from = isPhoneNumber(to) ? to : null;
  const userId = isUserId(message['to_user_id']) ? message['to_user_id'] : null;
  if (networkMessageId === null || (from === null && userId === null)) return null;
  const groupId = text(message['group_id']);
  return {
    networkMessageId,
    from,
    userId,
    at: timeOf(message, now),
    read: readMessage(message),
    groupId,
    raw: message,
  };
}

/** When a message was written, by the network's clock; now if it does not say, and never later. */
export function timeOf(message: JsonObject, now: Date): Date {
  const seconds = unixSeconds(message['timestamp']);
  return seconds === null ? now : new Date(Math.min(seconds * SECOND, now.getTime()));
}

const CHANGES: readonly unknown[] = ['user_changed_number', 'customer_changed_number', 'user_changed_user_id'];

/** Reads what a notice says that its sender is known by from now on; null when the message is no such notice. */
function newIdentityOf(message: JsonObject): NewIdentity | null {
  const { type, wa_id, new_wa_id, user_id } = part(message, 'system');
  if (message['type'] !== 'system' || !CHANGES.includes(type)) return null;
  const phoneNumber = [wa_id, new_wa_id].find(isPhoneNumber) ?? null;
  const userId = isUserId(user_id) ? user_id : null;
  return phoneNumber === null && userId === null ? null : { phoneNumber, userId };
}

/**
 * What a message says that may opt its sender in or out: the typed or edited text, or what a tapped button or a chosen
 * list entry is called.
 */
export function saidBy({ read, raw }: Pick<InboundMessage, 'read' | 'raw'>): string[] {
  const { role, messageType, content, tap } = read;
  if (tap !== null) return [tap.id, tap.text];
  if (messageType === 'text') return [content];
  const edited = role === 'edit' ? part(part(part(raw, 'edit'), 'message'), 'text') : {};
  const chosen = part(part(raw, 'interactive'), 'list_reply');
  return [chosen['id'], chosen['title'], edited['body']].map(text).filter((said) => said !== null);
}
