import { conflict, DomainError, notFound } from '../errors/domain-error.js';
import type { PhoneNumber } from '../values/phone-number.js';
import type { RecordId } from '../values/record-id.js';

/** Unknown ids that a message names; the rest is a number. */
const MAX_NAMED = 20;

/** 404: there is no such contact in this account, or it is deleted. */
export const contactNotFound = (id: RecordId): DomainError => notFound(`contact ${id} not found`);

/** 404: some of the named contacts are unknown, foreign or deleted. */
export function contactsNotFound(ids: readonly RecordId[]): DomainError {
  const rest = ids.length - MAX_NAMED;
  const named = ids.slice(0, MAX_NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  return notFound(ids.length === 1 ? `contact ${named} not found` : `contacts not found: ${named}`);
}

/** 409: another contact has this number. A deleted one keeps it, and creating a contact with it brings that one back. */
export const phoneNumberTaken = (phone: PhoneNumber, id: RecordId, deleted: boolean): DomainError =>
  conflict(
    deleted
      ? `the deleted contact ${id} has the phone_number ${phone}; creating a contact with it revives that one`
      : `contact ${id} already has the phone_number ${phone}`,
  );

/** Seconds until somebody may have brought the key back. */
const KEY_RETRY_AFTER = 60;

/** 503: who had opted out could not be kept from being written to again. */
export const hashKeyUnreadable = (): DomainError =>
  new DomainError(
    'unavailable',
    'the contact has opted out, and the key that keeps it so cannot be decrypted, so nothing was erased. Start the service with ' +
      'the ENCRYPTION_KEY that it was stored under',
    { headers: { 'retry-after': String(KEY_RETRY_AFTER) } },
  );
