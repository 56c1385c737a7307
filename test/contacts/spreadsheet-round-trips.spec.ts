import iconv from 'iconv-lite';
import type { ContactRecord } from '../../src/contacts/dto/contact.dto.js';
import type { ContactsResponse } from '../../src/contacts/dto/contact-responses.dto.js';
import type { ImportResponse } from '../../src/contacts/dto/import-response.dto.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';

// Exports on their way through spreadsheet programs, which read and write CSV by rules of their own.

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
});
afterAll(() => world.stop());

const MARK = '\ufeff';

/** How a program reads a file into cells, and saves them. */
interface Program {
  readonly read: (file: Buffer) => string;
  readonly separator: string;
  readonly lineEnd: string;
  /** Which cells get quotes, apart from those with the separator, a quote or a line break. */
  readonly quotes?: RegExp;
  readonly truths?: readonly [yes: string, no: string];
  /** How a number of more than eleven digits in a cell without a format of its own is shown, and saved. */
  readonly shortens?: boolean;
  readonly encode: (text: string) => Buffer;
}

const utf8 = (text: string): Buffer => Buffer.from(text);
const withMark = (text: string): Buffer => Buffer.from(MARK + text);
const readUtf8 = (file: Buffer): string => file.toString('utf8').replace(MARK, '');
/** Excel takes a file without a mark for Windows-1252. */
const readAsExcel = (file: Buffer): string =>
  file.subarray(0, 3).equals(Buffer.from(MARK)) ? readUtf8(file) : iconv.decode(file, 'windows-1252');

const EXCEL = { read: readAsExcel, lineEnd: '\r\n' };
const PROGRAMS: readonly (readonly [name: string, program: Program])[] = [
  ['Excel, as CSV UTF-8', { ...EXCEL, separator: ',', truths: ['TRUE', 'FALSE'], encode: withMark }],
  ['German Excel, as CSV UTF-8', { ...EXCEL, separator: ';', truths: ['WAHR', 'FALSCH'], encode: withMark }],
  [
    'French Excel, as CSV of Windows',
    {
      ...EXCEL,
      separator: ';',
      truths: ['VRAI', 'FAUX'],
      encode: (text) => iconv.encode(text, 'windows-1252'),
    },
  ],
  [
    'Excel, as Unicode text',
    {
      ...EXCEL,
      separator: '\t',
      quotes: /,/,
      truths: ['TRUE', 'FALSE'],
      encode: (text) => Buffer.from(MARK + text, 'utf16le'),
    },
  ],
  ['LibreOffice', { read: readUtf8, separator: ',', lineEnd: '\n', encode: utf8 }],
  [
    'LibreOffice, with every text in quotes',
    { read: readUtf8, separator: ';', lineEnd: '\n', quotes: /^(?!\d+$)./s, encode: utf8 },
  ],
  [
    'LibreOffice, in UTF-16',
    { read: readUtf8, separator: ',', lineEnd: '\n', encode: (text) => Buffer.from(MARK + text, 'utf16le') },
  ],
  ['Google Sheets', { read: readUtf8, separator: ',', lineEnd: '\r\n', truths: ['TRUE', 'FALSE'], encode: utf8 }],
];

/** The cells of a file that Parley wrote. */
const rowsOf = (text: string): string[][] =>
  [...text.matchAll(/((?:"(?:[^"]|"")*"|[^",\n]*)(?:,(?:"(?:[^"]|"")*"|[^",\n]*))*)\n/g)].map(([, line = '']) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",\n]*))/g)].map(
      ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
    ),
  );

