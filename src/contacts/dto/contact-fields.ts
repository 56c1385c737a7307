import { Text } from '../../http/field-rules.js';
import { rule } from '../../http/request-fields.js';
import { CONTACT_LIMITS, isEmailAddress } from '../contact-rules.js';

/** An email address, or an empty string for none. */
export const EmailAddress = (): PropertyDecorator => (target, property) => {
  Text({ max: CONTACT_LIMITS.email, blank: true })(target, property);
  rule<string>(
    {},
    {
      wrong: () => null,
      beyond: (path, value) =>
        value.trim() === '' || isEmailAddress(value)
          ? null
          : `${path} must be an email address (got ${value.slice(0, 60)})`,
    },
  )(target, property);
};

/** An optional text as it is stored: empty or blank becomes null. */
export const blankToNull = (value: string | null | undefined): string | null =>
  value === undefined || value === null || value.trim() === '' ? null : value;
