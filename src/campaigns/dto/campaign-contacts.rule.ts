import { ValidateBy, type ValidationArguments } from 'class-validator';
import { isPlainObject } from '../../http/field-rules.js';

/** Recipients of one campaign at most. */
export const MAX_CONTACTS = 10_000;
const MAX_NAME = 256;
const MAX_PHONE = 64;

/** What is wrong with a list of `{phone, name?}`, or null. One pass over up to 10,000 entries. */
function faultOf(property: string, value: unknown): string | null {
  if (value === undefined || value === null) return `${property} is required`;
  if (!Array.isArray(value)) return `${property} must be an array of {phone, name?}`;
  if (value.length === 0 || value.length > MAX_CONTACTS) {
    return `${property} must have 1 to ${MAX_CONTACTS} entries (got ${value.length})`;
  }
  for (const [index, entry] of value.entries()) {
    if (!isPlainObject(entry)) return `${property}[${index}] must be an object with phone and optionally name`;
    const { phone, name } = entry;
    if (phone === undefined || phone === null || phone === '') return `${property}[${index}].phone is required`;
    if (typeof phone !== 'string') return `${property}[${index}].phone must be a string (got ${JSON.stringify(phone)})`;
    if (phone.length > MAX_PHONE) {
      return `${property}[${index}].phone must be at most ${MAX_PHONE} characters (got ${phone.length})`;
    }
    if (name === undefined || name === null) continue;
    if (typeof name !== 'string') return `${property}[${index}].name must be a string (got ${JSON.stringify(name)})`;
    if (name.length > MAX_NAME) {
      return `${property}[${index}].name must be at most ${MAX_NAME} characters (got ${name.length})`;
    }
  }
  return null;
}

/** The recipients of a campaign. */
export const CampaignContacts = (): PropertyDecorator =>
  ValidateBy({
    name: 'campaignContacts',
    validator: {
      validate: (value, found) => faultOf(found?.property ?? 'contacts', value) === null,
      defaultMessage: (found?: ValidationArguments) => faultOf(found?.property ?? 'contacts', found?.value) ?? '',
    },
  });