function saved(cells: string[][], { separator, lineEnd, quotes, truths, shortens, encode }: Program): Buffer {
  const written = (cell: string): string => {
    const text = truths === undefined ? cell : cell.replace(/^true$/, truths[0]).replace(/^false$/, truths[1]);
    const shown = shortens && /^\d{12,}$/.test(text) ? Number(text).toExponential(5).toUpperCase() : text;
    const isQuoted = shown.includes(separator) || /["\r\n]/.test(shown) || quotes?.test(shown);
    return isQuoted ? `"${shown.replaceAll('"', '""')}"` : shown;
  };
  return encode(cells.map((row) => row.map(written).join(separator) + lineEnd).join(''));
}

const exported = async (): Promise<Buffer> => {
  const headers = { authorization: `Bearer ${account.api.apiKey}` };
  return Buffer.from(await (await fetch(`${world.baseUrl}/api/v1/contacts/export`, { headers })).arrayBuffer());
};
const contacts = async (): Promise<ContactRecord[]> => {
  const { body } = await account.api.get<ContactsResponse>('/api/v1/contacts/?limit=100');
  return body.contacts.map((contact) => ({ ...contact })).sort((a, b) => (a.id < b.id ? -1 : 1));
};
const imported = async (raw: Buffer) =>
  (
    await account.api.post<ImportResponse>('/api/v1/contacts/import', undefined, {
      raw: new Uint8Array(raw),
      headers: { 'content-type': 'text/csv' },
    })
  ).body;

describe.each(PROGRAMS)('an export that is opened and saved by %s', (_, program) => {
  it('imports without a change', async () => {
    account = await world.account();
    const people = [
      { first_name: 'Jürgen', last_name: 'Groß–Œuvre', company: 'Müller, “Söhne”; Co – 5 €', opted_in: true },
      { first_name: '=1+1', company: 'a "quoted" name', tags: ['vip', 'a,b'], opted_in: false },
      { first_name: 'Zoë', company: 'two\nlines', email: 'zoe@example.test', tags: ['neu'] },
    ];
    for (const person of people) {
      const { body } = await account.api.post('/api/v1/contacts/', { phone_number: uniquePhone(), ...person });
      expect(body['status']).toBe('success');
    }
    const before = await contacts();
    const file = saved(rowsOf(program.read(await exported())), program);
    expect(await imported(file)).toMatchObject({ created: 0, updated: people.length, failed: 0, errors: [] });
    expect(await contacts()).toEqual(before);
  });

  it('names the numbers that it has shortened, and changes nobody', async () => {
    account = await world.account();
    const phone_number = uniquePhone();
    await account.api.post('/api/v1/contacts/', { phone_number, first_name: 'Jürgen' });
    const before = await contacts();
    const file = saved(rowsOf(program.read(await exported())), { ...program, shortens: true });
    const error = 'phone_number is not a possible phone number with country code';
    expect(await imported(file)).toMatchObject({ updated: 0, failed: 1, errors: [{ line: 2, error }] });
    expect(await contacts()).toEqual(before);
  });
});

it('a file that Excel is told the separator of imports', async () => {
  account = await world.account();
  const phone = uniquePhone();
  const file = Buffer.from(`sep=;\r\nphone_number;first_name\r\n${phone};Jürgen\r\n`);
  expect(await imported(file)).toMatchObject({ created: 1, failed: 0 });
  expect(await contacts()).toMatchObject([{ phone_number: phone, first_name: 'Jürgen' }]);
});

it.each([
  [
    'semicolons and commas in a quoted name',
    (p: string) => `phone_number;first_name;"Notes, internal, sales, service"\n${p};Ann;x\n`,
  ],
  ['a blank line in front', (p: string) => `\r\nphone_number;first_name\r\n${p};Ann\r\n`],
  ['a blank row in front', (p: string) => `;;\r\nphone_number;first_name;\r\n${p};Ann;\r\n`],
])('a file with %s imports', async (_, file) => {
  account = await world.account();
  const phone = uniquePhone();
  expect(await imported(Buffer.from(file(phone)))).toMatchObject({ created: 1, failed: 0 });
  expect(await contacts()).toMatchObject([{ phone_number: phone, first_name: 'Ann' }]);
});
