import { isEmail, ValidateBy, ValidateIf } from 'class-validator';
import { characters, described, wrongType } from '../../http/field-rules.js';
import { CONTACT_LIMITS } from '../contact-limits.js';

/** A field that a PATCH may omit; null counts as a value and must pass the rules that follow. */
export const MayBeAbsent = (): PropertyDecorator =>
  described(
    { required: false },
    ValidateIf((_, value) => value !== undefined),
  );

/** Matches nearly all addresses; running the full check on those too would take half the time of an import. */
const PLAIN_ADDRESS = /^[a-z0-9]+(?:[._+-][a-z0-9]+)*@(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,63}$/i;
const PLAIN_LENGTH = 64;

/** Whether `value` is a deliverable email address. */
export const isEmailAddress = (value: string): boolean =>
  (value.length <= PLAIN_LENGTH && PLAIN_ADDRESS.test(value)) ||
  (characters(value) <= CONTACT_LIMITS.email && isEmail(value, { allow_utf8_local_part: true }));

const EMAIL_CHECK = ValidateBy({
  name: 'emailAddress',
  validator: {
    validate: (value) => typeof value === 'string' && (value.trim() === '' || isEmailAddress(value)),
    defaultMessage: (found) => {
      const { property, value } = found ?? { property: 'email', value: undefined };
      if (typeof value !== 'string') return wrongType(property, 'a string', value);
      const length = characters(value);
      return length > CONTACT_LIMITS.email
        ? `${property} must be at most ${CONTACT_LIMITS.email} characters (got ${length})`
        : `${property} must be an email address (got ${value.slice(0, 60)})`;
    },
  },
});

/** An email address, or an empty string for none. */
export const EmailAddress = (): PropertyDecorator =>
  described({ type: 'string', maxLength: CONTACT_LIMITS.email }, EMAIL_CHECK);

/** An optional text as it is stored: empty or blank becomes null. */
export const orNull = (value: string | null | undefined): string | null =>
  value === undefined || value === null || value.trim() === '' ? null : value;
