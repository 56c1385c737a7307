import fc from 'fast-check';
import { parseJson, parsePlainJson } from './json-text.js';

const parse = (text: string): Promise<unknown> => parseJson(text, 'contacts');
const many = (count: number, item: string): string => Array(count).fill(item).join(',');

describe('JSON bodies', () => {
  it('are read as JSON.parse reads them', async () => {
    const field = fc.oneof(fc.constant('contacts'), fc.string());
    const body = fc.dictionary(field, fc.jsonValue({ maxDepth: 4 }));
    const spaced = fc.tuple(body, fc.constantFrom(undefined, 1, '\t'));
    await fc.assert(
      fc.asyncProperty(spaced, async ([value, space]) => {
        const text = JSON.stringify(value, null, space);
        expect(await parse(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    ['{"contacts":[]}', { contacts: [] }],
    ['{"contacts":[ ] ,"a":1}', { contacts: [], a: 1 }],
    ['{"contacts":[1,"]",{"contacts":[2]}],"a":[3]}', { contacts: [1, ']', { contacts: [2] }], a: [3] }],
    ['{"contacts":[1],"contacts":[2,3]}', { contacts: [2, 3] }],
    ['{"a":"contacts","b":["\\"",2]}', { a: 'contacts', b: ['"', 2] }],
    ['["contacts",[1]]', ['contacts', [1]]],
    ['12', 12],
  ])('%s', async (text, value) => {
    expect(await parse(text)).toEqual(value);
  });

  it.each([
    '{"contacts":[1,2}',
    '{"contacts":[1,2',
    '{"contacts":[1,,2]}',
    '{"contacts":[1,]}',
    '{"contacts":[,]}',
    '{"contacts":[1 2]}',
    '{"contacts":[1]',
    '{"contacts":[{]}',
    '{"a":"',
    ']]',
  ])('refuse %s', async (text) => {
    await expect(parse(text)).rejects.toThrow(SyntaxError);
  });

  it.each([
    ['values', `{"tags":[${many(20_000, '1')}]}`, 'at most 20000 values'],
    ['lists', `{"tags":[${many(20_000, '[]')}]}`, 'at most 20000 values'],
    ['fields', `{${Array.from({ length: 1001 }, (_, index) => `"${index}":1`).join(',')}}`, 'more than 1000 fields'],
    ['levels', '['.repeat(33), 'nested at most 32 levels'],
    ['values in an entry', `{"contacts":[{"a":[${many(1001, '1')}]}]}`, 'each entry of contacts must contain at most'],
    ['entries', `{"contacts":[${many(20_001, '1')}]}`, 'contacts must have at most 20000 entries'],
  ])('may not have too many %s', async (_, text, message) => {
    await expect(parse(text)).rejects.toThrow(message);
  });

  it('may have ten thousand entries with values of their own', async () => {
    const text = `{"contacts":[${many(10_000, '{"phone":"1","body_data":{"1":"a","2":"b"}}')}]}`;
    expect(await parse(text)).toEqual(JSON.parse(text));
  });
});

describe('plain JSON bodies', () => {
  const nested = (depth: number): string => `${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`;
  const json = fc.oneof(
    fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value)),
    fc
      .dictionary(fc.constantFrom('contacts', '__proto__', 'constructor', 'a"b'), fc.jsonValue({ maxDepth: 2 }))
      .map((value) => JSON.stringify(value)),
    fc.integer({ min: 0, max: 40 }).map(nested),
    fc.integer({ min: 0, max: 1500 }).map((count) => `{"contacts":[${many(count, '1')}]}`),
  );
  const broken = fc.tuple(json, fc.nat(), fc.constantFrom('', ',', ']', '}', '"', '\\')).map(([text, at, more]) => {
    const cut = at % (text.length + 1);
    return text.slice(0, cut) + more + text.slice(cut + 1);
  });

  it('are what parseJson makes of them, or are left to it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(json, broken), async (text) => {
        const plain = parsePlainJson(text);
        if (plain === undefined) return;
        expect(plain).toEqual(await parse(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('are most bodies', () => {
    expect(parsePlainJson('{"template_name":"hello","contact_phone":"4915112345678","body_data":{"1":"Ada"}}')).toEqual(
      {
        template_name: 'hello',
        contact_phone: '4915112345678',
        body_data: { '1': 'Ada' },
      },
    );
  });

  it.each([
    '{"__proto__":1}',
    '{"a":{"constructor":1}}',
    '{"a":"\\u0000"}',
    nested(17),
    `"${'x'.repeat(2000)}"`,
    '{',
    '',
  ])('are not %s', (text) => {
    expect(parsePlainJson(text)).toBeUndefined();
  });
});
