import { isPhoneNumber, type PhoneNumber } from '../values/phone-number.js';
import { isUserId, type UserId } from '../values/user-id.js';

/** How a caller names a contact: by phone number, or by the network's user id. */
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

/** What identifies a contact; at least one of the two is set. */
export interface ContactIdentity {
  readonly phoneNumber: PhoneNumber | null;
  readonly userId: UserId | null;
}

/** Refers to a known contact: by its number if it has one. */
export function refOf({ phoneNumber, userId }: ContactIdentity): ContactRef {
  if (phoneNumber !== null) return byNumber(phoneNumber);
  if (userId !== null) return byUserId(userId);
  throw new Error('the contact has neither a number nor a user id');
}

/** Whom a message to a known contact names: the number as the network spells it, else the user id. */
export const recipientRef = (sent: {
  readonly contact: ContactIdentity;
  readonly waId: PhoneNumber | null;
}): ContactRef => refOf({ ...sent.contact, phoneNumber: sent.waId ?? sent.contact.phoneNumber });

/** The part of an identity that a reference contains. */
export const identityOfRef = ({ by, value }: ContactRef): ContactIdentity => ({
  phoneNumber: by === 'phone_number' ? value : null,
  userId: by === 'user_id' ? value : null,
});

/**
 * The recipient of a send, as the network's API expects it. Without the `+`, the network may put the country code of the
 * business phone in front of the number.
 */
export const recipientOf = ({ by, value }: ContactRef): Readonly<Record<string, string>> =>
  by === 'phone_number' ? { to: `+${value}` } : { recipient: value };

/** The contact that a validated body names; validation ensures that exactly one field is set. */
export function contactOfBody(body: {
  readonly contact_phone?: string | null;
  readonly contact_user_id?: string | null;
}): ContactRef {
  return refOf({ phoneNumber: body.contact_phone ?? null, userId: body.contact_user_id ?? null });
}
