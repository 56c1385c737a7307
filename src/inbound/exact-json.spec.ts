import fc from 'fast-check';
import { parseExactJson } from './exact-json.js';

/** JSON as written, and what it must be read as. */
interface Sample {
  readonly json: string;
  readonly value: unknown;
}

const of = (value: unknown): Sample => ({ json: JSON.stringify(value), value });
const space = fc.constantFrom('', '', ' ', '\n\t', '\r\n  ');
/** Strings that look like the surroundings of a number, with quotes, backslashes and digits. */
const text = fc
  .array(fc.constantFrom('"', '\\', ':', ',', '[', ' ', '-', '12345678901234567890', '9007199254740993', 'é', '\u2028'))
  .map((pieces) => pieces.join(''));
const integer = fc
  .bigInt({ min: -(10n ** 40n), max: 10n ** 40n })
  .map((value) => ({ json: String(value), value: isSafe(value) ? Number(value) : String(value) }));
const isSafe = (value: bigint): boolean => value <= 2n ** 53n - 1n && value >= -(2n ** 53n - 1n);
const edge = fc
  .tuple(fc.constantFrom(1n, -1n), fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }))
  .map(([sign, value]) => sign * value)
  .map((value) => ({ json: String(value), value: isSafe(value) ? Number(value) : String(value) }));
const written = fc
  .constantFrom('1e400', '-1E30', '12345678901234567890.5', '12345678901234567890e2', '-0', '0.1e-7', '-0.0')
  .map((json) => ({ json, value: JSON.parse(json) as unknown }));
const leaf: fc.Arbitrary<Sample> = fc.oneof(
  integer,
  edge,
  written,
  text.map(of),
  fc.string().map(of),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((value) => !Number.isInteger(value))
    .map((value) => ({ json: JSON.stringify(value), value })),
  fc.constantFrom(true, false, null).map(of),
);

const { document } = fc.letrec<{ document: Sample }>((tie) => ({
  document: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.tuple(space, fc.array(tie('document'), { maxLength: 5 })).map(([gap, items]) => ({
      json: `[${gap}${items.map(({ json }) => json).join(`${gap},${gap}`)}${gap}]`,
      value: items.map(({ value }) => value),
    })),
    fc
      .tuple(space, fc.dictionary(fc.oneof(text, fc.string()), tie('document'), { maxKeys: 5 }))
      .map(([gap, members]) => ({
        json: `{${Object.entries(members)
          .map(([key, { json }]) => `${gap}${JSON.stringify(key)}${gap}:${gap}${json}`)
          .join(',')}${gap}}`,
        value: Object.fromEntries(Object.entries(members).map(([key, { value }]) => [key, value])),
      })),
  ),
}));

describe('exact JSON', () => {
  it('keeps the digits of integers beyond 2^53, and reads all else as JSON.parse does', async () => {
    await fc.assert(
      fc.asyncProperty(document, space, async ({ json, value }, gap) => {
        expect(await parseExactJson(`${gap}${json}${gap}`)).toEqual(value);
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses what JSON.parse refuses, also where large integers stand', async () => {
    const broken = [
      '',
      '{',
      '01234567890123456789',
      '{12345678901234567890:1}',
      '[12345678901234567890',
      '"12345678901234567890',
    ];
    for (const json of broken) await expect(parseExactJson(json)).rejects.toThrow(SyntaxError);
    await fc.assert(
      fc.asyncProperty(
        document,
        fc.nat(),
        fc.constantFrom('', '"', '\\', '0', ',', '1'),
        async ({ json }, at, replacement) => {
          const position = at % json.length;
          const odd = json.slice(0, position) + replacement + json.slice(position + 1);
          const refuses = async (parse: (text: string) => unknown): Promise<boolean> => {
            try {
              await parse(odd);
              return false;
            } catch {
              return true;
            }
          };
          expect(await refuses(parseExactJson)).toBe(await refuses(JSON.parse));
        },
      ),
    );
  });

  it('reads megabytes of backslashes, quotes and digits', async () => {
    const million = 1_000_000;
    for (const body of ['\\\\'.repeat(million), '\\"'.repeat(million), ':9'.repeat(million), '9'.repeat(million)]) {
      expect(await parseExactJson(`["${body}",12345678901234567890]`)).toEqual([
        JSON.parse(`"${body}"`),
        '12345678901234567890',
      ]);
    }
    expect(await parseExactJson(`[${'1'.repeat(million)}]`)).toEqual(['1'.repeat(million)]);
  });
});
