import type { PhoneNumber } from './phone-number.js';

/** The spelling by which all spellings of one person's number are found. */
export type NumberKey = PhoneNumber;

/** A country whose numbers have two spellings. The expressions capture what stands before and after the digits inserted. */
interface TwoSpellings {
  readonly code: string;
  readonly inserted: string;
  readonly short: RegExp;
  readonly long: RegExp;
}

/**
 * Numbers that the network spells in two ways: Mexico 52 1? and ten digits, Argentina 54 9? and ten, Brazil 55, two, 9?
 * and eight that begin with 6 to 9, Benin 229 01? and eight. The database function `number_key` does the same.
 */
const SPELLINGS: readonly TwoSpellings[] = [
  { code: '52', inserted: '1', short: /^(52)(\d{10})$/, long: /^(52)1(\d{10})$/ },
  { code: '54', inserted: '9', short: /^(54)(\d{10})$/, long: /^(54)9(\d{10})$/ },
  { code: '55', inserted: '9', short: /^(55\d{2})([6-9]\d{7})$/, long: /^(55\d{2})9([6-9]\d{7})$/ },
  { code: '229', inserted: '01', short: /^(229)(\d{8})$/, long: /^(229)01(\d{8})$/ },
];

/** Côte d'Ivoire before 2021 and since. What the digits in front of an old number became depends on the operator. */
const IVORIAN = /^225(?:\d{8}|\d{10})$/;

/** Whether the network names people by numbers like this, dialled or not, and whatever a numbering plan says. */
export const isSpelledByNetwork = (number: string): boolean =>
  IVORIAN.test(number) || SPELLINGS.some(({ short, long }) => short.test(number) || long.test(number));

/** The key of a number in the stored form: its shortest spelling. */
export function numberKey(number: PhoneNumber): NumberKey {
  for (const { code, long } of SPELLINGS) if (number.startsWith(code)) return number.replace(long, '$1$2');
  return number;
}

/** All spellings of a number in the stored form, its key first. */
export function spellingsOf(number: PhoneNumber): readonly [NumberKey, ...PhoneNumber[]] {
  const key = numberKey(number);
  for (const { code, inserted, short } of SPELLINGS) {
    if (key.startsWith(code) && short.test(key)) return [key, key.replace(short, `$1${inserted}$2`)];
  }
  return [key];
}
