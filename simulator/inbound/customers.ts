import { metadataOf } from '../callbacks/envelopes.js';
import type { PendingCallbacks } from '../callbacks/pending-callbacks.js';
import { isCustomerNumber, isUserId } from '../callbacks/user-ids.js';
import type { Behaviour } from '../control/behaviour.js';
import { ControlError } from '../control/control-error.js';
import { isObject, isText, type JsonObject, objectsOf } from '../json-object.js';
import type { AcceptedMessage } from '../messages/accepted-message.js';
import type { InboundIds } from '../messages/inbound-ids.js';
import type { ServiceWindows } from '../messages/service-windows.js';
import { inboundMessageId } from '../people/message-ids.js';
import type { People } from '../people/people.js';
import type { PhoneRegistry } from '../phone-registry.js';
import type { InboundFiles } from './inbound-files.js';
import { inboundMessage } from './inbound-message.js';

/** Where the messages of customers are remembered, and the files in them. */
interface Arrivals {
  ids: InboundIds;
  files: InboundFiles;
}

/** Whether a message is one that the person writes to the business, which opens the service window. */
function isWritten({ type, group_id, reaction }: JsonObject): boolean {
  // A post in a group, a notice of the network, and a change of what was written before are none.
  if (group_id !== undefined || type === 'system' || type === 'edit' || type === 'revoke') return false;
  return type !== 'reaction' || (isObject(reaction) && isText(reaction.emoji));
}

/** The simulated customers: their messages open the service window and are sent as callbacks. */
export class Customers {
  constructor(
    private readonly phones: PhoneRegistry,
    private readonly windows: ServiceWindows,
    private readonly callbacks: PendingCallbacks,
    private readonly people: People,
    private readonly behaviour: Behaviour,
    private readonly arrivals: Arrivals,
  ) {}

  /** Sends the message described by `input`, the body of `POST /_sim/inbound`. */
  async write(input: JsonObject): Promise<{ id: string; answered: Promise<number> }> {
    const phone = isText(input.phone_number_id) ? this.phones.find(input.phone_number_id) : undefined;
    if (!phone) throw new ControlError(`phone_number_id: no phone ${String(input.phone_number_id)} is registered`);
    const message = await inboundMessage(input, {
      display: phone.display_phone_number,
      people: this.people,
      settings: this.behaviour.settings,
      media: this.arrivals.files.describe(phone),
    });
    const { from, from_user_id: user_id, from_parent_user_id: parent_user_id } = message;
    const contact = {
      ...profileOf(input),
      ...(from === undefined ? {} : { wa_id: from }),
      user_id,
      ...(parent_user_id === undefined ? {} : { parent_user_id }),
    };
    const value = {
      messaging_product: 'whatsapp',
      metadata: metadataOf(phone),
      // System notices come from the network, not from a contact.
      ...(input.type === 'system' ? {} : { contacts: [contact] }),
      messages: [message],
    };
    const { answered } = await this.callback(phone.waba_id, 'messages', value);
    return { id: message.id, answered };
  }

  /** Sends any callback, after opening the windows of the inbound messages in it. */
  async callback(wabaId: string, field: string, value: unknown): Promise<{ answered: Promise<number> }> {
    if (field === 'messages' && isObject(value)) await this.openWindows(value);
    return this.callbacks.post({ waba_id: wabaId, field, value });
  }

  /** Replies to `message` as 9990004, 9990005 and 9990016 do. The id is derived from the message, so a repeat is a duplicate. */
  async reply({ id, waId, userId, phoneNumberId, reply }: AcceptedMessage): Promise<void> {
    if (!reply) return;
    const replyId = inboundMessageId(waId ?? userId, id);
    const sender = waId === null ? { from_user_id: userId } : { from: waId };
    const common = { phone_number_id: phoneNumberId, ...sender, id: replyId, context_id: id };
    if (reply.type === 'button_reply' || reply.type === 'list_reply') {
      const { id: choice, ...shown } = reply;
      await this.write({ ...common, ...shown, [reply.type === 'button_reply' ? 'button_id' : 'row_id']: choice });
    } else await this.write({ ...common, ...reply });
  }

  private async openWindows(value: JsonObject): Promise<void> {
    const phoneNumberId = isObject(value.metadata) ? value.metadata.phone_number_id : undefined;
    if (!isText(phoneNumberId)) return;
    for (const message of objectsOf(value.messages)) {
      const { id, from, from_user_id, timestamp, referral } = message;
      const at = timestamp === undefined ? Date.now() : Number(timestamp) * 1000;
      if (isText(id) && Number.isFinite(at)) await this.arrivals.ids.add(id, at);
      if (!isWritten(message) || !Number.isFinite(at)) continue;
      const userIds = new Set(isUserId(from_user_id) ? [from_user_id] : []);
      if (isCustomerNumber(from)) {
        const waId = this.people.waIdOf(from);
        await this.people.takeOver(waId);
        userIds.add(this.people.userIdOf(waId));
      }
      for (const userId of userIds) {
        this.people.meet(userId, phoneNumberId);
        await this.windows.extend(phoneNumberId, userId, at);
        if (isObject(referral)) await this.windows.click(phoneNumberId, userId, at);
      }
    }
  }
}

function profileOf({ name, username }: JsonObject): JsonObject {
  const profile = { ...(isText(name) ? { name } : {}), ...(isText(username) ? { username } : {}) };
  return Object.keys(profile).length === 0 ? {} : { profile };
}
