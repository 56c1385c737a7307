/** Coprime to the range, so no two numbers of up to 20 digits get the same id. */
const FACTOR = 61_803_398_874_989_484_821n;
const RANGE = 10n ** 20n;
/** `FACTOR * INVERSE` is 1 modulo `RANGE`. */
const INVERSE = inverseOf(FACTOR);

const USER_ID = /^[A-Z]{2}\.[A-Za-z0-9]{1,128}$/;
const NUMBER = /^\d{5,20}$/;
/** What `userIdOf` makes of numbers. */
const USUAL_ID = /^US\.(\d{20})$/;
/** No number is longer, but most other ids would give one. */
const MAX_DIGITS = 15;

/** Whether `value` looks like a business-scoped user id: a country code, a dot, up to 128 letters and digits. */
export const isUserId = (value: unknown): value is string => typeof value === 'string' && USER_ID.test(value);

/** Whether `value` is a customer's phone number in the network's format: digits only. */
export const isCustomerNumber = (value: unknown): value is string => typeof value === 'string' && NUMBER.test(value);

/** The business-scoped user id that the customer with this number has until it changes: stable and unique. */
export const userIdOf = (number: string): string =>
  `US.${((BigInt(number) * FACTOR) % RANGE).toString().padStart(20, '0')}`;

/** The number for which `userIdOf` returns this id; null if there is none. */
export function numberWithUserId(userId: string): string | null {
  const digits = USUAL_ID.exec(userId)?.[1];
  if (digits === undefined) return null;
  const number = ((BigInt(digits) * INVERSE) % RANGE).toString();
  return isCustomerNumber(number) && number.length <= MAX_DIGITS ? number : null;
}

/** Newton's iteration, from the last digit of a factor that ends in 1: each round doubles the correct digits. */
function inverseOf(factor: bigint): bigint {
  let inverse = 1n;
  for (let round = 0; round < 8; round += 1) inverse = (((inverse * (2n - factor * inverse)) % RANGE) + RANGE) % RANGE;
  return inverse;
}
