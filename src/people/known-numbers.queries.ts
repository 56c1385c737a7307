import type { Database } from '../database/unit-of-work.js';
import type { PhoneNumber } from '../values/phone-number.js';
import type { NumberReading } from '../values/written-number.js';
import { hasNumber } from './person-keys.js';

/**
 * Finds out which numbers a contact of the account has, in any spelling, or is known by to the network. Deleted contacts
 * count; erased ones have no number. One statement for any number of numbers, none for none.
 */
export async function knownNumbers(
  accountId: string,
  numbers: readonly PhoneNumber[],
  db: Database,
): Promise<ReadonlySet<PhoneNumber>> {
  if (numbers.length === 0) return new Set();
  const found = await db.rows<{ readonly number: PhoneNumber }>(
    `SELECT given.number FROM unnest($2::text[]) AS given (number)
     WHERE EXISTS (SELECT FROM contacts c WHERE c.account_id = $1 AND ${hasNumber('c', 'given.number')})`,
    [accountId, [...new Set(numbers)]],
  );
  return new Set(found.map(({ number }) => number));
}

/** The number that a text means; null when it means none. */
export const settledNumber = (
  { number, ifKnown }: NumberReading,
  known: ReadonlySet<PhoneNumber>,
): PhoneNumber | null => (ifKnown !== null && known.has(ifKnown) ? ifKnown : number);
