import { conflict, DomainError, notFound } from '../errors/domain-error.js';
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

/** 409: another contact has this number. A deleted contact keeps its number until a create restores it. */
export const phoneNumberTaken = (phone: PhoneNumber, id: RecordId, deleted: boolean): DomainError =>
  conflict(
    deleted
      ? `the deleted contact ${id} has the phone_number ${phone}; create a contact with this number to restore it`
      : `contact ${id} already has the phone_number ${phone}`,
  );

/** Seconds; by then an operator may have restored the key. */
const KEY_RETRY_AFTER = 60;

/** 503: erasing now would lose the contact's opt-out. */
export const hashKeyUnreadable = (): DomainError =>
  new DomainError(
    'unavailable',
    'the contact has opted out, and the key needed to remember that cannot be decrypted, so nothing was erased. ' +
      'Start the service with the ENCRYPTION_KEY that encrypted it',
    { headers: { 'retry-after': String(KEY_RETRY_AFTER) } },
  );
