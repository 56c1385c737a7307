import type { Pricing, ReportedRecipient } from '../messages/reports/message-report.js';
import { isPhoneNumber } from '../values/phone-number.js';
import { storableText } from '../values/storable-text.js';
import { isUserId } from '../values/user-id.js';

/** One item of a callback. */
export type CallbackItem = StatusItem | MessageItem | TemplateItem | OtherItem;

/** A status report about one of our messages. */
export interface StatusItem {
  readonly kind: 'status';
  readonly phoneNumberId: string;
  readonly status: NetworkStatus;
}

/** A message from a contact. */
export interface MessageItem {
  readonly kind: 'message';
  readonly phoneNumberId: string;
  readonly message: JsonObject;
  /** The sender's entry in `contacts`, if the callback has one. */
  readonly contact: JsonObject | null;
}

/** A review decision or another change of a template. */
export interface TemplateItem {
  readonly kind: 'template';
  readonly wabaId: string;
  /** When the network sent it, unix seconds; null if it does not say. */
  readonly sentAt: number | null;
  readonly value: JsonObject;
}

/** Anything else. It is acknowledged, and recorded as unhandled unless another service uses it. */
export interface OtherItem {
  readonly kind: 'other';
  readonly wabaId: string | null;
  readonly field: string | null;
  /** When the network sent it, unix seconds; null if it does not say. */
  readonly sentAt: number | null;
  readonly value: unknown;
}

/** The largest error code that fits its 32-bit column. */
const MAX_CODE = 2_147_483_647;

export type JsonObject = Readonly<Record<string, unknown>>;

/** A status object of the network. */
export interface NetworkStatus {
  /** The network's id of the message. */
  readonly id: string;
  readonly status: string;
  /** Unix seconds, or null if missing. */
  readonly timestamp: number | null;
  readonly opaque: string | null;
  /** The recipient, if the report contains their user id. */
  readonly recipient: ReportedRecipient | null;
  readonly error: { readonly code: number; readonly message: string } | null;
  readonly pricing: Pricing | null;
  readonly raw: JsonObject;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
/** A non-empty string that PostgreSQL can store; null for anything else. */
export const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? storableText(value) : null;
/** An error code that fits its column; null for anything else. */
const codeOf = (value: unknown): number | null =>
  Number.isInteger(value) && Math.abs(value as number) <= MAX_CODE ? (value as number) : null;

/** Reads unix seconds, which the network sends as digits in a string or as a number. */
export function unixSeconds(value: unknown): number | null {
  const seconds = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value;
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

/**
 * Reads an envelope into items.
 *
 * @returns null when the body is not a network envelope
 */
export function readEnvelope(body: unknown): CallbackItem[] | null {
  if (!isObject(body) || body['object'] !== 'whatsapp_business_account' || !Array.isArray(body['entry'])) return null;
  return objects(body['entry']).flatMap((entry) =>
    objects(entry['changes']).flatMap((change) => readChange(text(entry['id']), unixSeconds(entry['time']), change)),
  );
}

function readChange(wabaId: string | null, sentAt: number | null, change: JsonObject): CallbackItem[] {
  const field = text(change['field']);
  const { value } = change;
  const other: OtherItem = { kind: 'other', wabaId, field, sentAt, value };
  if (!isObject(value)) return [other];
  if (field === 'message_template_status_update' && wabaId !== null) {
    return [{ kind: 'template', wabaId, sentAt, value }];
  }
  const metadata = value['metadata'];
  const phoneNumberId = isObject(metadata) ? text(metadata['phone_number_id']) : null;
  if (field !== 'messages' || phoneNumberId === null) return [other];
  const contacts = objects(value['contacts']);
  const statuses = objects(value['statuses']).map((raw): CallbackItem => {
    const status = readStatus(raw, contacts);
    return status === null
      ? { ...other, value: { metadata, statuses: [raw] } }
      : { kind: 'status', phoneNumberId, status };
  });
  const messages = objects(value['messages']).map(
    (message): CallbackItem => ({ kind: 'message', phoneNumberId, message, contact: senderOf(message, contacts) }),
  );
  return statuses.length + messages.length === 0 ? [other] : [...statuses, ...messages];
}

/** Finds the sender's entry in `contacts`. A single entry belongs to the message even if it names no one. */
function senderOf(message: JsonObject, contacts: readonly JsonObject[]): JsonObject | null {
  const own = contacts.find(
    (contact) =>
      (contact['wa_id'] !== undefined && contact['wa_id'] === message['from']) ||
      (contact['user_id'] !== undefined &&
        (contact['user_id'] === message['from_user_id'] || contact['user_id'] === message['user_id'])),
  );
  return own ?? (contacts.length === 1 ? (contacts[0] ?? null) : null);
}

function readStatus(raw: JsonObject, contacts: readonly JsonObject[]): NetworkStatus | null {
  const id = text(raw['id']);
  const status = text(raw['status']);
  if (id === null || status === null) return null;
  const [error] = objects(raw['errors']);
  const code = codeOf(error?.['code']);
  const details = error && isObject(error['error_data']) ? text(error['error_data']['details']) : null;
  return {
    id,
    status,
    timestamp: unixSeconds(raw['timestamp']),
    opaque: text(raw['biz_opaque_callback_data']),
    recipient: readRecipient(raw, contacts),
    error:
      code === null
        ? null
        : { code, message: details ?? text(error?.['message']) ?? text(error?.['title']) ?? 'no reason given' },
    pricing: readPricing(raw['pricing']),
    raw,
  };
}

/** Reads the recipient of a report, with the username from the callback's `contacts`. */
function readRecipient(raw: JsonObject, contacts: readonly JsonObject[]): ReportedRecipient | null {
  const userId = raw['recipient_user_id'];
  if (!isUserId(userId)) return null;
  const number = raw['recipient_id'];
  const profile = contacts.find((contact) => contact['user_id'] === userId)?.['profile'];
  return {
    number: isPhoneNumber(number) ? number : null,
    userId,
    username: isObject(profile) ? text(profile['username']) : null,
  };
}

/** Reads the pricing fields that have the right types; null when there are none. */
function readPricing(value: unknown): Pricing | null {
  if (!isObject(value)) return null;
  const { billable } = value;
  const category = text(value['category']);
  const model = text(value['pricing_model']);
  const type = text(value['type']);
  const pricing: Pricing = {
    ...(category === null ? {} : { category }),
    ...(model === null ? {} : { pricing_model: model }),
    ...(typeof billable === 'boolean' ? { billable } : {}),
    ...(type === null ? {} : { type }),
  };
  return Object.keys(pricing).length === 0 ? null : pricing;
}
