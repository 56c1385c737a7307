import { AsYouType } from 'libphonenumber-js/min';
import type { BehaviourSettings } from '../control/behaviour.js';
import type { People } from '../people/people.js';
import type { SimulatedPhone } from '../phone-registry.js';
import type { AcceptedMessage } from './accepted-message.js';
import type { Recipient } from './message-rules.js';

/** The person to whom a message goes. */
export type Addressee = Pick<AcceptedMessage, 'to' | 'waId' | 'userId' | 'isRenamed'>;

/** The country code in front of a phone's number; empty if there is none. */
function callingCodeOf({ display_phone_number }: SimulatedPhone): string {
  const number = new AsYouType();
  number.input(`+${display_phone_number.replace(/\D/g, '')}`);
  return number.getCallingCode() ?? '';
}

/** Finds the person whom `phone` addresses. */
export function addresseeOf(
  { digits, hasPlus, userId }: Recipient,
  phone: SimulatedPhone,
  people: People,
  { bare_numbers }: BehaviourSettings,
): Addressee {
  if (digits === null) return { to: null, waId: null, userId, isRenamed: false };
  const to = hasPlus || bare_numbers === 'accept' ? digits : callingCodeOf(phone) + digits;
  const waId = people.waIdOf(to);
  return { to, waId, userId: people.userIdOf(waId), isRenamed: waId !== to || people.hasOwnUserId(waId) };
}
