import { ValidateBy, type ValidationArguments } from 'class-validator';
import { isPlainObject } from '../../http/field-rules.js';
import { MAX_CONTACTS } from '../authoring/recipient-list.js';
import { isGiven, personalFault, textFault } from './personal-fields.js';

const MAX_NAME = 256;
const MAX_PHONE = 64;

/** The first problem in a list of recipients, or null. A single pass, since there may be 10,000 entries. */
function faultOf({ property, value, object }: ValidationArguments): string | null {
  if (!isGiven(value)) {
    const { group_ids } = object as { group_ids?: unknown };
    return isGiven(group_ids) ? null : `${property} or group_ids is required`;
  }
  if (!Array.isArray(value)) return `${property} must be an array of {phone, name?}`;
  if (value.length === 0 || value.length > MAX_CONTACTS) {
    return `${property} must have 1 to ${MAX_CONTACTS} entries (got ${value.length})`;
  }
  for (const [index, entry] of value.entries()) {
    const fault = entryFault(`${property}[${index}]`, entry);
    if (fault !== null) return fault;
  }
  return null;
}

function entryFault(path: string, entry: unknown): string | null {
  if (!isPlainObject(entry)) return `${path} must be an object with phone and optionally name`;
  const { phone, name } = entry;
  if (!isGiven(phone) || phone === '') return `${path}.phone is required`;
  return (
    textFault(`${path}.phone`, phone, MAX_PHONE) ??
    (isGiven(name) ? textFault(`${path}.name`, name, MAX_NAME) : null) ??
    personalFault(path, entry)
  );
}

/** Validates the recipients of a campaign. */
export const CampaignContacts = (): PropertyDecorator =>
  ValidateBy({
    name: 'campaignContacts',
    validator: {
      validate: (_, found) => faultOf(found as ValidationArguments) === null,
      defaultMessage: (found) => faultOf(found as ValidationArguments) ?? '',
    },
  });
