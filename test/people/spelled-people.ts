import fc from 'fast-check';
import parsePhoneNumber, { type CountryCode, type PhoneNumber } from 'libphonenumber-js/max';
import { planOf } from '../../src/values/numbering-plans.js';

// People of many countries, and all the ways in which their numbers are written. What belongs together is said here in
// other words than in the service: country by country, from what libphonenumber knows of a number.

/** A number as somebody wrote it. */
export interface Writing {
  readonly text: string;
  /** Where the number may be dialled as it stands; null: anywhere. */
  readonly country: CountryCode | null;
}

/** A person with a mobile phone. */
export interface SpelledPerson {
  readonly country: CountryCode;
  /** All spellings of the network in digits; the first is the number as it is dialled today. */
  readonly numbers: readonly [string, ...string[]];
  /** With the country code, for files and campaigns without a default country. */
  readonly international: readonly [string, ...string[]];
  /** As it is dialled in the country. */
  readonly national: readonly [string, ...string[]];
}

/** Countries on all continents, with trunk zeros and without, with eights and ones, and with numbers of any length. */
export const COUNTRIES = [
  ...['AE', 'AR', 'AT', 'AU', 'BE', 'BJ', 'BR', 'CA', 'CH', 'CI', 'CL', 'CO', 'CZ', 'DE', 'EG', 'ES', 'FR', 'GB'],
  ...['GH', 'HK', 'ID', 'IE', 'IL', 'IN', 'IT', 'JP', 'KE', 'KR', 'KZ', 'MA', 'MX', 'NG', 'NL', 'NO', 'NZ', 'PE'],
  ...['PH', 'PK', 'PL', 'PT', 'RU', 'SA', 'SE', 'SG', 'SN', 'TH', 'TR', 'UA', 'US', 'VN', 'ZA'],
] as readonly CountryCode[];

/** How the network may spell the mobile numbers of a country, from the national number of today. */
const NETWORK: Partial<Record<CountryCode, (national: string) => string[]>> = {
  MX: (national) => [`52${national}`, `521${national}`],
  AR: (national) => {
    const number = national.replace(/^9(?=\d{10}$)/, '');
    return [`549${number}`, `54${number}`];
  },
  BJ: (national) => [`229${national}`, `229${national.replace(/^01/, '')}`],
  BR: (national) => {
    const area = national.slice(0, 2);
    // Some numbers still have eight digits today. Those that begin with less than 6 are landlines.
    const subscriber = national.slice(2).replace(/^9(?=\d{8}$)/, '');
    return /^[6-9]/.test(subscriber) ? [`55${area}9${subscriber}`, `55${area}${subscriber}`] : [`55${national}`];
  },
};

/** Countries where a 0 is dialled before each number, and never from abroad. */
const TRUNK_ZERO = new Set<CountryCode>(
  ['AE', 'AT', 'AU', 'BE', 'CH', 'DE', 'EG', 'FR', 'GB', 'GH', 'ID', 'IE', 'IL', 'IN', 'JP', 'KE', 'KR', 'MA'].concat([
    'NG',
    'NL',
    'NZ',
    'PH',
    'PK',
    'SA',
    'SE',
    'TH',
    'TR',
    'UA',
    'VN',
    'ZA',
    'AR',
    'BR',
  ]) as CountryCode[],
);

/** Numbers with which the simulator does something else than with others. */
const SPECIAL = /9990\d{3}$/;
const SEPARATORS = ['', '', '', ' ', '-', '.', '/', '\u00a0', '\u202f', '\u2011', '\u2013', '\u200b'];
/** A zero behind the last dot would be a decimal place, and few digits behind the last slash other extensions. */
const isAmbiguous = (text: string): boolean => /\.0\D*$|\/(?:[^\d/]*\d){1,3}\D*$/.test(text);
const fullWidth = (text: string): string =>
  text.replace(/[0-9+]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));

