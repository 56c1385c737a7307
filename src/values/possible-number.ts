import parsePhoneNumber from 'libphonenumber-js/max';
import { isSpelledByNetwork } from './number-key.js';
import { type Country, callingCodeOf, kindOf, type NumberingPlan, planFor, planOf } from './numbering-plans.js';

// What libphonenumber says about digits. Each function first tries a shortcut and asks the library only where the
// shortcut doesn't decide.

/**
 * How likely it is that digits are a number. libphonenumber calls it possible, mostly by its length; valid if it is
 * assigned to something; mobile if it may be a mobile phone. What only the network spells so counts as mobile.
 */
export const LIKELIHOOD = { impossible: 0, possible: 1, valid: 2, mobile: 3 } as const;
export type Likelihood = (typeof LIKELIHOOD)[keyof typeof LIKELIHOOD];

/** Whether libphonenumber takes all the digits for one possible international number, or the network spells it so. */
export function isPossibleNumber(digits: string): boolean {
  const code = callingCodeOf(digits);
  if (code !== null) {
    const national = digits.slice(code.code.length);
    if (code.lengths.has(national.length) && !code.plans[0].prefix?.test(national)) return true;
  }
  return isSpelledByNetwork(digits) || parseExactly(digits) !== null;
}

/** How likely it is that the digits are an international number. */
export function likelihoodOf(digits: string): Likelihood {
  if (isSpelledByNetwork(digits)) return LIKELIHOOD.mobile;
  const code = callingCodeOf(digits);
  const national = digits.slice(code?.code.length ?? 0);
  if (code === null || code.plans[0].prefix?.test(national)) return likelihoodByLibrary(digits);
  const plan = planFor(code, national);
  if (!plan.lengths.has(national.length)) return LIKELIHOOD.impossible;
  const kind = kindOf(plan, national);
  if (kind === null) return LIKELIHOOD.possible;
  return kind === 'mobile' ? LIKELIHOOD.mobile : LIKELIHOOD.valid;
}

/** Whether digits are a number of the United States; toll-free numbers belong to several countries, so they are not. */
export function isUnitedStatesNumber(digits: string): boolean {
  // Only the library knows which of the countries with this code a number belongs to.
  if (!digits.startsWith(NORTH_AMERICA)) return false;
  const parsed = parsePhoneNumber(`+${digits}`);
  return parsed?.country === 'US' && parsed.getType() !== 'TOLL_FREE';
}

/** The calling code that the United States share with Canada and others. */
const NORTH_AMERICA = '1';

function likelihoodByLibrary(digits: string): Likelihood {
  const parsed = parseExactly(digits);
  if (parsed === null) return LIKELIHOOD.impossible;
  const type = parsed.getType();
  if (type === undefined) return LIKELIHOOD.possible;
  return type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE' ? LIKELIHOOD.mobile : LIKELIHOOD.valid;
}

/** Reads an international number with the library; null unless it is possible and all its digits belong to it. */
function parseExactly(digits: string) {
  const parsed = parsePhoneNumber(`+${digits}`);
  return parsed?.isPossible() && parsed.number === `+${digits}` ? parsed : null;
}

/**
 * Reads an international number that has a trunk zero after its country code.
 *
 * @param withTrunk the digits with the zero
 * @param without the digits without it
 * @returns what libphonenumber reads in the digits with the zero: the digits without it, or all of them where the zero
 * belongs to the number, as in Italy; null for anything else
 */
export function readTrunk(withTrunk: string, without: string): string | null {
  const code = callingCodeOf(withTrunk);
  const national = withTrunk.slice(code?.code.length);
  if (code !== null && withoutPrefix(national, code.plans[0]) === national.slice(1)) {
    return isPossibleNumber(without) ? without : null;
  }
  const read = parsePhoneNumber(`+${withTrunk}`)?.number;
  if (read === `+${without}`) return isPossibleNumber(without) ? without : null;
  return read === `+${withTrunk}` && likelihoodOf(withTrunk) >= LIKELIHOOD.valid ? withTrunk : null;
}

/** Reads digits as they are dialled in a country; null when libphonenumber does not take them for a number. */
export function readNational(digits: string, country: Country): string | null {
  const plan = planOf(country);
  const known = digits.startsWith(plan.callingCode) ? null : readByPlan(digits, plan);
  return known ?? parsePhoneNumber(digits, country)?.number.slice(1) ?? null;
}

/** Reads a national number as the library does where that is simple, else returns null. */
function readByPlan(digits: string, plan: NumberingPlan): string | null {
  const { callingCode, prefix, lengths, internationalPrefix } = plan;
  if (internationalPrefix.test(digits)) return null;
  if (!prefix?.test(digits)) return lengths.has(digits.length) ? callingCode + digits : null;
  const national = withoutPrefix(digits, plan);
  return national === null ? null : callingCode + national;
}

/** Removes the national prefix where the library certainly does so, else returns null. */
function withoutPrefix(digits: string, { plainPrefix, pattern, lengths }: NumberingPlan): string | null {
  if (plainPrefix === null || !digits.startsWith(plainPrefix)) return null;
  const national = digits.slice(plainPrefix.length);
  return lengths.has(national.length) && pattern.test(national) ? national : null;
}
