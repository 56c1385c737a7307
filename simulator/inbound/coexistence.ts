import { randomBytes } from 'node:crypto';
import { metadataOf } from '../callbacks/envelopes.js';
import type { PendingCallbacks } from '../callbacks/pending-callbacks.js';
import { isUserId } from '../callbacks/user-ids.js';
import { ControlError } from '../control/control-error.js';
import { isText, type JsonObject } from '../json-object.js';
import { messageId } from '../people/message-ids.js';
import { customerNumber, type People } from '../people/people.js';
import type { PhoneRegistry, SimulatedPhone } from '../phone-registry.js';
import { contentsOf, networkType, originOf } from './inbound-contents.js';
import { flag, optionalList, optionalText, timestampOf } from './inbound-fields.js';
import type { InboundFiles } from './inbound-files.js';

const TOKEN_BYTES = 10;
const FILES = ['image', 'video', 'audio', 'document', 'sticker'];
/** What the owner of a phone can send from it; the rest are answers to what only the network's API sends. */
const ECHOED = ['text', ...FILES, 'location', 'contacts', 'reaction', 'edit', 'revoke', 'unknown'];
/** What stands for a file in the history. */
const PLACEHOLDER = 'media_placeholder';
const HISTORY_STATUSES = ['PENDING', 'SENT', 'DELIVERED', 'READ', 'PLAYED', 'ERROR'];
/** What the network says when the owner does not share the history. */
const DECLINED = {
  code: 2593109,
  title: 'History sync is turned off by the business from the WhatsApp Business App',
  message: 'History sync is turned off by the business from the WhatsApp Business App',
  error_data: { details: 'History sharing is turned off by the business' },
};

interface Services {
  phones: PhoneRegistry;
  people: People;
  callbacks: PendingCallbacks;
  files: InboundFiles;
}

/** The other party of a message from the phone. */
interface Peer {
  to?: string;
  to_user_id: string;
}

/** What arrives from a business phone that is also used in the WhatsApp Business app. */
export class Coexistence {
  constructor(private readonly services: Services) {}

  /** Sends the copy of a message that the owner of the phone has sent from the app. */
  async echo(input: JsonObject): Promise<JsonObject> {
    const phone = this.phoneOf(input);
    const peer = this.peerOf(input);
    const echo = await this.messageFrom(phone, peer, input);
    this.services.people.meet(peer.to_user_id, phone.phone_number_id);
    return { id: echo.id, ...(await this.post(phone, 'smb_message_echoes', { message_echoes: [echo] })) };
  }

  /** Sends a part of the history, or that the owner does not share it. */
  async history(input: JsonObject): Promise<JsonObject> {
    const phone = this.phoneOf(input);
    if (flag(input, 'declined')) return this.post(phone, 'history', { history: [{ errors: [DECLINED] }] });
    const { phase = 0, chunk_order = 1, progress = 100 } = input;
    for (const [name, value] of Object.entries({ phase, chunk_order, progress }))
      if (!Number.isInteger(value)) throw new ControlError(`${name} must be a whole number`);
    const given = optionalList(input, 'threads', '{contact, messages}') ?? [
      { contact: '15559990100', messages: [{ text: 'Hello' }, { text: 'Hi', is_ours: true }, { type: 'image' }] },
    ];
    const threads = await Promise.all(given.map((thread) => this.threadOf(phone, thread)));
    return this.post(phone, 'history', { history: [{ metadata: { phase, chunk_order, progress }, threads }] });
  }

  /** Sends entries of the address book on the phone. */
  async addressBook(input: JsonObject): Promise<JsonObject> {
    const phone = this.phoneOf(input);
    const contacts = optionalList(input, 'contacts', '{phone_number, full_name?, first_name?, action?}') ?? [
      { phone_number: '15559990100', full_name: 'Casey Example', first_name: 'Casey' },
    ];
    const timestamp = timestampOf(input.timestamp);
    const state_sync = contacts.map(({ action = 'add', ...contact }) => {
      if (action !== 'add' && action !== 'remove') throw new ControlError('action must be "add" or "remove"');
      customerNumber('phone_number', contact.phone_number);
      return { type: 'contact', contact, action, metadata: { timestamp } };
    });
    return this.post(phone, 'smb_app_state_sync', { state_sync });
  }

