import { storableText } from '../values/storable-text.js';

/** One thing that a callback tells, read out of its envelope. */
export type CallbackItem = StatusItem | MessageItem | TemplateItem | OtherItem;

/** A status report about a message of ours. */
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
  readonly value: JsonObject;
}

/** Anything else; recorded and acknowledged unless some room makes use of it. */
export interface OtherItem {
  readonly kind: 'other';
  readonly wabaId: string | null;
  readonly field: string | null;
  readonly value: unknown;
}

/** What a column of 32 bits holds. */
const LARGEST_CODE = 2_147_483_647;

export type JsonObject = Readonly<Record<string, unknown>>;

/** A status object of the network. */
export interface NetworkStatus {
  /** The network's id of the message. */
  readonly id: string;
  readonly status: string;
  /** Unix seconds, or null when there are none. */
  readonly timestamp: number | null;
  readonly opaque: string | null;
  readonly recipientId: string | null;
  readonly error: { readonly code: number; readonly message: string } | null;
  readonly raw: JsonObject;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? storableText(value) : null;
/** An error code that fits its column; anything else says as much as none. */
const codeOf = (value: unknown): number | null =>
  Number.isInteger(value) && Math.abs(value as number) <= LARGEST_CODE ? (value as number) : null;

/** Unix seconds as the network writes them: digits in a string, or a number. */
export function unixSeconds(value: unknown): number | null {
  const seconds = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value;
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

/**
 * Reads an envelope into items (NETWORK.md, Callbacks).
 *
 * @returns null when the body is no such envelope
 */
export function readEnvelope(body: unknown): CallbackItem[] | null {
  if (!isObject(body) || body['object'] !== 'whatsapp_business_account' || !Array.isArray(body['entry'])) return null;
  return objects(body['entry']).flatMap((entry) =>
    objects(entry['changes']).flatMap((change) =>
      readChange(text(entry['id']), text(change['field']), change['value']),
    ),
  );
}

function readChange(wabaId: string | null, field: string | null, value: unknown): CallbackItem[] {
  const other: OtherItem = { kind: 'other', wabaId, field, value };
  if (!isObject(value)) return [other];
  if (field === 'message_template_status_update' && wabaId !== null) return [{ kind: 'template', wabaId, value }];
  const metadata = value['metadata'];
  const phoneNumberId = isObject(metadata) ? text(metadata['phone_number_id']) : null;
  if (field !== 'messages' || phoneNumberId === null) return [other];
  const statuses = objects(value['statuses']).map((raw): CallbackItem => {
    const status = readStatus(raw);
    return status === null
      ? { kind: 'other', wabaId, field, value: { metadata, statuses: [raw] } }
      : { kind: 'status', phoneNumberId, status };
  });
  const contacts = objects(value['contacts']);
  const messages = objects(value['messages']).map(
    (message): CallbackItem => ({ kind: 'message', phoneNumberId, message, contact: senderOf(message, contacts) }),
  );
  return statuses.length + messages.length === 0 ? [other] : [...statuses, ...messages];
}

/** The entry of `contacts` that belongs to a message; a lone one belongs to it anyway. */
function senderOf(message: JsonObject, contacts: readonly JsonObject[]): JsonObject | null {
  const own = contacts.find(
    (contact) =>
      (contact['wa_id'] !== undefined && contact['wa_id'] === message['from']) ||
      (contact['user_id'] !== undefined &&
        (contact['user_id'] === message['from_user_id'] || contact['user_id'] === message['user_id'])),
  );
  return own ?? (contacts.length === 1 ? (contacts[0] ?? null) : null);
}

function readStatus(raw: JsonObject): NetworkStatus | null {
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
    recipientId: text(raw['recipient_id']),
    error:
      code === null
        ? null
        : { code, message: details ?? text(error?.['message']) ?? text(error?.['title']) ?? 'no reason given' },
    raw,
  };
}
