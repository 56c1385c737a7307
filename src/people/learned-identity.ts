import { isPhoneNumber, type PhoneNumber } from '../values/phone-number.js';
import type { RecordId } from '../values/record-id.js';
import { isUserId, type UserId } from '../values/user-id.js';

/** The network's user id of a person, and their username if it gave one. */
export interface UserIdentity {
  readonly userId: UserId;
  readonly username: string | null;
}

/** The contact that a message was sent to, as it was read for the message. */
export interface SentContact {
  readonly accountId: string;
  readonly contactId: RecordId;
  readonly contact: { readonly phoneNumber: PhoneNumber | null; readonly userId: UserId | null };
  /** The number by which the network knows the contact, if it differs from ours. */
  readonly waId: PhoneNumber | null;
}

/** What an answer or a report says about the person; null where it says nothing. */
export interface ToldIdentity {
  readonly number: PhoneNumber | null;
  readonly user: UserIdentity | null;
}

/** Reads what the network says about a person; what is no number or no user id counts as not said. */
export const toldIdentity = (number: unknown, userId: unknown, username: string | null): ToldIdentity => ({
  number: isPhoneNumber(number) ? number : null,
  user: isUserId(userId) ? { userId, username } : null,
});

/** What is new about a contact. */
export interface LearnedIdentity extends ToldIdentity {
  readonly accountId: string;
  readonly contactId: RecordId;
}

/** What the network says about a contact that we do not know yet; null when there is nothing. */
export function newsAbout(sent: SentContact, told: ToldIdentity): LearnedIdentity | null {
  const { accountId, contactId, contact, waId } = sent;
  const isKnown = told.number === null || told.number === contact.phoneNumber || told.number === waId;
  const number = isKnown ? null : told.number;
  const user = told.user?.userId === contact.userId ? null : told.user;
  return number === null && user === null ? null : { accountId, contactId, number, user };
}
