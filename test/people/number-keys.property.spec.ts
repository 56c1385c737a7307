import fc from 'fast-check';
import { numberKey, spellingsOf } from '../../src/values/number-key.js';
import { World } from '../support/world.js';
import { COUNTRIES, personIn } from './spelled-people.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
});
afterAll(() => world.stop());

/** What both sides say of many numbers: the database in one query. */
const byDatabase = (numbers: readonly string[]) =>
  world.unitOfWork.autocommit.rows<{ number: string; key: string; spellings: string }>(
    `SELECT number, number_key(number) AS key, number_spellings(number) AS spellings
     FROM unnest($1::text[]) WITH ORDINALITY AS given (number, place) ORDER BY place`,
    [numbers],
  );
const expectSame = async (numbers: readonly string[]) => {
  const rows = await byDatabase(numbers);
  const shown = rows.map(({ number, key, spellings }) => [number, key, ...spellings.split('\x1f')]);
  expect(shown).toEqual(numbers.map((number) => [number, numberKey(number), ...spellingsOf(number)]));
};

const STARTS = [
  '52',
  '521',
  '54',
  '549',
  '55',
  '5511',
  '55119',
  '5599',
  '229',
  '22901',
  '2290',
  '225',
  '49',
  '1',
  '5',
  '2',
];
const digits = fc.array(fc.nat(9), { maxLength: 15 }).map((all) => all.join(''));
/** Numbers of 7 to 15 digits, most with a beginning that a rule looks at. */
const number = fc
  .tuple(fc.constantFrom(...STARTS), fc.constantFrom('', '9', '6', '5', '1', '01', '0'), digits)
  .map((parts) => parts.join('').slice(0, 15))
  .filter((all) => all.length >= 7);
const mobile = fc
  .constantFrom(...COUNTRIES)
  .chain(personIn)
  .chain(({ numbers }) => fc.constantFrom(...numbers));

describe('key and spellings of a number', () => {
  it('are the same in the database', async () => {
    const many = fc.array(fc.oneof(number, mobile), { minLength: 500, maxLength: 500, size: 'max' });
    await fc.assert(fc.asyncProperty(many, expectSame), { numRuns: 10, endOnFailure: true });
  });

  it('are the same for every beginning at every length, and for what is no number', async () => {
    const tails = ['', '9', '6', '5', '1', '01', '0'];
    const numbers = STARTS.flatMap((start) =>
      tails.flatMap((tail) => Array.from({ length: 17 }, (_, length) => (start + tail).padEnd(length, '7'))),
    );
    await expectSame([
      ...numbers,
      '',
      '+525512345678',
      '52 5512345678',
      '525512345678\n',
      'US.525512345678',
      '٥٢5512345678',
    ]);
  });

  it('are the same for all spellings of a person, and for no two people', () => {
    // A number, and the same with some digits more or less where the spellings differ.
    const alike = fc
      .tuple(fc.oneof(number, mobile), fc.nat(5), fc.nat(2), fc.constantFrom('', '1', '9', '01', '19', '99'))
      .map(([one, at, without, inserted]) => [one, one.slice(0, at) + inserted + one.slice(at + without)] as const);
    fc.assert(
      fc.property(alike, ([one, other]) => {
        const spellings = spellingsOf(one);
        const keys = [one, other].map(numberKey);
        const shown = [spellings.map(spellingsOf), spellings.map(numberKey), spellings.includes(other)];
        expect([one, other, shown]).toEqual([
          one,
          other,
          [spellings.map(() => spellings), spellings.map(() => spellings[0]), keys[0] === keys[1]],
        ]);
      }),
      { numRuns: 2000 },
    );
  });
});
