import { isPhoneNumber, type PhoneNumber } from '../values/phone-number.js';
import { isUserId, type UserId } from '../values/user-id.js';

/** Whom a caller means: somebody by their number, or by the network's id of somebody who may hide theirs. */
export interface ContactRef {
  /** The column that `value` is looked up in. */
  readonly by: 'phone_number' | 'user_id';
  readonly value: string;
}

export const byNumber = (value: PhoneNumber): ContactRef => ({ by: 'phone_number', value });
export const byUserId = (value: UserId): ContactRef => ({ by: 'user_id', value });

/** Reads a number or a user id; null when it is neither. */
export function readContactRef(value: unknown): ContactRef | null {
  if (isPhoneNumber(value)) return byNumber(value);
  return isUserId(value) ? byUserId(value) : null;
}

/** What a contact is known by; at least one of the two is there. */
export interface ContactIdentity {
  readonly phoneNumber: PhoneNumber | null;
  readonly userId: UserId | null;
}

/** How to refer to a known contact: by its number wherever it has one. */
export function refOf({ phoneNumber, userId }: ContactIdentity): ContactRef {
  if (phoneNumber !== null) return byNumber(phoneNumber);
  if (userId !== null) return byUserId(userId);
  throw new Error('the contact has neither a number nor a user id');
}

/** The identity that a reference alone tells. */
export const identityOfRef = ({ by, value }: ContactRef): ContactIdentity => ({
  phoneNumber: by === 'phone_number' ? value : null,
  userId: by === 'user_id' ? value : null,
});

/** The recipient of a send as the network takes it. */
export const recipientOf = ({ by, value }: ContactRef): Readonly<Record<string, string>> =>
  by === 'phone_number' ? { to: value } : { recipient: value };

/** The contact in the payload of an event; the user id is there only where there is no number. */
export const contactFields = ({ phoneNumber, userId }: ContactIdentity): Readonly<Record<string, string | null>> =>
  phoneNumber === null ? { contact_phone: null, contact_user_id: userId } : { contact_phone: phoneNumber };

/** Whom a body means that has passed its rules: it names the contact by exactly one of the two. */
export function contactOfBody(body: {
  readonly contact_phone?: string | null;
  readonly contact_user_id?: string | null;
}): ContactRef {
  return refOf({ phoneNumber: body.contact_phone ?? null, userId: body.contact_user_id ?? null });
}