/** A valid mobile number of a country, as libphonenumber sees it. */
const mobileNumber = (country: CountryCode): fc.Arbitrary<PhoneNumber> => {
  const { callingCode, mobile, fixed } = planOf(country);
  const range = mobile ?? fixed;
  if (range === null) throw new Error(`${country} has no mobile numbers`);
  return fc
    .stringMatching(range.pattern)
    .map((national) => parsePhoneNumber(`+${callingCode}${national}`))
    .filter(
      (number): number is PhoneNumber =>
        number?.country === country &&
        number.isValid() &&
        /MOBILE/.test(number.getType() ?? '') &&
        !SPECIAL.test(number.number) &&
        // What is dialled as 390… in Italy may also be a landline there with its country code.
        !(country === 'IT' && number.nationalNumber.startsWith('39')),
    );
};

/** Ways to write one spelling for readers anywhere. */
function international(digits: string, separators: readonly string[]): string[] {
  const code = planOf(parsePhoneNumber(`+${digits}`)?.country ?? 'US').callingCode;
  const separated = [...digits].map((digit, index) => digit + (separators[index] ?? '')).join('');
  return [
    digits,
    `+${digits}`,
    `00${digits}`,
    `tel:+${digits}`,
    `'${digits}`,
    `\u202a+${digits}\u202c`,
    ` \u200e+${digits} `,
    fullWidth(`+${digits}`),
    `+${code} (${digits.slice(code.length, code.length + 2)}) ${digits.slice(code.length + 2)}`,
    ...(isAmbiguous(separated) ? [] : [`+${separated}`, `00${separated}`, separated]),
  ];
}

/** A person of a country. */
export const personIn = (country: CountryCode): fc.Arbitrary<SpelledPerson> =>
  fc
    .tuple(mobileNumber(country), fc.array(fc.constantFrom(...SEPARATORS), { minLength: 15, maxLength: 15 }))
    .map(([number, separators]) => {
      const { nationalNumber, countryCallingCode } = number;
      const today = `${countryCallingCode}${nationalNumber}`;
      const numbers = NETWORK[country]?.(nationalNumber) ?? [today];
      const trunk = TRUNK_ZERO.has(country) ? `(0)${nationalNumber}` : null;
      const national = number.formatNational();
      return {
        country,
        numbers: [today, ...numbers.filter((spelling) => spelling !== today)],
        international: [
          number.formatInternational(),
          number.format('RFC3966'),
          ...(trunk === null ? [] : [`+${countryCallingCode} ${trunk}`, `00${countryCallingCode}${trunk}`]),
          ...numbers.flatMap((spelling) => international(spelling, separators)),
        ],
        national: [
          national,
          national.replace(/\D/g, ''),
          `'${national}`,
          national.replaceAll(' ', '\u00a0'),
          `\u2068${national}\u2069`,
          ...numbers.flatMap((spelling) => [spelling, spelling.slice(countryCallingCode.length)]),
        ],
      };
    });

/** All writings of a person's number. */
export const writingsOf = ({ country, international, national }: SpelledPerson): Writing[] => [
  ...international.map((text) => ({ text, country: null })),
  ...national.map((text) => ({ text, country })),
];

/** A person, and by which of the spellings they come. */
export interface DrawnPerson extends SpelledPerson {
  readonly choices: readonly number[];
}

const CHOICES = 24;
export const drawnIn = (country: CountryCode): fc.Arbitrary<DrawnPerson> =>
  fc
    .tuple(personIn(country), fc.array(fc.nat(9999), { minLength: CHOICES, maxLength: CHOICES }))
    .map(([person, choices]) => ({ ...person, choices }));

/** One person of each country. */
export const everywhere: fc.Arbitrary<DrawnPerson[]> = fc.tuple(...COUNTRIES.map(drawnIn));

/** What a person chooses of several things. */
export const pick = <T>(all: readonly [T, ...T[]], { choices }: DrawnPerson, turn: number): T =>
  all[(choices[turn % CHOICES] ?? 0) % all.length] ?? all[0];
