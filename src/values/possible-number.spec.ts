import fc from 'fast-check';
import parsePhoneNumber, { getCountries, getCountryCallingCode } from 'libphonenumber-js/max';
import { isSpelledByNetwork } from './number-key.js';
import { type Country, planOf } from './numbering-plans.js';
import { isPhoneNumber } from './phone-number.js';
import { isPossibleNumber, isUnitedStatesNumber, LIKELIHOOD, likelihoodOf, readNational } from './possible-number.js';
import { readNumber } from './written-number.js';

const COUNTRIES = getCountries();
const CODES = [...new Set(COUNTRIES.map((country) => getCountryCallingCode(country)))];
const STARTS = ['0', '00', '1', '01', '5', '8', '80', '9', '90'];

const digits = (least: number, most: number) =>
  fc.array(fc.nat(9), { minLength: least, maxLength: most }).map((all) => all.join(''));

/** What the library says about international digits, if all of them belong to the number. */
function byLibrary(number: string): number {
  const parsed = parsePhoneNumber(`+${number}`);
  if (!parsed?.isPossible() || parsed.number !== `+${number}`) return LIKELIHOOD.impossible;
  if (!parsed.isValid()) return LIKELIHOOD.possible;
  return /MOBILE/.test(parsed.getType() ?? '') ? LIKELIHOOD.mobile : LIKELIHOOD.valid;
}

const judged = (number: string) => [number, isPossibleNumber(number), likelihoodOf(number)];
const judgedByLibrary = (number: string) => {
  const likelihood = isSpelledByNetwork(number) ? LIKELIHOOD.mobile : byLibrary(number);
  return [number, likelihood > LIKELIHOOD.impossible, likelihood];
};

/** National numbers of a country: of possible lengths and around, most with a beginning that its plan knows. */
const nationalOf = (country: Country) => {
  const lengths = [...planOf(country).lengths];
  const valid = [planOf(country).fixed, planOf(country).mobile]
    .filter((range) => range !== null)
    .map(({ pattern }) => fc.stringMatching(new RegExp(pattern.source)));
  return fc.oneof(...valid, digits(Math.min(...lengths) - 1, Math.max(...lengths) + 2));
};

