import fc from 'fast-check';
import { jsonFault } from './json-fault.js';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('the fault of a JSON text', () => {
  it.each([
    ['{"code": 4829x1}', 1, 14],
    ['{"code": c4829}', 1, 10],
    ['{"code": 04829}', 1, 11],
    ["{'code': 1}", 1, 2],
    ['{code: 1}', 1, 2],
    ['{"a" 1}', 1, 6],
    ['{"a":1,}', 1, 8],
    ['{,}', 1, 2],
    ['[1,]', 1, 4],
    ['[1 2]', 1, 4],
    ['[1}', 1, 3],
    ['{"a":1]', 1, 7],
    ['{"a":tru}', 1, 9],
    ['{"a":1.}', 1, 8],
    ['{"a":1e+}', 1, 9],
    ['{"a":-}', 1, 7],
    ['{"a":"\\q"}', 1, 8],
    ['{"a":"\\u12g4"}', 1, 11],
    ['{}{}', 1, 3],
    [']', 1, 1],
    ['first_name=Ada', 1, 2],
    ['{"a":"one\ntwo"}', 1, 10],
    ['{\r\n  "a": 1,\r\n  "b": two\r\n}', 3, 9],
  ])('in %j is at line %i, column %i', async (text, line, column) => {
    expect(await jsonFault(text)).toBe(`unexpected character at line ${line}, column ${column}`);
  });

  it.each([
    '',
    ' ',
    '{',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '[',
    '[1,',
    '"a',
    '"a\\',
    '"\\u00',
    '-',
    '1.',
    '2e',
    'nul',
  ])('in %j is its end', async (text) => {
    expect(await jsonFault(text)).toBe('it ends too early');
  });

  const json = fc.tuple(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 1)).map(([value, space]) => {
    return JSON.stringify(value, null, space);
  });
  const part = fc.constantFrom(
    '',
    ',',
    ':',
    '[',
    ']',
    '{',
    '}',
    '"',
    '\\',
    '0',
    '-',
    '.',
    'e',
    'u',
    ' ',
    '\n',
    '\0',
    'é',
  );
  const broken = fc.tuple(json, fc.nat(), part, fc.nat({ max: 2 })).map(([text, at, more, dropped]) => {
    const cut = at % (text.length + 1);
    return text.slice(0, cut) + more + text.slice(cut + dropped);
  });
  const soup = fc.array(fc.oneof(part, fc.constantFrom('true', 'null', '"a"', '1'))).map((parts) => parts.join(''));
  const any = fc.oneof(json, broken, soup);

  it('is found exactly where JSON.parse refuses the text', async () => {
    await fc.assert(
      fc.asyncProperty(any, async (text) => {
        expect([text, (await jsonFault(text)) === null]).toEqual([text, isJson(text)]);
      }),
      { numRuns: 3000 },
    );
  });

  it('is the first character after which nothing makes the text JSON', async () => {
    await fc.assert(
      fc.asyncProperty(any, async (text) => {
        const [, line, column] = /line (\d+), column (\d+)$/.exec((await jsonFault(text)) ?? '') ?? [];
        if (line === undefined) return;
        const lines = text.split('\n');
        const before = lines.slice(0, Number(line) - 1).reduce((sum, one) => sum + one.length + 1, 0);
        const at = before + Number(column) - 1;
        expect(await jsonFault(text.slice(0, at + 1))).toBe(`unexpected character at line ${line}, column ${column}`);
        expect([null, 'it ends too early']).toContain(await jsonFault(text.slice(0, at)));
      }),
      { numRuns: 2000 },
    );
  });

  it('is found however long and deep the text is', async () => {
    expect(await jsonFault('['.repeat(200_000))).toBe('it ends too early');
    expect(await jsonFault(`[${'"a",\n'.repeat(200_000)}x]`)).toBe('unexpected character at line 200001, column 1');
  });
});
