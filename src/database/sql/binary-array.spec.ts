import { binaryArray } from './binary-array.js';

/** Header of a one-dimensional array: null flag, element type, length. */
const header = (nulls: number, oid: number, length: number): string =>
  [1, nulls, oid, length, 1].map((value) => value.toString(16).padStart(8, '0')).join('');

describe('a binary array', () => {
  it.each([
    ['booleans', 'boolean', [true, false], `${header(0, 16, 2)}00000001010000000100`],
    ['numbers', 'int', [1, -2], `${header(0, 23, 2)}000000040000000100000004fffffffe`],
    [
      'large and negative numbers',
      'bigint',
      [2 ** 40, -1],
      `${header(0, 20, 2)}00000008000001000000000000000008ffffffffffffffff`,
    ],
    ['text of any script, with lengths in bytes', 'text', ['', 'ß'], `${header(0, 25, 2)}0000000000000002c39f`],
    [
      'times, in microseconds since 2000',
      'timestamptz',
      [new Date('2000-01-01T00:00:00.001Z'), new Date('1999-12-31T23:59:59.999Z')],
      `${header(0, 1184, 2)}0000000800000000000003e800000008fffffffffffffc18`,
    ],
    [
      'ids',
      'uuid',
      ['01a2006b-2863-7142-80d9-47971024335F'],
      `${header(0, 2950, 1)}0000001001a2006b2863714280d947971024335f`,
    ],
    ['missing values', 'int', [null, undefined], `${header(1, 23, 2)}ffffffffffffffff`],
    ['nothing', 'uuid', [], '000000000000000000000b86'],
  ])('writes %s', (_, type, values, bytes) => {
    expect(binaryArray(type, values)?.toString('hex')).toBe(bytes);
  });

  it.each([
    ['an unknown type', 'jsonb', ['{}']],
    ['a name on Object.prototype', 'constructor', ['a']],
    ['an id that is too short', 'uuid', ['01a2006b']],
    ['an id with a letter beyond f', 'uuid', ['01a2006b-2863-7142-80d9-47971024335g']],
    ['an id with a non-ASCII letter', 'uuid', ['01a2006b-2863-7142-80d9-47971024335ß']],
    ['an id without dashes', 'uuid', ['01a2006b0286307142080d904797102433501']],
    ['a fraction', 'int', [0.5]],
    ['a number that is too large', 'int', [2 ** 31]],
    ['a number beyond the safe integers', 'bigint', [2 ** 60]],
    ['a number as text', 'text', [1]],
    ['a time as text', 'timestamptz', ['2026-01-01']],
    ['an invalid date', 'timestamptz', [new Date(Number.NaN)]],
  ])('leaves %s alone', (_, type, values) => {
    expect(binaryArray(type, values)).toBeNull();
  });
});
