import fc from 'fast-check';
import type { ContactRow } from '../../people/contact-columns.js';
import {
  exportHeader,
  exportLine,
  isKnownColumn,
  type ReadRow,
  readHeader,
  readRow,
  rulesOf,
  settleRow,
} from './contact-csv.js';
import { RecordSplitter } from './csv-records.js';
import type { CsvRecord } from './read-record.js';

const header = readHeader(['phone_number', 'first_name', 'last_name', 'email', 'company', 'tags', 'opted_in']);
const record = (cells: readonly string[], line = 2, fault: string | null = null): CsvRecord => ({ line, cells, fault });
const row = (...cells: string[]) =>
  readRow(header, record([...cells, ...Array<string>(7 - cells.length).fill('')]), null);

describe('the header of an import', () => {
  it('names contact fields in any order and case, among other columns', () => {
    expect([...readHeader(['id', ' First_Name ', 'notes', 'PHONE_NUMBER']).columns]).toEqual([
      ['first_name', 1],
      ['phone_number', 3],
    ]);
  });

  it.each([
    [' Phone_Number ', true],
    ['\u200ephone_number', true],
    ['\u2060\ufeff phone_number\u200b', true],
    ['created_at', true],
    ['opted_in', true],
    ['phone number', false],
    ['', false],
  ])('knows the column %j: %s', (cell, isKnown) => {
    expect(isKnownColumn(cell)).toBe(isKnown);
  });

  it('must have phone_number (400)', () => {
    expect(() => readHeader(['first_name'])).toThrow('with the column phone_number');
  });

  it('must not have a column twice (400)', () => {
    expect(() => readHeader(['phone_number', 'email', 'Email'])).toThrow('the header has the column email twice');
  });
});

