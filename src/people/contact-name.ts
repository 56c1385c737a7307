import { randomInt } from 'node:crypto';

/** A contact's name in its two parts. */
export interface ContactName {
  readonly firstName: string;
  readonly lastName: string | null;
}

/** Characters of a name that a send gives. */
export const MAX_CONTACT_NAME = 256;

const DEFAULT_NAME = /^User #\d{6}$/;

/** The placeholder for a contact without a name: `User #` and six random digits. */
export const defaultName = (): ContactName => ({
  firstName: `User #${String(randomInt(1_000_000)).padStart(6, '0')}`,
  lastName: null,
});

/** Whether a full name is a placeholder from {@link defaultName}, which any given name replaces. */
export const isDefaultName = (name: string): boolean => DEFAULT_NAME.test(name);

/**
 * Splits a given or profile name at its first space; a default name stays whole.
 *
 * @returns null when `name` is blank
 */
export function splitName(name: string): ContactName | null {
  const whole = name.trim();
  if (whole === '') return null;
  const space = whole.indexOf(' ');
  if (space === -1 || isDefaultName(whole)) return { firstName: whole, lastName: null };
  return { firstName: whole.slice(0, space), lastName: whole.slice(space + 1).trimStart() };
}

/** The full name: the `contact_name` of messages, conversations and events. */
export const fullName = ({ firstName, lastName }: ContactName): string =>
  lastName === null || lastName === '' ? firstName : `${firstName} ${lastName}`;
