import type { ContactIdentity } from './contact-ref.js';

/** How the body of an event names its contact. */
export interface ContactFields {
  contact_phone: string | null;
  contact_user_id?: string | null;
}

/** Describes {@link ContactFields.contact_phone}. */
export const CONTACT_PHONE = {
  type: String,
  nullable: true,
  description: 'Digits; null for people who hide their number',
};
/** Describes {@link ContactFields.contact_user_id}. */
export const CONTACT_USER_ID = {
  type: String,
  required: false,
  description: 'The network’s id of the contact; only where there is no number',
};

/** Writes a contact into the body of an event. */
export function writeContact(body: ContactFields, { phoneNumber, userId }: ContactIdentity): void {
  body.contact_phone = phoneNumber;
  if (phoneNumber === null) body.contact_user_id = userId;
}