describe('a row of an import', () => {
  it('reads empty cells as null, which leaves the stored value unchanged', () => {
    expect(row('4915112345678')).toEqual({
      line: 2,
      given: '4915112345678',
      phoneNumber: '4915112345678',
      ifKnown: null,
      firstName: null,
      lastName: null,
      email: null,
      company: null,
      tags: null,
      optedIn: null,
    });
  });

  it.each([
    '+49 151 1234-5678',
    '0049.151.12345678',
    '(49) 151 12345678',
    "'+4915112345678",
    "'4915112345678",
    "'tel:+4915112345678",
  ])('normalises the phone %s', (phone) => {
    expect(row(phone)).toMatchObject({ phoneNumber: '4915112345678' });
  });

  it.each([
    ['vip,gold', ['vip', 'gold']],
    ['vip; gold', ['vip', 'gold']],
    ['vip|gold|', ['vip', 'gold']],
    ['["a,b","c"]', ['a,b', 'c']],
    ['[draft', ['[draft']],
  ])('reads the tags %j', (cell, tags) => {
    expect(row('4915112345678', '', '', '', '', cell)).toMatchObject({ tags });
  });

  it.each([
    ['true', true],
    ['FALSE', false],
    ['yes', true],
    ['No', false],
    ['1', true],
    ['0', false],
    // As Excel saves them in other languages.
    ['WAHR', true],
    ['FALSCH', false],
    ['VRAI', true],
    ['FAUX', false],
    ['DOĞRU', true],
    ['YANLIŞ', false],
    ['ИСТИНА', true],
    ['ЛОЖЬ', false],
  ])('reads opted_in %s', (cell, optedIn) => {
    expect(row('4915112345678', '', '', '', '', '', cell)).toMatchObject({ optedIn });
  });

  it.each([
    [[''], 'phone_number is required'],
    [['banana'], 'phone_number is not a possible phone number with country code'],
    [['4915112345678', 'a'.repeat(257)], 'first_name must be at most 256 characters (got 257)'],
    [['4915112345678', '', 'a'.repeat(257)], 'last_name must be at most 256 characters (got 257)'],
    [['4915112345678', '', '', 'nobody'], 'email must be an email address'],
    [['4915112345678', '', '', '', 'a'.repeat(257)], 'company must be at most 256 characters (got 257)'],
    [['4915112345678', '', '', '', '', 'a'.repeat(65)], 'a tag must be at most 64 characters (got 65)'],
    [['4915112345678', '', '', '', '', 'a,'.repeat(101)], 'tags must have at most 100 entries (got 101)'],
    [['4915112345678', '', '', '', '', '["\\u0000"]'], 'tags must not contain NUL characters'],
    [['4915112345678', '', '', '', '', '', 'maybe'], 'opted_in must be true or false'],
    [['4915112345678', '', '', '', '', '', 'y'.repeat(257)], 'opted_in must be true or false'],
    [['4915112345678', '', '', '', '', 't'.repeat(38_801)], 'tags must be at most 38800 characters (got 38801)'],
    [['4915112345678', 'a\u0000b'], 'the row must not contain NUL characters'],
  ])('with %j is reported', (cells, error) => {
    expect(row(...cells)).toEqual({ line: 2, phoneNumber: cells[0], error });
  });

  it('may have NULs at the end of its cells, and anywhere in those that are not read', () => {
    expect(row('4915112345678\u0000', 'Ada\u0000\u0000')).toEqual(row('4915112345678', 'Ada'));
    const wide = readHeader(['phone_number', 'first_name', 'notes']);
    expect(readRow(wide, record(['4915112345678', 'Ada', 'a\u0000b']), null)).toMatchObject({ firstName: 'Ada' });
  });

  it.each([
    ['phone_number', ["'=".repeat(10_000)], 64],
    ['first_name', ['4915112345678', "'=".repeat(10_000)], 256],
    ['company', ['4915112345678', '', '', '', "'=".repeat(10_000)], 256],
  ])('with a %s far beyond its limit is reported before its apostrophes are read', (field, cells, max) => {
    expect(row(...cells)).toMatchObject({ error: `${field} must be at most ${max} characters (got 20000)` });
  });

  it('may have a name of full length with an apostrophe before each character', () => {
    const name = '=,'.repeat(128);
    expect(row('4915112345678', `'${"=,'".repeat(128).slice(0, -1)}`)).toMatchObject({ firstName: name });
  });

  it('may have fewer cells than the header; the rest is empty', () => {
    expect(readRow(header, record(['4915112345678', 'Ada']), null)).toEqual(row('4915112345678', 'Ada'));
    expect(readRow(readHeader(['first_name', 'phone_number']), record(['Ada'], 9), null)).toMatchObject({
      line: 9,
      error: 'phone_number is required',
    });
  });

  it('may have more cells than the header if they are blank', () => {
    const cells = ['4915112345678', 'Ada', '', '', '', '', '', '', ' ', ''];
    expect(readRow(header, record(cells), null)).toEqual(row('4915112345678', 'Ada'));
    expect(readRow(header, record([...cells, 'x'], 9), null)).toEqual({
      line: 9,
      phoneNumber: '4915112345678',
      error: 'the row has 11 cells, the header has 7',
    });
  });

  it('with a fault of the file is reported with the number in front of it', () => {
    const fault = 'cell 2 has a stray quote';
    expect(readRow(header, record(['4915112345678'], 7, fault), null)).toEqual({
      line: 7,
      phoneNumber: '4915112345678',
      error: fault,
    });
    expect(readRow(header, record([], 7, fault), null)).toEqual({ line: 7, phoneNumber: '', error: fault });
  });

  it.each([
    [['4915112345678', 'a\nb'.repeat(64), '', '', '', 'vip'], true],
    [['4915112345678', 'a'.repeat(257)], false],
    [['4915112345678', 'a', 'b', 'c@example.com', '', '', '', 'x', 'y'], false],
    [['4915112345678', '', '', 'a@example.com\nb'], false],
    [['4915112345678', '', '', '', '', '', 'true\nfalse'], false],
    [['banana'], false],
    [[''], false],
  ])('%j is faultless: %s', (cells, isFaultless) => {
    expect(rulesOf(header, 'DE').isFaultless(cells)).toBe(isFaultless);
  });

  it('with a doubtful number is not faultless', () => {
    expect(rulesOf(header, null).isFaultless(['49015112345678', 'a'])).toBe(false);
  });

  it.each([
    ['4915112345678', true],
    ['"+49 (0) 151 1234-5678"', true],
    ["'0711 2345678\r", true],
    ['', false],
    ['123456', false],
    ['Room 12345678', false],
    [`4915112345678${' '.repeat(60)}`, false],
  ])('%j may be a number: %s', (cell, isKey) => {
    expect(rulesOf(header, null).isKey(cell)).toBe(isKey);
  });

  it('with digits that only a contact makes a number gets one or is reported', () => {
    const read = row('49015112345678') as ReadRow;
    expect(read).toMatchObject({ phoneNumber: null, ifKnown: '49015112345678' });
    expect(settleRow(read, new Set(['49015112345678']), null)).toMatchObject({ phoneNumber: '49015112345678' });
    expect(settleRow(read, new Set(), 'DE')).toEqual({
      line: 2,
      phoneNumber: '49015112345678',
      error: 'phone_number is not a possible phone number in DE or with country code',
    });
  });
});

