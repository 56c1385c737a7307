import { type CountryCode, Metadata } from 'libphonenumber-js/core';
import { getCountries, getCountryCallingCode, isPossiblePhoneNumber } from 'libphonenumber-js/max';
import numberingPlans from 'libphonenumber-js/max/metadata';

/** The part of a calling code's metadata that {@link isPossibleNumber} needs. */
interface CallingCode {
  /** Lengths of the national number that are possible in every country with this code. */
  readonly lengths: ReadonlySet<number>;
  /** Matches national numbers that may begin with a national prefix. */
  readonly prefix: RegExp | null;
}

/** The numbering plan also has these methods (METADATA.md), though its type leaves them out. */
interface Plan {
  possibleLengths(): number[];
  nationalPrefixForParsing(): string | undefined;
}

const MAX_CALLING_CODE_DIGITS = 3;

let known: ReadonlyMap<string, CallingCode> | null = null;

/**
 * Whether libphonenumber considers the digits a possible number. The library takes 15 µs per number, which would be
 * half the time of an import, so we skip it where the length alone decides.
 */
export function isPossibleNumber(digits: string): boolean {
  known ??= callingCodes();
  for (let length = 1; length <= MAX_CALLING_CODE_DIGITS; length += 1) {
    const code = known.get(digits.slice(0, length));
    if (code === undefined) continue;
    const national = digits.slice(length);
    if (code.lengths.has(national.length) && !code.prefix?.test(national)) return true;
    break;
  }
  return isPossiblePhoneNumber(`+${digits}`);
}

function callingCodes(): Map<string, CallingCode> {
  const codes = new Map<string, CallingCode>();
  for (const country of getCountries()) {
    const code = getCountryCallingCode(country);
    const lengths = planOf(country).possibleLengths();
    const shared = codes.get(code);
    // The library parses a number by the plan of the code's main country, then judges it by its own country's plan.
    const prefix = planOf(code as unknown as CountryCode).nationalPrefixForParsing();
    codes.set(code, {
      lengths: new Set(shared === undefined ? lengths : lengths.filter((length) => shared.lengths.has(length))),
      prefix: prefix ? new RegExp(`^(?:${prefix})`) : null,
    });
  }
  return codes;
}

function planOf(country: CountryCode): Plan {
  const metadata = new Metadata(numberingPlans);
  metadata.selectNumberingPlan(country);
  return metadata.numberingPlan as unknown as Plan;
}
