import fc from 'fast-check';
import { getCountries, getCountryCallingCode, isPossiblePhoneNumber } from 'libphonenumber-js/max';
import { isPossibleNumber } from './possible-number.js';

const CODES = [...new Set(getCountries().map((country) => getCountryCallingCode(country)))];

const digits = (least: number, most: number) =>
  fc.array(fc.nat(9), { minLength: least, maxLength: most }).map((all) => all.join(''));

describe('isPossibleNumber', () => {
  it('agrees with libphonenumber on any number', () => {
    const codes = fc.constantFrom(...CODES);
    const numbers = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.tuple(codes, digits(3, 13)).map(([code, national]) => (code + national).slice(0, 15)),
      },
      digits(7, 15).map((all) => all.replace(/^0/, '1')),
    );
    fc.assert(
      fc.property(numbers, (number) => {
        expect([number, isPossibleNumber(number)]).toEqual([number, isPossiblePhoneNumber(`+${number}`)]);
      }),
      { numRuns: 3000 },
    );
  });

  it('agrees for every calling code at every length, and after every digit that may be a national prefix', () => {
    const numbers = CODES.flatMap((code) =>
      ['0', '00', '1', '01', '5', '8', '80', '9', '90'].flatMap((start) =>
        Array.from({ length: 9 }, (_, index) => (code + start).padEnd(7 + index, '2').slice(0, 7 + index)),
      ),
    );
    expect(numbers.filter((number) => isPossibleNumber(number) !== isPossiblePhoneNumber(`+${number}`))).toEqual([]);
  });
});