  private phoneOf({ phone_number_id }: JsonObject): SimulatedPhone {
    const phone = isText(phone_number_id) ? this.services.phones.find(phone_number_id) : undefined;
    if (!phone) throw new ControlError(`phone_number_id: no phone ${String(phone_number_id)} is registered`);
    return phone;
  }

  private peerOf(input: JsonObject): Peer {
    const { to, to_user_id: userId } = input;
    if (to === undefined && userId !== undefined) {
      if (isUserId(userId)) return { to_user_id: userId };
      throw new ControlError('to_user_id must be a business-scoped user id, such as US.13491208655302741918');
    }
    const waId = this.services.people.waIdOf(customerNumber('to', to));
    const to_user_id = this.services.people.userIdOf(waId);
    return flag(input, 'hide_number') ? { to_user_id } : { to: waId, to_user_id };
  }

  /** A message that the owner has sent, as the network passes it on. */
  private async messageFrom(phone: SimulatedPhone, peer: Peer, input: JsonObject): Promise<JsonObject> {
    const { type = 'text' } = input;
    if (!ECHOED.includes(String(type))) throw new ControlError(`type must be one of ${ECHOED.join(', ')}`);
    const contextId = optionalText(input, 'context_id');
    const sender = { from_user_id: peer.to_user_id };
    const contents = await contentsOf(
      { ...input, type },
      { sender, contextId, media: this.services.files.describe(phone) },
    );
    const isQuote = contextId !== undefined && type !== 'reaction' && type !== 'edit';
    const context = { ...(isQuote ? { id: contextId } : {}), ...originOf(input) };
    const token = randomBytes(TOKEN_BYTES).toString('hex').toUpperCase();
    return {
      from: digitsOf(phone),
      ...peer,
      id: optionalText(input, 'id') ?? messageId({ peer: peer.to ?? peer.to_user_id, isOurs: true, token }),
      timestamp: timestampOf(input.timestamp),
      ...(Object.keys(context).length === 0 ? {} : { context }),
      type: networkType(String(type)),
      ...contents,
    };
  }

  /** A thread of the history. Files are not part of it: the network sends placeholders. */
  private async threadOf(phone: SimulatedPhone, thread: JsonObject): Promise<JsonObject> {
    const number = customerNumber('contact', thread.contact);
    const peer = { to: number, to_user_id: this.services.people.userIdOf(number) };
    const given = optionalList(thread, 'messages', '{type?, text?, is_ours?, status?, timestamp?}') ?? [];
    const messages = given.map(async (message) => {
      const { status = 'READ' } = message;
      if (!HISTORY_STATUSES.includes(String(status)))
        throw new ControlError(`status must be one of ${HISTORY_STATUSES.join(', ')}`);
      const isFile = FILES.includes(String(message.type));
      const shown = isFile ? { ...message, type: 'unknown', kind: PLACEHOLDER } : message;
      const { to, to_user_id: _, ...sent } = await this.messageFrom(phone, peer, shown);
      const parties = flag(message, 'is_ours') ? { to } : { from: number };
      return { ...sent, [PLACEHOLDER]: undefined, ...parties, history_context: { status } };
    });
    return { id: number, messages: await Promise.all(messages) };
  }

  private async post(phone: SimulatedPhone, field: string, value: JsonObject): Promise<JsonObject> {
    const { answered } = await this.services.callbacks.post({
      waba_id: phone.waba_id,
      field,
      value: { messaging_product: 'whatsapp', metadata: metadataOf(phone), ...value },
    });
    return { callback_status: await answered };
  }
}

const digitsOf = ({ display_phone_number }: SimulatedPhone): string => display_phone_number.replace(/\D/g, '');