describe('an export', () => {
  const contact: ContactRow = {
    id: '0199aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee',
    firstName: '=Ada',
    lastName: 'Love "lace"',
    phoneNumber: '4915112345678',
    userId: 'DE.1',
    username: 'ada',
    email: null,
    company: 'A, B',
    tags: ['vip', 'gold'],
    optedIn: false,
    source: 'api',
    createdAt: new Date('2026-01-02T03:04:05.678Z'),
  };

  it("has the contact's field names as columns", () => {
    expect(exportHeader()).toBe('id,first_name,last_name,phone_number,email,company,tags,opted_in,source,created_at\n');
  });

  it('has a line for each contact, safe from formula injection', () => {
    expect(exportLine(contact)).toBe(
      '0199aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee,\'=Ada,"Love ""lace""",4915112345678,,"A, B","vip,gold",false,api,2026-01-02T03:04:05.678Z\n',
    );
  });

  it('leaves the cell of a hidden number empty', () => {
    expect(exportLine({ ...contact, phoneNumber: null })).toContain(',"Love ""lace""",,,');
  });

  it('of any contacts creates nobody else, and changes nothing', () => {
    const text = fc
      .array(
        fc.constantFrom(
          'a',
          ' ',
          ',',
          ';',
          '"',
          '\n',
          '\r\n',
          '\r',
          "'",
          '=',
          ',4915112345600,',
          '\n,Eve,,4915112345600,,,,true,,\n',
        ),
        { maxLength: 8 },
      )
      .map((parts) => `x${parts.join('')}y`);
    const contacts = fc.array(
      fc.record({
        firstName: text,
        lastName: text,
        company: text,
        tags: fc.array(
          text.filter((tag) => tag.length <= 64),
          { maxLength: 4 },
        ),
        isHidden: fc.boolean(),
      }),
      { minLength: 1, maxLength: 4 },
    );
    const columns = readHeader(exportHeader().trim().split(','));
    fc.assert(
      fc.property(contacts, (given) => {
        const rows = given.map(({ isHidden, ...texts }, at) => ({
          ...contact,
          ...texts,
          phoneNumber: isHidden ? null : `491511234567${at}`,
        }));
        const split = new RecordSplitter(',', rulesOf(columns, null));
        const read = [...split.split(rows.map(exportLine).join(''), true)].map((one) => readRow(columns, one, null));
        expect(read).toMatchObject(
          rows.map(({ phoneNumber, firstName, lastName, company, tags }) =>
            phoneNumber === null
              ? { error: 'phone_number is required' }
              : { phoneNumber, firstName, lastName, company, tags: tags.length === 0 ? null : tags },
          ),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('writes tags so that they read back the same', () => {
    const tag = fc.string({
      minLength: 1,
      maxLength: 8,
      unit: fc.constantFrom('a', ' ', ',', ';', '|', '\t', '[', '"', "'", '=', '＝'),
    });
    fc.assert(
      fc.property(fc.array(tag, { minLength: 1, maxLength: 4 }), (tags) => {
        const line = exportLine({ ...contact, firstName: 'A', lastName: 'B', company: 'C', tags });
        const quoted = /C,("(?:[^"]|"")*"|[^,]*),false/.exec(line)?.[1] ?? '';
        const cell = quoted.startsWith('"') ? quoted.slice(1, -1).replaceAll('""', '"') : quoted;
        expect(row('4915112345678', '', '', '', '', cell)).toMatchObject({ tags });
      }),
    );
  });
});
