import { type CountryCode, Metadata } from 'libphonenumber-js/core';
import { getCountries, isSupportedCountry } from 'libphonenumber-js/max';
import numberingPlans from 'libphonenumber-js/max/metadata';

// The tables of libphonenumber, prepared once. The library compiles its patterns again for every number, which takes 10
// to 50 µs a number: more than half the time of an import.

/** A country by its two letters in ISO 3166, upper case, as far as libphonenumber knows its numbers. */
export type Country = CountryCode;

/** Reads the two letters of a country in either case; null when there is no such country. */
export function readCountry(value: unknown): Country | null {
  if (typeof value !== 'string' || !/^[A-Za-z]{2}$/.test(value)) return null;
  const country = value.toUpperCase();
  return isSupportedCountry(country) ? country : null;
}

/** The kind of a national number; `other` is any valid number that cannot be a mobile phone. */
export type NumberKind = 'mobile' | 'other';

/** The numbering plan of a country. */
export interface NumberingPlan {
  readonly country: Country;
  readonly callingCode: string;
  /** Lengths of possible national numbers. */
  readonly lengths: ReadonlySet<number>;
  /** Matches the valid national numbers, and some that are not. */
  readonly pattern: RegExp;
  /** Matches the start of numbers that may begin with a national prefix; null without such prefixes. */
  readonly prefix: RegExp | null;
  /** The national prefix, if it is the only one and of digits alone. */
  readonly plainPrefix: string | null;
  /** Matches the start of numbers that may be international as dialled in the country. */
  readonly internationalPrefix: RegExp;
  /** Matches the start of the country's numbers, where the plan tells it by that from others with its calling code. */
  readonly leadingDigits: RegExp | null;
  readonly fixed: NumberRange | null;
  readonly mobile: NumberRange | null;
  readonly others: readonly NumberRange[];
}

/** Numbers of one type. */
interface NumberRange {
  readonly lengths: ReadonlySet<number>;
  readonly pattern: RegExp;
}

/** What the countries of a calling code have in common. */
export interface CallingCode {
  readonly code: string;
  /** The main country first: its plan is the one by which the library reads numbers with this code. */
  readonly plans: readonly [NumberingPlan, ...NumberingPlan[]];
  /** Lengths of the national number that are possible in every country with this code. */
  readonly lengths: ReadonlySet<number>;
}

/** The methods of a plan in the library's metadata (METADATA.md); its types leave most of them out. */
interface LibraryPlan {
  callingCode(): string;
  IDDPrefix(): string;
  nationalNumberPattern(): string;
  possibleLengths(): number[];
  nationalPrefix(): string | undefined;
  nationalPrefixForParsing(): string | undefined;
  nationalPrefixTransformRule(): string | undefined;
  leadingDigits(): string | undefined;
  type(name: string): { pattern(): string; possibleLengths(): number[] } | undefined;
}

const MAX_CALLING_CODE_DIGITS = 3;
const OTHER_TYPES = [
  'PREMIUM_RATE',
  'TOLL_FREE',
  'SHARED_COST',
  'VOIP',
  'PERSONAL_NUMBER',
  'PAGER',
  'UAN',
  'VOICEMAIL',
] as const;

let known: { plans: ReadonlyMap<Country, NumberingPlan>; codes: ReadonlyMap<string, CallingCode> } | null = null;

/** The numbering plan of a country. */
export function planOf(country: Country): NumberingPlan {
  const plan = tables().plans.get(country);
  if (plan === undefined) throw new Error(`${country} has no numbering plan`);
  return plan;
}

/** The calling code at the start of an international number, if it is the code of a country. */
export function callingCodeOf(digits: string): CallingCode | null {
  const { codes } = tables();
  for (let length = 1; length <= MAX_CALLING_CODE_DIGITS; length += 1) {
    const found = codes.get(digits.slice(0, length));
    if (found !== undefined) return found;
  }
  return null;
}

/** The plan by which the library judges a national number, once it has found out which country it belongs to. */
export function planFor({ plans }: CallingCode, national: string): NumberingPlan {
  if (plans.length === 1) return plans[0];
  const own = plans.find((plan) =>
    plan.leadingDigits === null ? kindOf(plan, national) !== null : plan.leadingDigits.test(national),
  );
  return own ?? plans[0];
}

/** The kind of a national number; null when it is not valid. */
export function kindOf({ pattern, fixed, mobile, others }: NumberingPlan, national: string): NumberKind | null {
  if (!pattern.test(national)) return null;
  const isMobile = mobile !== null && isIn(mobile, national);
  // Without a range for mobile phones, they have the numbers of fixed lines.
  if (fixed !== null && isIn(fixed, national)) return isMobile || mobile === null ? 'mobile' : 'other';
  if (isMobile) return 'mobile';
  return others.some((range) => isIn(range, national)) ? 'other' : null;
}

const isIn = ({ lengths, pattern }: NumberRange, national: string): boolean =>
  lengths.has(national.length) && pattern.test(national);

function tables(): NonNullable<typeof known> {
  if (known !== null) return known;
  const plans = new Map(getCountries().map((country) => [country, readPlan(country)]));
  const codes = new Map<string, CallingCode>();
  for (const { callingCode: code } of plans.values()) if (!codes.has(code)) codes.set(code, readCode(code, plans));
  known = { plans, codes };
  return known;
}

function readCode(code: string, plans: ReadonlyMap<Country, NumberingPlan>): CallingCode {
  const countries = numberingPlans.country_calling_codes[code] ?? [];
  const [main, ...others] = countries.map((country) => plans.get(country)).filter((plan) => plan !== undefined);
  if (main === undefined) throw new Error(`the calling code ${code} has no country`);
  const shared = [...main.lengths].filter((length) => others.every(({ lengths }) => lengths.has(length)));
  return { code, plans: [main, ...others], lengths: new Set(shared) };
}

function readPlan(country: Country): NumberingPlan {
  const metadata = new Metadata(numberingPlans);
  metadata.selectNumberingPlan(country);
  const plan = metadata.numberingPlan as unknown as LibraryPlan;
  const prefix = plan.nationalPrefixForParsing();
  const leadingDigits = plan.leadingDigits();
  const isPlain = prefix !== undefined && /^\d+$/.test(prefix) && !plan.nationalPrefixTransformRule();
  return {
    country,
    callingCode: plan.callingCode(),
    lengths: new Set(plan.possibleLengths()),
    pattern: whole(plan.nationalNumberPattern()),
    prefix: prefix ? start(prefix) : null,
    plainPrefix: isPlain ? prefix : null,
    internationalPrefix: start(plan.IDDPrefix()),
    leadingDigits: leadingDigits ? start(leadingDigits) : null,
    fixed: rangeOf(plan, 'FIXED_LINE'),
    mobile: rangeOf(plan, 'MOBILE'),
    others: OTHER_TYPES.map((type) => rangeOf(plan, type)).filter((range) => range !== null),
  };
}

function rangeOf(plan: LibraryPlan, type: string): NumberRange | null {
  const range = plan.type(type);
  if (!range?.pattern()) return null;
  return { lengths: new Set(range.possibleLengths()), pattern: whole(range.pattern()) };
}

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);
const start = (pattern: string): RegExp => new RegExp(`^(?:${pattern})`);
