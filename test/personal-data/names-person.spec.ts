import fc from 'fast-check';
import { createDataSource } from '../../src/database/connections/data-source.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { PersonTokens } from '../../src/values/redaction.js';
import { workerDatabase } from '../support/database.js';

const TOKENS = ['4915112345678', 'us.13491208655302741918', 'ada.lindgrove@example.test', 'jürg@example.test'];

/** Pieces of texts: tokens, what nearly is one, and everything that ends or continues a word. */
const PIECES = [
  ...['4915112345678', 'US.13491208655302741918', 'Ada.Lindgrove@example.test', 'ADA.lindgrove', '@example.test'],
  ...['1', '123456', 'US.', 'US', 'us.1', '_', '.', '..', '@', '+', '-', '/', '\\', 'a', 'Z', 'é', 'İ', '\u212a', 'ſ'],
  ...[' ', '\n', '\t', '\v', '\u00a0', '\u2003', '\u2028', '\ufeff', '\u0085', '\u200b', '"', "'", '<', '>', '(', ')'],
  ...['[', ']', '{', '}', ',', ';', ':', '🔑', '日本'],
  ...['%', '%2', '%20', '%2b', '%40', '%00', '%C3%BC', '%c3', '%E2%80%93', '%ED%A0%80', '%F0%9F%94%91', '%ff', '%25'],
  ...['/', '?', '#', '&', '=', '%34915112345678', 'Ada%2ELindgrove%40example.test', 'j%C3%BCrg', '%61da.lindgrove'],
];

describe('names_person', () => {
  let unitOfWork: UnitOfWork;
  let end: () => Promise<void>;
  beforeAll(async () => {
    const dataSource = await createDataSource({ url: await workerDatabase(), poolSize: 1 }).initialize();
    unitOfWork = new UnitOfWork(dataSource);
    end = () => dataSource.destroy();
  });
  afterAll(() => end());

  /** Which of the texts name a person, as PostgreSQL sees it. */
  async function named(texts: readonly string[]): Promise<boolean[]> {
    const rows = await unitOfWork.autocommit.rows<{ named: boolean }>(
      'SELECT names_person(body, $2::text[]) AS named FROM unnest($1::text[]) WITH ORDINALITY AS t (body, n) ORDER BY n',
      [texts, TOKENS],
    );
    return rows.map((row) => row.named);
  }

  it.each([
    ['{"from":"4915112345678"}', true],
    ['call +4915112345678.', true],
    ['{"user_id":"US.13491208655302741918"}', true],
    ['write to Ada.Lindgrove@example.test, please', true],
    ['<ada.lindgrove@example.test>', true],
    ['mailto:ada.lindgrove@example.test.', true],
    ['4915112345678@c.us', true],
    [`${'a'.repeat(100)}4915112345678`, true],
    ['https://shop.example/?q=call%204915112345678', true],
    ['https://shop.example/?q=%E2%80%934915112345678', true],
    ['https://shop.example/?mail=ada.lindgrove%40example.test', true],
    ['https://shop.example/ada.lindgrove@example.test#x', true],
    ['https://shop.example/?mail=%22j%C3%BCrg@example.test%22', true],
    ['https://shop.example/?mail=%6A%c3%bcrg%40example.test.', true],
    ['100%4915112345678', true],
    ['{"from":"14915112345678"}', false],
    ['https://shop.example/?q=call%20%314915112345678', false],
    ['https://shop.example/?mail=x.ada.lindgrove%40example.test', false],
    ['https://shop.example/?q=%FF%20%C3%4', false],
    ['US.134912086553027419180', false],
    ['bada.lindgrove@example.test', false],
    ['ada.lindgrove@example.test.org', false],
    ['Ada Lindgrove', false],
  ])('of %j is %s', async (body, expected) => {
    expect(await named([body])).toEqual([expected]);
    expect(new PersonTokens(TOKENS).areNamedIn(body)).toBe(expected);
  });

  it('finds the same people as the service in any text', async () => {
    const people = new PersonTokens(TOKENS);
    const text = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 100, maxLength: 200 }), async (texts) => {
        expect(await named(texts)).toEqual(texts.map((each) => people.areNamedIn(each)));
      }),
      { numRuns: 60 },
    );
  });
});
