import { createHash } from 'node:crypto';
import { ControlError } from '../control/control-error.js';
import { isObject, isText, type JsonObject, objectsOf } from '../json-object.js';
import type { AcceptedMessage } from '../messages/accepted-message.js';
import type { ServiceWindows } from '../messages/service-windows.js';
import type { PhoneRegistry } from '../phone-registry.js';
import { metadataOf } from './envelopes.js';
import { inboundMessage } from './inbound-message.js';
import type { PendingCallbacks } from './pending-callbacks.js';
import { isCustomerNumber, isUserId, userIdOf } from './user-ids.js';

/** The simulated customers: their messages open the service window and are sent as callbacks. */
export class Customers {
  constructor(
    private readonly phones: PhoneRegistry,
    private readonly windows: ServiceWindows,
    private readonly callbacks: PendingCallbacks,
    /** User ids of everyone who has sent or received a message. */
    private readonly users: Set<string>,
  ) {}

  /** Sends the message described by `input`, the body of `POST /_sim/inbound`. */
  async write(input: JsonObject): Promise<{ id: string; answered: Promise<number> }> {
    const phone = isText(input.phone_number_id) ? this.phones.find(input.phone_number_id) : undefined;
    if (!phone) throw new ControlError(`phone_number_id: no phone ${String(input.phone_number_id)} is registered`);
    const message = inboundMessage(input, phone.display_phone_number);
    const { from, from_user_id: user_id } = message;
    const value = {
      messaging_product: 'whatsapp',
      metadata: metadataOf(phone),
      contacts: [{ ...profileOf(input), ...(from === undefined ? {} : { wa_id: from }), user_id }],
      messages: [message],
    };
    const { answered } = await this.callback(phone.waba_id, 'messages', value);
    return { id: message.id, answered };
  }

  /** Sends any callback, after opening the windows of the inbound messages in it. */
  async callback(wabaId: string, field: string, value: unknown): Promise<{ answered: Promise<number> }> {
    if (field === 'messages' && isObject(value)) await this.openWindows(value);
    return this.callbacks.post(wabaId, field, value);
  }

  /** Replies to `message` as 9990004 and 9990005 do. The id is derived from the message, so a repeat is a duplicate. */
  async reply({ id, to, userId, phoneNumberId, reply }: AcceptedMessage): Promise<void> {
    if (!reply) return;
    const replyId = `wamid.HBgM${createHash('sha256').update(id).digest('base64url').slice(0, 20)}`;
    const sender = to === null ? { from_user_id: userId } : { from: to };
    const common = { phone_number_id: phoneNumberId, ...sender, id: replyId, context_id: id };
    if (reply.type === 'button_reply') {
      await this.write({ ...common, type: reply.type, button_id: reply.id, title: reply.title });
    } else await this.write({ ...common, ...reply });
  }

  private async openWindows(value: JsonObject): Promise<void> {
    const phoneNumberId = isObject(value.metadata) ? value.metadata.phone_number_id : undefined;
    if (!isText(phoneNumberId)) return;
    for (const { from, from_user_id, timestamp, type } of objectsOf(value.messages)) {
      const at = timestamp === undefined ? Date.now() : Number(timestamp) * 1000;
      // System notices come from the network, not from the customer.
      if (type === 'system' || !Number.isFinite(at)) continue;
      const userIds = [
        ...(isCustomerNumber(from) ? [userIdOf(from)] : []),
        ...(isUserId(from_user_id) ? [from_user_id] : []),
      ];
      for (const userId of new Set(userIds)) {
        this.users.add(userId);
        await this.windows.extend(phoneNumberId, userId, at);
      }
    }
  }
}

function profileOf({ name, username }: JsonObject): JsonObject {
  const profile = { ...(isText(name) ? { name } : {}), ...(isText(username) ? { username } : {}) };
  return Object.keys(profile).length === 0 ? {} : { profile };
}
