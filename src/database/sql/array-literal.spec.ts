import { arrayLiteral } from './array-literal.js';

describe('an array literal', () => {
  it.each([
    ['nothing', [], '{}'],
    [
      'ids and numbers',
      ['01a2006b-2863-7142-80d9-479710243351', 7, -1.5],
      '{01a2006b-2863-7142-80d9-479710243351,7,-1.5}',
    ],
    ['booleans and missing values', [true, false, null, undefined], '{true,false,NULL,NULL}'],
    ['the word null as a string', ['null', 'NULL', 'nullable'], '{"null","NULL",nullable}'],
    ['an empty string', [''], '{""}'],
    [
      'separators, quotes, backslashes and line breaks',
      ['a,b', '{c}', 'say "x"', 'back\\slash', 'two\nlines'],
      '{"a,b","{c}","say \\"x\\"","back\\\\slash","two\nlines"}',
    ],
    ['other scripts', ['Grüße, 世界'], '{"Grüße, 世界"}'],
    ['times', [new Date('2026-01-31T09:30:00.125Z')], '{2026-01-31T09:30:00.125Z}'],
  ])('writes %s', (_, values, literal) => {
    expect(arrayLiteral(values)).toBe(literal);
  });

  it.each([
    ['an object', [{ a: 1 }]],
    ['bytes', [Buffer.from('a')]],
    ['an array', [['a']]],
  ])('leaves %s to the driver', (_, values) => {
    expect(arrayLiteral(values)).toBeNull();
  });
});