describe('the shortcuts', () => {
  it('say of any international number what libphonenumber says', () => {
    const numbers = fc.oneof(
      { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...CODES), digits(3, 13)).map((parts) => parts.join('')) },
      {
        weight: 4,
        arbitrary: fc
          .constantFrom(...COUNTRIES)
          .chain((country) => nationalOf(country).map((national) => getCountryCallingCode(country) + national)),
      },
      digits(7, 15).map((all) => all.replace(/^0/, '1')),
    );
    fc.assert(
      fc.property(numbers, (number) => {
        const cut = number.slice(0, 15);
        expect(judged(cut)).toEqual(judgedByLibrary(cut));
      }),
      { numRuns: 2000 },
    );
  });

  it('agree for every calling code at every length, and after every digit that may be a national prefix', () => {
    const numbers = CODES.flatMap((code) =>
      STARTS.flatMap((start) =>
        Array.from({ length: 9 }, (_, index) => (code + start).padEnd(7 + index, '2').slice(0, 7 + index)),
      ),
    );
    expect(numbers.map(judged)).toEqual(numbers.map(judgedByLibrary));
  });

  it('read of national numbers what libphonenumber reads', () => {
    const prefix = fc.constantFrom('', '', '0', '1', '8', '01', '06', '00', '011');
    const numbers = fc
      .constantFrom(...COUNTRIES)
      .chain((country) =>
        fc.tuple(fc.constant(country), prefix, nationalOf(country)).map(([, ...parts]) => [country, parts.join('')]),
      );
    fc.assert(
      fc.property(numbers as fc.Arbitrary<[Country, string]>, ([country, number]) => {
        const expected = parsePhoneNumber(number, country)?.number.slice(1) ?? null;
        expect([country, number, readNational(number, country)]).toEqual([country, number, expected]);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a number of any country', () => {
  const SEPARATORS = ['', ' ', '-', '.', '/', ' (', ') ', '\u00a0', '\u2011', '\u2212', '\u3000', '\u200b', '\u200e'];
  const FRONTS = ['+', '00', '', 'tel:+', "'+", "'", '(+', '\u202a+', ' \u2066+', '\uff0b', '+ ', '00 '];
  /** Pairs of brackets around the whole. */
  const AROUND = [
    ['', ''],
    ['', ''],
    ['(', ')'],
    ['[ ', ']'],
    ['\uff08', ' \uff09 '],
  ] as const;

  /** A text of an international number, and its digits. */
  const written = fc
    .constantFrom(...COUNTRIES)
    .chain((country) =>
      fc.tuple(
        nationalOf(country).map((national) => getCountryCallingCode(country) + national),
        fc.constantFrom(...FRONTS),
        fc.array(fc.constantFrom(...SEPARATORS), { minLength: 20, maxLength: 20 }),
        fc.constantFrom(...AROUND),
      ),
    )
    .map(([number, front, separators, [open, close]]) => {
      const spaced = front + [...number].map((digit, index) => digit + (separators[index] ?? '')).join('');
      // The marks of other programs come first.
      if (open === '' || front.startsWith('tel:') || front.startsWith("'")) return { number, spaced, text: spaced };
      // A bracket without its partner would take the one that closes the whole.
      const paired = spaced.replace(/\(([^()]*)\)|[()]/g, (found, within) => (within === undefined ? ' ' : found));
      return { number, spaced: paired, text: open + paired + close };
    })
    // A lone zero in brackets is a trunk prefix, a zero behind the last dot a decimal place, and few digits behind the last
    // slash, or some in brackets at the end, are those of other extensions.
    .filter(({ spaced }) => !/\([^\d]*0[^\d]*\)|\.0[^\d]*$|\/(?:[^\d/]*\d){1,3}[^\d]*$|\)[^\d]*$/.test(spaced));

  it('is what libphonenumber reads in the text, whatever the spelling; or nothing, if it drops a digit', () => {
    fc.assert(
      fc.property(written, ({ number, text }) => {
        const parsed = parsePhoneNumber(`+${text.replace(/\p{Cf}/gu, '').replace(/^\D*(?:00)?/, '')}`);
        const isRead = parsed?.isPossible() === true && parsed.number === `+${number}`;
        const isStorable = /^[1-9]\d{6,14}$/.test(number);
        expect([text, readNumber(text).number]).toEqual([
          text,
          isStorable && (isRead || isSpelledByNetwork(number)) ? number : null,
        ]);
      }),
      { numRuns: 2000 },
    );
  });

  it('stays the same when it is read again', () => {
    const texts = fc.tuple(written, fc.constantFrom(null, ...COUNTRIES), fc.constantFrom('', '0', '8', '00'));
    fc.assert(
      fc.property(texts, ([{ text }, country, prefix]) => {
        const { number } = readNumber(prefix + text, country);
        if (number !== null) expect(readNumber(number)).toEqual({ number, ifKnown: null });
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps its trunk zero only where it belongs to the number', () => {
    const numbers = fc
      .constantFrom(...COUNTRIES)
      .chain((country) => nationalOf(country).map((national) => [getCountryCallingCode(country), national] as const));
    fc.assert(
      fc.property(numbers, ([code, national]) => {
        const { number, ifKnown } = readNumber(`+${code} (0) ${national}`);
        expect(ifKnown).toBeNull();
        const [kept, dropped] = [`${code}0${national}`, code + national];
        const read = parsePhoneNumber(`+${code} (0) ${national}`)?.number.slice(1);
        const isDropped = read === dropped && isPossibleNumber(dropped) && isPhoneNumber(dropped);
        const isKept = read === kept && likelihoodOf(kept) >= LIKELIHOOD.valid && isPhoneNumber(kept);
        expect([code, national, number]).toEqual([code, national, isDropped ? dropped : isKept ? kept : null]);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('numbers of the United States', () => {
  it.each(['14155550123', '12015550123', '19005551234'])('include %s', (digits) => {
    expect(isUnitedStatesNumber(digits)).toBe(true);
  });

  it.each([
    ['14165551234', 'Canada'],
    ['17875551234', 'Puerto Rico'],
    ['18005551234', 'toll-free'],
    ['18885551234', 'toll-free'],
    ['15550001234', 'nowhere'],
    ['1415555012', 'too short'],
    ['4915112345678', 'Germany'],
  ])('do not include %s (%s)', (digits) => {
    expect(isUnitedStatesNumber(digits)).toBe(false);
  });
});
