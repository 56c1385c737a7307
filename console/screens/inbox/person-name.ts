import { inboxListWords } from '../../words/inbox-list.js';
import { readableNumber } from './list/readable-number.js';

/** What Parley calls people without a name. */
const NO_NAME = /^(?:User #\d{6})?$/;

/** Somebody as a record tells of them. */
interface Person {
  readonly contact_name: string;
  readonly phone_number: string | null;
  /** The network’s. */
  readonly user_id?: string | null;
}

/** A name that somebody has given; null for none. */
export const givenName = (name: string): string | null => (NO_NAME.test(name) ? null : name);

/** What somebody is called: their name, else their number, else the network’s id. */
export function personName({ contact_name, phone_number, user_id }: Person): string {
  const id = phone_number === null ? user_id : readableNumber(phone_number);
  return givenName(contact_name) ?? id ?? inboxListWords.erased;
}

/** The name of a contact as conversations have it. */
export const fullName = ({ first_name, last_name }: { first_name: string; last_name: string | null }): string =>
  [first_name, last_name].filter(Boolean).join(' ');

/** {@link personName} of a contact. */
export const contactName = (contact: Omit<Person, 'contact_name'> & Parameters<typeof fullName>[0]): string =>
  personName({ ...contact, contact_name: fullName(contact) });
