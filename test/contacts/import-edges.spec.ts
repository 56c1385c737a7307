import type { ContactRecord } from '../../src/contacts/dto/contact.dto.js';
import type { ContactsResponse } from '../../src/contacts/dto/contact-responses.dto.js';
import type { ImportResponse } from '../../src/contacts/dto/import-response.dto.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account();
});

const upload = (raw: string | Uint8Array, type = 'text/csv') =>
  account.api.post<ImportResponse & { error?: string }>('/api/v1/contacts/import', undefined, {
    raw,
    headers: { 'content-type': type },
  });
const page = async (query = 'limit=100') =>
  (await account.api.get<ContactsResponse>(`/api/v1/contacts/?${query}`)).body;
const byPhone = async () =>
  new Map((await page()).contacts.map((contact): [string, ContactRecord] => [contact.phone_number ?? '', contact]));

const HEADER = 'phone_number,first_name';
const BOM = '\ufeff';

describe('an import is rejected (400) with the reason and without changes', () => {
  const good = () => `${HEADER}\n${uniquePhone()},Ada\n`;

  it.each([
    ['no body at all', () => '', 'the file is empty'],
    ['a byte order mark alone', () => BOM, 'the file is empty'],
    ['blank lines alone', () => `${BOM}\r\n \r\n,,\r\n`, 'the file is empty'],
    ['a column twice', () => `${HEADER},First_Name\n`, 'the header has the column first_name twice'],
    ['no header', () => `${uniquePhone()},Ada\n`, 'the first line must be a header'],
    ['a quote in its header that is never closed', () => `"${good()}`, 'the header is not valid CSV: cell 1'],
  ])('for %s', async (_, file, message) => {
    const { status, body } = await upload(file());
    expect(status).toBe(400);
    expect(body).toEqual({ error: 'bad_request', message: expect.stringContaining(message) });
    expect(await page()).toMatchObject({ contacts: [], total: 0 });
  });
});

