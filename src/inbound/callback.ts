import { CallbackContacts, readStatus, type StatusItem } from '../reports/status-item.js';
import { mapInSlices, pause } from '../runtime/slices.js';
import { isObject, type JsonObject, objects, text, unixSeconds } from '../values/network-json.js';

/** One item of a callback. */
export type CallbackItem = StatusItem | MessageItem | EchoItem | TemplateItem | OtherItem;

/** A message from a contact. */
export interface MessageItem {
  readonly kind: 'message';
  readonly phoneNumberId: string;
  readonly message: JsonObject;
  /** The sender's entry in `contacts`, if the callback has one. */
  readonly contact: JsonObject | null;
}

/** A message that the business sent with the phone app. */
export interface EchoItem {
  readonly kind: 'echo';
  readonly phoneNumberId: string;
  readonly message: JsonObject;
}

const ECHOES = 'smb_message_echoes';
/** What a phone shares when it is connected: what was said before Parley, and its address book. It is not kept. */
const NOT_KEPT = ['history', 'smb_app_state_sync'];

/** The fields that report decisions of the network about a template. */
const TEMPLATE_FIELDS = ['message_template_status_update', 'template_category_update'] as const;

/** A review decision or another change of a template. */
export interface TemplateItem {
  readonly kind: 'template';
  readonly field: (typeof TEMPLATE_FIELDS)[number];
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

/**
 * Reads an envelope into items.
 *
 * @returns null when the body is not a network envelope
 */
export async function readEnvelope(body: unknown): Promise<CallbackItem[] | null> {
  if (!isObject(body) || body['object'] !== 'whatsapp_business_account' || !Array.isArray(body['entry'])) return null;
  const items: CallbackItem[] = [];
  for (const entry of objects(body['entry'])) {
    for (const change of objects(entry['changes'])) {
      await pause();
      items.push(...(await readChange(text(entry['id']), unixSeconds(entry['time']), change)));
    }
  }
  return items;
}

async function readChange(
  wabaId: string | null,
  sentAt: number | null,
  change: JsonObject,
): Promise<readonly CallbackItem[]> {
  const field = text(change['field']);
  const { value } = change;
  if (field !== null && NOT_KEPT.includes(field)) return [];
  const other: OtherItem = { kind: 'other', wabaId, field, sentAt, value };
  if (!isObject(value)) return [other];
  const templateField = TEMPLATE_FIELDS.find((known) => known === field);
  if (templateField !== undefined && wabaId !== null) {
    return [{ kind: 'template', wabaId, field: templateField, sentAt, value }];
  }
  const metadata = value['metadata'];
  const phoneNumberId = isObject(metadata) ? text(metadata['phone_number_id']) : null;
  if (field === ECHOES && phoneNumberId !== null) {
    const echoes = objects(value['message_echoes']);
    return echoes.length === 0 ? [other] : echoes.map((message) => ({ kind: 'echo', phoneNumberId, message }));
  }
  if (field !== 'messages' || phoneNumberId === null) return [other];
  const contacts = new CallbackContacts(objects(value['contacts']));
  const statuses = await mapInSlices(objects(value['statuses']), (raw): CallbackItem => {
    const status = readStatus(raw, contacts);
    return status === null
      ? { ...other, value: { metadata, statuses: [raw] } }
      : { kind: 'status', phoneNumberId, status };
  });
  const messages = await mapInSlices(
    objects(value['messages']),
    (message): CallbackItem => ({ kind: 'message', phoneNumberId, message, contact: contacts.senderOf(message) }),
  );
  return statuses.length + messages.length === 0 ? [other] : [...statuses, ...messages];
}
