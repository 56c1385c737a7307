import { conflict, type DomainError, notFound } from '../errors/domain-error.js';
import type { PhoneNumber } from '../values/phone-number.js';
import type { RecordId } from '../values/record-id.js';

/** How many unknown ids a message names; the rest is a number. */
const MOST_NAMED = 20;

/** 404: there is no such contact in this account, or it is deleted (D77). */
export const contactNotFound = (id: RecordId): DomainError => notFound(`contact ${id} not found`);

/** 404: some of the named contacts are unknown, foreign or deleted (D77). */
export function contactsNotFound(ids: readonly RecordId[]): DomainError {
  const rest = ids.length - MOST_NAMED;
  const named = ids.slice(0, MOST_NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  return notFound(ids.length === 1 ? `contact ${named} not found` : `contacts not found: ${named}`);
}

/** 409: another contact has this number. A deleted one keeps it, and comes back by POST (D77). */
export const phoneNumberTaken = (phone: PhoneNumber, id: RecordId, deleted: boolean): DomainError =>
  conflict(
    deleted
      ? `the deleted contact ${id} has the phone_number ${phone}; creating a contact with it revives that one`
      : `contact ${id} already has the phone_number ${phone}`,
  );