describe('an import reports by line', () => {
  const [ada, eve] = [uniquePhone(), uniquePhone()];
  const stray = (cell: number) =>
    `cell ${cell} has a stray quote: a cell with quotes must begin and end with one, and have those within it doubled`;
  const alien = (encoding: string) => `the row has characters that are not in ${encoding}, as the rest of the file is`;
  const broken = (...bytes: number[]) =>
    Buffer.concat([Buffer.from(`${HEADER}\n${ada},Zoë\n1,`), Buffer.of(...bytes), Buffer.from(`\n${eve},Eve\n`)]);

  it.each([
    ['a quote in a plain cell', () => `${HEADER}\n${ada},Zoë\n1,A"da\n${eve},Eve\n`, stray(2)],
    ['text behind a closing quote', () => `${HEADER}\n${ada},Zoë\n1,"Ada" x\n${eve},Eve\n`, stray(2)],
    ['a quote that is never closed', () => `${HEADER}\n${ada},Zoë\n1,"Ada\n${eve},Eve\n`, stray(2)],
    ['a quote that another one closes', () => `${HEADER}\n${ada},"Zoë"\n1,"Ada\n${eve},"Eve"\n`, stray(2)],
    ['an overlong form of UTF-8', () => broken(0xc0, 0xaf), alien('UTF-8')],
    ['a surrogate in UTF-8', () => broken(0xed, 0xa0, 0x80), alien('UTF-8')],
    ['a letter of Latin-1 in UTF-8', () => broken(0xeb), alien('UTF-8')],
    [
      'half a pair in UTF-16',
      () => Buffer.from(`${BOM}${HEADER}\n${ada},Zoë\n1,\ud800\n${eve},Eve\n`, 'utf16le'),
      alien('UTF-16LE'),
    ],
  ])('%s, and imports the others', async (_, file, error) => {
    const { body } = await upload(file());
    expect(body).toMatchObject({ created: 2, failed: 1, errors: [{ line: 3, phone_number: '1', error }] });
    const stored = await byPhone();
    expect(stored.get(ada)).toMatchObject({ first_name: 'Zoë' });
    expect(stored.get(eve)).toMatchObject({ first_name: 'Eve' });
  });

  it('a row of more than a mebibyte, but none for its length alone', async () => {
    const notes = 'x'.repeat(1_000_000);
    const row = (phone: string, length: number) => `${phone},Ada,"${notes.slice(0, length)}\n"\n`;
    const file = `${HEADER},notes\n${row(ada, 70_000)}${row('1', 1_000_000)}2,Bea,${notes}${notes}\n${row(eve, 1_000_000)}`;
    const { body } = await upload(file);
    expect(body).toMatchObject({ created: 2, failed: 2 });
    expect(body.errors).toEqual([
      { line: 4, phone_number: '1', error: 'phone_number is not a possible phone number with country code' },
      { line: 6, phone_number: '2', error: 'the row has more than 1048576 characters' },
    ]);
  });

  it('a cell that swallowed others, and imports those', async () => {
    const rows = Array.from({ length: 20 }, () => `${uniquePhone()},Ada\n`);
    const { body } = await upload(`${HEADER}\n${ada},"Bea\n${rows.join('')}${eve},Eve"\n`);
    expect(body).toMatchObject({ created: 20, failed: 2 });
    expect(body.errors).toMatchObject([
      { line: 2, phone_number: ada, error: expect.stringContaining('line 3 looks like a row') },
      { line: 23, phone_number: eve, error: stray(2) },
    ]);
  });

  it.each([
    ['in rows that are short', '4915,"Ann\n<bea>,Bea\n1,Cid"\n', 'line 3 looks like a row'],
    ['and more cells than the header', '4915,Ann,"\n<bea>,Bea\n",1,2\n', 'the row has 5 cells'],
    [
      'in an e-mail address',
      '4915,Ann,"a@example.com,x\n<bea>,Bea,,\n1,Cid,b@example.com",x\n',
      'line 3 looks like a row',
    ],
  ])('a quote that is closed too late, %s, and imports what it swallowed', async (_, rows, fault) => {
    const bea = uniquePhone();
    const file = `${HEADER},email,notes\n${rows.replace('4915', ada).replace('<bea>', bea)}`;
    const { body } = await upload(file);
    expect(body.errors[0]).toMatchObject({ line: 2, phone_number: ada, error: expect.stringContaining(fault) });
    expect((await byPhone()).get(bea)).toMatchObject({ first_name: 'Bea' });
  });

  it.each([
    ['a number', '0151 1234567,Ann,,"numbers:\n<bea>,Bea\nprivate"\n', 'not a possible phone number'],
    ['an e-mail address', '4915,Ann,nobody,"numbers:\n<bea>,Bea,,x\nprivate"\n', 'email must be'],
    ['an e-mail address of several lines', '4915,Ann,"a@example.com\n<bea>,Bea\n1,Cid",x\n', 'email must be'],
    ['a name', `4915,${'x'.repeat(300)},,"\n<bea>,Bea,,x\n"\n`, 'first_name must be at most 256'],
  ])(
    'a row with a note of several lines and a fault in %s, and imports nobody from the note',
    async (_, rows, fault) => {
      const bea = uniquePhone();
      const { body } = await upload(`${HEADER},email,notes\n${rows.replace('4915', ada).replace('<bea>', bea)}`);
      expect(body).toMatchObject({
        created: 0,
        failed: 1,
        errors: [{ line: 2, error: expect.stringContaining(fault) }],
      });
      expect((await byPhone()).has(bea)).toBe(false);
    },
  );
});

it('an import takes a note whose lines look like rows for a note', async () => {
  const [ann, bob, cy] = [uniquePhone(), uniquePhone(), uniquePhone()];
  const { body } = await upload(`${HEADER},notes\n${ann},Ann,"Family:\n${bob},Bob,son\n${cy},Cy,son\n"\n`);
  expect(body).toMatchObject({ created: 1, failed: 0, errors: [] });
  expect([...(await byPhone()).keys()]).toEqual([ann]);
});

