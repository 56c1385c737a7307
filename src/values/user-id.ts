/** The network's business-scoped id of a person: a country code, a dot, letters and digits. */
export type UserId = string;

/** The form of a user id, and its longest, in characters. */
export const USER_ID = /^[A-Z]{2}\.[A-Za-z0-9]+$/;
export const MAX_USER_ID = 150;

/** Whether `value` has the form of a user id. */
export const isUserId = (value: unknown): value is UserId =>
  typeof value === 'string' && value.length <= MAX_USER_ID && USER_ID.test(value);
