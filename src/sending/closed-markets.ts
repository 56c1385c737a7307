import { DomainError } from '../errors/domain-error.js';
import { MESSAGE_ERRORS } from '../errors/error-catalog.js';
import type { ContactIdentity } from '../people/contact-ref.js';
import { isUnitedStatesNumber } from '../values/possible-number.js';

/** User ids begin with the country of the number that they stand for. */
const UNITED_STATES_ID = 'US.';

/**
 * Whether the network delivers no marketing messages to a person: it drops all that go to numbers of the United States. A
 * number that is known decides, else the country in the user id.
 */
export const isClosedToMarketing = ({ phoneNumber, userId }: ContactIdentity): boolean =>
  phoneNumber === null ? userId?.startsWith(UNITED_STATES_ID) === true : isUnitedStatesNumber(phoneNumber);

/** The refusal of a MARKETING template to such a person. @param contact as the caller named them */
export const marketingClosed = (contact: string): DomainError =>
  new DomainError(
    'marketing_closed',
    `contact ${contact} has a number of the United States, where the network delivers no MARKETING templates. Send a ` +
      `UTILITY template instead, or reply within the service window (${MESSAGE_ERRORS.marketingClosed.code})`,
  );
