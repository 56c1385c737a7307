import { randomInt } from 'node:crypto';

/** A contact's name in its two parts. */
export interface ContactName {
  readonly firstName: string;
  readonly lastName: string | null;
}

const DEFAULT_NAME = /^User #\d{6}$/;

/** The name of a contact that nobody has named: `User #` and six random digits. */
export const defaultName = (): ContactName => ({
  firstName: `User #${String(randomInt(1_000_000)).padStart(6, '0')}`,
  lastName: null,
});

/** Whether a whole name is one that {@link defaultName} makes, and so is replaced by a given one. */
export const isDefaultName = (name: string): boolean => DEFAULT_NAME.test(name);

/**
 * Splits a given or profile name at its first space; a default name stays whole.
 *
 * @returns null when `name` holds nothing but blanks, which is no name
 */
export function splitName(name: string): ContactName | null {
  const whole = name.trim();
  if (whole === '') return null;
  const space = whole.indexOf(' ');
  if (space === -1 || isDefaultName(whole)) return { firstName: whole, lastName: null };
  return { firstName: whole.slice(0, space), lastName: whole.slice(space + 1).trimStart() };
}

/** The name as one text, the `contact_name` of messages and events. */
export const wholeName = ({ firstName, lastName }: ContactName): string =>
  lastName === null ? firstName : `${firstName} ${lastName}`;