it('an import of our own export creates nobody whom a name lists', async () => {
  const [ann, eve] = [uniquePhone(), uniquePhone()];
  const name = `x\n,Eve,,${eve},,,,true,,\ny`;
  await account.api.post('/api/v1/contacts/', { phone_number: ann, first_name: name });
  const { text: file } = await account.api.get('/api/v1/contacts/export');
  expect((await upload(file)).body).toMatchObject({ created: 0, updated: 1, failed: 0 });
  const stored = await byPhone();
  expect([...stored.keys()]).toEqual([ann]);
  expect(stored.get(ann)?.first_name).toBe(name);
});

it('an import takes a note of several lines for one, whatever numbers and commas it has', async () => {
  const [ada, eve] = [uniquePhone(), uniquePhone()];
  const note = `"Main St 1, back yard,\n12345 Berlin, Germany\n${eve}, ask for Bob\n\n${eve}"`;
  for (const [header, row] of [
    [`${HEADER},notes`, `${ada},Ada,${note}`],
    [`phone_number,notes,first_name`, `${ada},${note},Ada`],
    [`notes,phone_number,first_name`, `${note},${ada},Ada`],
  ]) {
    const { body } = await upload(`${header}\n${row}\n`);
    expect(body).toMatchObject({ failed: 0, errors: [] });
  }
  expect([...(await byPhone()).keys()]).toEqual([ada]);
});

describe('an import', () => {
  it('accepts lines that end with CR only, and an unterminated last line', async () => {
    const [first, second] = [uniquePhone(), uniquePhone()];
    expect((await upload(`${HEADER}\r${first},Ada\r${second},"Gr\race"`)).body).toMatchObject({
      created: 2,
      failed: 0,
    });
    expect((await byPhone()).get(second)).toMatchObject({ first_name: 'Gr\race' });
  });

  it('accepts a header in any case and order, quoted, with spaces, unknown columns and a byte order mark', async () => {
    const phone = uniquePhone();
    const { body } = await upload(`${BOM}" Nickname ";" FIRST_NAME";"Phone_Number "\n"x";"Ada";"${phone}"\n`);
    expect(body).toMatchObject({ created: 1, failed: 0 });
    expect((await byPhone()).get(phone)).toMatchObject({ first_name: 'Ada', last_name: null });
  });

  it('accepts 100,000 rows and rejects 100,001, valid or not', async () => {
    const phone = uniquePhone();
    const most = await upload(`${HEADER}\n${'x,y\n'.repeat(99_999)}${phone},Ada\n`);
    expect(most.body).toMatchObject({ status: 'success', created: 1, updated: 0, failed: 99_999 });
    expect(most.body.errors).toHaveLength(1000);
    expect(most.body.errors.at(-1)).toMatchObject({ line: 1001, phone_number: 'x' });
    expect(most.headers.has('x-ignored-fields')).toBe(false);
    const more = await upload(`${HEADER}\n${'x,y\n'.repeat(99_999)}${uniquePhone()},Ada\n${uniquePhone()},Eve\n`);
    expect(more).toMatchObject({
      status: 400,
      body: { error: 'bad_request', message: 'the file must have at most 100000 rows' },
    });
    expect((await page()).total).toBe(1);
  });

  it('accepts cells at the character limit and reports longer ones by line', async () => {
    const [phone, mail] = [
      uniquePhone(),
      `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.com`,
    ];
    const row = (name: string, email: string, tag: string) => `${phone},${name},${name},${name},${email},${tag}\n`;
    const file = [
      'phone_number,first_name,last_name,company,email,tags\n',
      row('😀'.repeat(256), mail, 't'.repeat(64)),
      row('😀'.repeat(257), '', ''),
      row('', `a${mail}`, ''),
      row('', '', 't'.repeat(65)),
      row('', '', 'a|'.repeat(101)),
    ];
    const { body } = await upload(file.join(''));
    expect(body).toMatchObject({ created: 1, updated: 0, failed: 4 });
    expect(body.errors).toEqual([
      { line: 3, phone_number: phone, error: 'first_name must be at most 256 characters (got 257)' },
      { line: 4, phone_number: phone, error: 'email must be at most 254 characters (got 255)' },
      { line: 5, phone_number: phone, error: 'a tag must be at most 64 characters (got 65)' },
      { line: 6, phone_number: phone, error: 'tags must have at most 100 entries (got 101)' },
    ]);
    expect((await byPhone()).get(phone)).toMatchObject({ first_name: '😀'.repeat(256), email: mail });
  });

  it('merges rows of one number in several notations; empty cells do not overwrite', async () => {
    const phone = uniquePhone();
    const [code, rest] = [phone.slice(0, 2), phone.slice(2)];
    const file = `phone_number,first_name,email,opted_in
+${phone},Ada,,
00${code} ${rest},,ada@example.com,false
(${code}) ${rest.slice(0, 4)}-${rest.slice(4)},Augusta,,
${code}.${rest},,,
`;
    expect((await upload(file)).body).toMatchObject({ created: 1, updated: 3, failed: 0 });
    expect((await byPhone()).get(phone)).toMatchObject({
      first_name: 'Augusta',
      email: 'ada@example.com',
      opted_in: false,
    });
    expect((await page()).total).toBe(1);
  });

  it('reports every row of a number that never has a first name', async () => {
    const phone = uniquePhone();
    const { body } = await upload(`${HEADER}\n${phone},\n+${phone}, \n`);
    const error = 'first_name is required for a new contact';
    expect(body).toMatchObject({
      created: 0,
      failed: 2,
      errors: [
        { line: 2, phone_number: phone, error },
        { line: 3, phone_number: `+${phone}`, error },
      ],
    });
    expect((await page()).total).toBe(0);
  });

  it('reports a number that only libphonenumber knows to be impossible', async () => {
    const { body } = await upload(`${HEADER}\n9991234567,Ada\n49151,Ada\n`);
    const error = 'phone_number is not a possible phone number with country code';
    expect(body).toMatchObject({
      failed: 2,
      errors: [
        { line: 2, error },
        { line: 3, error },
      ],
    });
  });

  it('creates separate contacts from the same file in another account', async () => {
    const file = `${HEADER}\n${uniquePhone()},Ada\n`;
    await upload(file);
    const [first] = (await page()).contacts;
    account = await world.account();
    expect((await upload(file)).body).toMatchObject({ created: 1, updated: 0 });
    expect((await page()).contacts[0]?.id).not.toBe(first?.id);
  });
});

