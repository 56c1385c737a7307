import { isEmail } from 'class-validator';
import { characters } from '../http/field-rules.js';
import { CONTACT_TABLE } from '../people/contact-columns.js';

/** Maximum lengths of a contact's fields, in Unicode code points. */
export const CONTACT_LIMITS = {
  firstName: CONTACT_TABLE.first_name.max,
  lastName: CONTACT_TABLE.last_name.max,
  company: CONTACT_TABLE.company.max,
  email: CONTACT_TABLE.email.max,
  tag: 64,
  /** Tags of one contact. */
  tags: 100,
} as const;

/** Matches nearly all addresses; running the full check on those too would take half the time of an import. */
const PLAIN_ADDRESS = /^[a-z0-9]+(?:[._+-][a-z0-9]+)*@(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,63}$/i;
const PLAIN_LENGTH = 64;

/** Whether `value` is a deliverable email address. */
export const isEmailAddress = (value: string): boolean =>
  (value.length <= PLAIN_LENGTH && PLAIN_ADDRESS.test(value)) ||
  (characters(value) <= CONTACT_LIMITS.email && isEmail(value, { allow_utf8_local_part: true }));
