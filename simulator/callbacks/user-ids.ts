/** Coprime to the range, so no two numbers of up to 20 digits get the same id. */
const FACTOR = 61_803_398_874_989_484_821n;
const RANGE = 10n ** 20n;

const USER_ID = /^[A-Z]{2}\.[A-Za-z0-9]{1,128}$/;
const NUMBER = /^\d{5,20}$/;

/** Whether `value` looks like a business-scoped user id: a country code, a dot, up to 128 letters and digits. */
export const isUserId = (value: unknown): value is string => typeof value === 'string' && USER_ID.test(value);

/** Whether `value` is a customer's phone number in the network's format: digits only. */
export const isCustomerNumber = (value: unknown): value is string => typeof value === 'string' && NUMBER.test(value);

/** The business-scoped user id of the customer with this number: stable and unique. */
export const userIdOf = (number: string): string =>
  `US.${((BigInt(number) * FACTOR) % RANGE).toString().padStart(20, '0')}`;
