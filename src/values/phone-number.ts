/** A phone number in its stored form: country code and number, 7 to 15 digits, no `+`. */
export type PhoneNumber = string;

const STORED = /^[1-9][0-9]{6,14}$/;

/** Whether `value` is already in the stored form, as sends and conversation paths require. */
export const isPhoneNumber = (value: unknown): value is PhoneNumber => typeof value === 'string' && STORED.test(value);
