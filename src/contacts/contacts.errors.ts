import { conflict, type DomainError, forbidden, notFound } from '../errors/domain-error.js';
import type { PhoneNumber } from '../values/phone-number.js';
import type { RecordId } from '../values/record-id.js';

/** Ids that a message lists; it only counts the rest. */
const MAX_NAMED = 20;

/** 404: this account has no such contact, or it is deleted. */
export const contactNotFound = (id: RecordId): DomainError => notFound(`contact ${id} not found`);

/** 404: some of the contacts are unknown, deleted or in another account. */
export function contactsNotFound(ids: readonly RecordId[]): DomainError {
  const rest = ids.length - MAX_NAMED;
  const named = ids.slice(0, MAX_NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  return notFound(ids.length === 1 ? `contact ${named} not found` : `contacts not found: ${named}`);
}

/** 403: the person has opted out. */
export const mayNotLift = (): DomainError =>
  forbidden('the contact has opted out; only a manager, an admin or an owner may opt them in again');

/** 409: another contact has this number. */
export const phoneNumberTaken = (phone: PhoneNumber, id: RecordId): DomainError =>
  conflict(`contact ${id} already has the phone_number ${phone}`);

/** 409: other requests are giving this number to contacts. */
export const phoneNumberContested = (phone: PhoneNumber): DomainError =>
  conflict(`other requests are changing who has the phone_number ${phone}; try again`);