it('lists each contact of one import, all created at the same moment, on exactly one page', async () => {
  const rows = Array.from({ length: 45 }, () => `${uniquePhone()},Ada\n`);
  await upload(`${HEADER}\n${rows.join('')}`);
  const pages = await Promise.all([1, 2, 3, 4, 5].map((number) => page(`limit=10&page=${number}`)));
  const ids = pages.flatMap(({ contacts }) => contacts.map(({ id }) => id));
  expect(pages.map(({ contacts }) => contacts.length)).toEqual([10, 10, 10, 10, 5]);
  expect(ids).toEqual([...new Set(ids)].sort().reverse());
});

describe('an export', () => {
  it.each(['=1+1', '+49', '-2', '@SUM(A1)', '\tx', "'=x"])(
    'guards %j from spreadsheets, in every text',
    async (text) => {
      const phone_number = uniquePhone();
      const fields = { first_name: text, last_name: text, company: text, tags: [text] };
      await account.api.post('/api/v1/contacts/', { phone_number, ...fields });
      const { text: file } = await account.api.get('/api/v1/contacts/export');
      const [, line] = file.split('\n');
      expect(line).toContain(`,'${text},'${text},${phone_number},,'${text},`);
      expect((await upload(file)).body).toMatchObject({ created: 0, updated: 1, failed: 0 });
      expect((await byPhone()).get(phone_number)).toMatchObject(fields);
    },
  );

  it('never contains contacts of another account', async () => {
    const phone_number = uniquePhone();
    await account.api.post('/api/v1/contacts/', { phone_number, first_name: 'Ada' });
    const { text } = await (await world.account()).api.get('/api/v1/contacts/export');
    expect(text).not.toContain(phone_number);
  });
});
