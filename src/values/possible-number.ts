import { type CountryCode, Metadata } from 'libphonenumber-js/core';
import { getCountries, getCountryCallingCode, isPossiblePhoneNumber } from 'libphonenumber-js/max';
import numberingPlans from 'libphonenumber-js/max/metadata';

/** What libphonenumber knows of a calling code, as far as {@link isPossibleNumber} asks. */
interface CallingCode {
  /** Lengths of the number behind the code that are possible in each country that has it. */
  readonly lengths: ReadonlySet<number>;
  /** A number that starts so may be another one with something in front of it. */
  readonly prefix: RegExp | null;
}

/** A numbering plan has this method too (METADATA.md), though its type does not say so. */
interface Plan {
  possibleLengths(): number[];
  nationalPrefixForParsing(): string | undefined;
}

const MAX_CALLING_CODE_DIGITS = 3;

let known: ReadonlyMap<string, CallingCode> | null = null;

/**
 * Whether libphonenumber takes the digits for a possible number. It parses each number for 15 µs, which would be half the
 * time of an import; where the length alone decides, it need not be asked.
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
    // The library reads a number by the plan of its code's main country, then judges it by that of its own.
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
