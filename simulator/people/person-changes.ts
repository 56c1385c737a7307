import { metadataOf } from '../callbacks/envelopes.js';
import type { PendingCallbacks } from '../callbacks/pending-callbacks.js';
import { isUserId } from '../callbacks/user-ids.js';
import { ControlError } from '../control/control-error.js';
import { isText, type JsonObject } from '../json-object.js';
import type { ServiceWindows } from '../messages/service-windows.js';
import type { PhoneRegistry, SimulatedPhone } from '../phone-registry.js';
import { inboundMessageId } from './message-ids.js';
import { customerNumber, type People } from './people.js';

/** A person whom a caller of `/_sim/people` names. */
interface NamedPerson {
  /** Undefined if the person's number is unknown. */
  waId: string | undefined;
  userId: string;
}

/** A change of which the business is notified. */
interface Change {
  /** The former number, in changes of the number. */
  from?: string;
  userId: string;
  successor: string;
  system: JsonObject;
}

/** Changes the names of people, and notifies the business of new numbers and user ids as the network does. */
export class PersonChanges {
  constructor(
    private readonly people: People,
    private readonly phones: PhoneRegistry,
    private readonly windows: ServiceWindows,
    private readonly callbacks: PendingCallbacks,
  ) {}

  /**
   * Carries out the body of `POST /_sim/people`: an `event`, or the `wa_id` and `user_id` to give to a number.
   * @returns the person's `wa_id` and `user_id`; after an event also the ids of the notices, and `callback_status`: that
   *   of the first notice that was not answered 200, if any
   */
  async change(input: JsonObject): Promise<JsonObject> {
    switch (input.event) {
      case undefined:
        return this.rename(input);
      case 'change_number':
        return this.changeNumber(input);
      case 'change_user_id':
        return this.changeUserId(input);
      default:
        throw new ControlError('event must be one of change_number, change_user_id');
    }
  }

  private async rename({ number, wa_id, user_id }: JsonObject): Promise<JsonObject> {
    const dialled = customerNumber('number', number);
    if (wa_id !== undefined) await this.people.spell(dialled, customerNumber('wa_id', wa_id));
    const waId = this.people.waIdOf(dialled);
    if (user_id !== undefined) await this.people.setUserId(waId, userIdIn('user_id', user_id));
    return { wa_id: waId, user_id: this.people.userIdOf(waId) };
  }

  private async changeNumber(input: JsonObject): Promise<JsonObject> {
    const { waId, userId } = this.personIn(input);
    if (waId === undefined) throw new ControlError(`number is required: the number of ${userId} is unknown`);
    if (this.people.hasLeft(waId)) throw new ControlError(`number: nobody has ${waId} since its person moved`);
    const newWaId = this.people.waIdOf(customerNumber('to', input.to));
    if (newWaId === waId) throw new ControlError(`to must be another number than ${waId}`);
    const phones = this.phonesFor(input, userId);
    const previous = this.people.knows(userId) ? { previous_user_id: userId } : {};
    const { userId: successor } = await this.people.changeNumber({ waId, userId }, newWaId);
    const body = `User ${isText(input.name) ? input.name : waId} changed from ${waId} to ${newWaId}`;
    const system = { body, type: 'user_changed_number', wa_id: newWaId, user_id: successor, ...previous };
    const notices = await this.notify(phones, { from: waId, userId, successor, system });
    return { wa_id: newWaId, user_id: successor, ...notices };
  }

  private async changeUserId(input: JsonObject): Promise<JsonObject> {
    const { waId, userId } = this.personIn(input);
    const given = input.to === undefined ? undefined : userIdIn('to', input.to);
    const phones = this.phonesFor(input, userId);
    const successor = await this.people.changeUserId(userId, given);
    const body = `User ${isText(input.name) ? input.name : userId} changed the user id`;
    const system = { body, type: 'user_changed_user_id', user_id: successor, previous_user_id: userId };
    const notices = await this.notify(phones, { userId, successor, system });
    return { ...(waId === undefined ? {} : { wa_id: waId }), user_id: successor, ...notices };
  }

  private personIn({ number, user_id }: JsonObject): NamedPerson {
    if (number === undefined && user_id !== undefined) {
      const userId = userIdIn('user_id', user_id);
      return { waId: this.people.waIdOfUser(userId), userId };
    }
    const waId = this.people.waIdOf(customerNumber('number', number));
    return { waId, userId: this.people.userIdOf(waId) };
  }

  /** The business phone in the request; else all with which the person has talked; else the first one registered. */
  private phonesFor({ phone_number_id }: JsonObject, userId: string): SimulatedPhone[] {
    if (phone_number_id !== undefined) {
      const phone = this.phones.find(String(phone_number_id));
      if (!phone) throw new ControlError(`phone_number_id: no phone ${String(phone_number_id)} is registered`);
      return [phone];
    }
    const known = this.people.phonesOf(userId).flatMap((id) => this.phones.find(id) ?? []);
    const first = this.phones.first();
    return known.length > 0 || !first ? known : [first];
  }

  /** Carries the windows over, then sends a notice for each phone. */
  private async notify(phones: SimulatedPhone[], { from, userId, successor, system }: Change): Promise<JsonObject> {
    for (const phone of this.people.phonesOf(successor)) await this.windows.carryOver(phone, userId, successor);
    const ids: string[] = [];
    const answers: Promise<number>[] = [];
    for (const phone of phones) {
      const id = inboundMessageId(from ?? userId);
      const timestamp = Math.floor(Date.now() / 1000).toString();
      const message = { ...(from === undefined ? {} : { from }), id, timestamp, type: 'system', system };
      const value = { messaging_product: 'whatsapp', metadata: metadataOf(phone), messages: [message] };
      const { answered } = await this.callbacks.post({ waba_id: phone.waba_id, field: 'messages', value });
      ids.push(id);
      answers.push(answered);
    }
    const statuses = await Promise.all(answers);
    return { ids, callback_status: statuses.find((status) => status !== 200) ?? 200 };
  }
}

function userIdIn(name: string, value: unknown): string {
  if (isUserId(value)) return value;
  throw new ControlError(`${name} must be a business-scoped user id, such as US.13491208655302741918`);
}
