import type { CreateCampaignResponse } from '../../src/campaigns/dto/create-campaign.dto.js';
import type { ContactsResponse } from '../../src/contacts/dto/contact-responses.dto.js';
import type { ImportResponse } from '../../src/contacts/dto/import-response.dto.js';
import { badRequest } from '../campaigns/campaigns.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, World } from '../support/world.js';

let world: World;
let account: TestAccount;
let template: { name: string };
beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account();
  template = await approvedTemplate(world, account);
});

const IMPORT = '/api/v1/contacts/import';

const upload = (raw: string, query = '', headers: Record<string, string> = {}) =>
  account.api.post<ImportResponse & { message: string }>(IMPORT + query, undefined, {
    raw,
    headers: { 'content-type': 'text/csv', ...headers },
  });
/** Imports one contact for each number, as written. */
const importNumbers = (numbers: readonly string[], query = '') =>
  upload(`phone_number,first_name\n${numbers.map((number) => `"${number}",Ada\n`).join('')}`, query);
const campaign = (phones: readonly string[], fields: Record<string, unknown> = {}) =>
  account.api.post<CreateCampaignResponse & { message: string }>('/api/v1/campaigns/', {
    name: 'Spring',
    template_name: template.name,
    contacts: phones.map((phone) => ({ phone })),
    ...fields,
  });
const addContact = async (phone_number: string) =>
  expect((await account.api.post('/api/v1/contacts/', { phone_number, first_name: 'Ada' })).status).toBe(201);
/** The numbers of the account's contacts, sorted. */
const stored = async () => {
  const { body } = await account.api.get<ContactsResponse>('/api/v1/contacts/?limit=100');
  return body.contacts.map(({ phone_number }) => phone_number).sort();
};
const exported = async () => (await account.api.get('/api/v1/contacts/export')).text;

/** Numbers as people write them, and as they are stored. */
const WRITTEN: readonly (readonly [kind: string, numbers: readonly string[], stored: readonly string[]])[] = [
  [
    'a trunk zero in brackets',
    ['+44 (0)20 7946 0364', '+49 (0) 1512 0921176', '+39 02 1234567'],
    ['39021234567', '442079460364', '4915120921176'],
  ],
  [
    'invisible direction marks',
    ['\u202a+4915120921172\u202c', '4915120921173\u200b', '\u20664915120921174\u2069'],
    ['4915120921172', '4915120921173', '4915120921174'],
  ],
  [
    'the marks of other programs',
    ["'15551270008", 'tel:+49-1512-0921172', '0049/1512/0921173', '+49\u00a01512\u202f0921174'],
    ['15551270008', '4915120921172', '4915120921173', '4915120921174'],
  ],
  [
    'the spelling of WhatsApp',
    ['+52 1 55 1234 5679', '525512345680', '22997123456', '22507123456', '551187650077'],
    ['22507123456', '22997123456', '5215512345679', '525512345680', '551187650077'],
  ],
];

describe.each(WRITTEN)('numbers with %s', (_, numbers, expected) => {
  it('are imported', async () => {
    expect((await importNumbers(numbers)).body).toMatchObject({ created: numbers.length, failed: 0, errors: [] });
    expect(await stored()).toEqual(expected);
  });

  it('are recipients of a campaign', async () => {
    expect((await campaign(numbers)).body).toMatchObject({ total_contacts: numbers.length, invalid_phones: [] });
    expect(await stored()).toEqual(expected);
  });
});

describe('numbers of which something would have to be dropped', () => {
  const INVALID = ['+49 0151 12345678', '4.9151E+12', '4915112345678.0', '+49 151 12345678 ext. 5', '0151 12345678'];

  it('are reported by an import, as given', async () => {
    const { body } = await importNumbers(INVALID);
    const error = 'phone_number is not a possible phone number with country code';
    expect(body).toMatchObject({
      created: 0,
      failed: INVALID.length,
      errors: INVALID.map((phone_number, index) => ({ line: index + 2, phone_number, error })),
    });
  });

  it('are named by a campaign, among others and alone (400)', async () => {
    const { body } = await campaign([...INVALID, '4915112345679']);
    expect(body).toMatchObject({ total_contacts: 1, invalid_phones: INVALID });
    const { status, body: refused } = await campaign(INVALID);
    expect({ status, message: refused.message }).toEqual({
      status: 400,
      message: `contacts has no valid phone number (got ${INVALID.join(', ')})`,
    });
  });

  it('mean a contact that has all their digits', async () => {
    await addContact('49015112345678');
    expect((await importNumbers(['49015112345678', '49015112345679'])).body).toMatchObject({
      created: 0,
      updated: 1,
      errors: [{ line: 3, phone_number: '49015112345679' }],
    });
    expect((await campaign(['+49 0151 12345678', '49015112345679'])).body).toMatchObject({
      total_contacts: 1,
      invalid_phones: ['49015112345679'],
    });
    expect(await stored()).toEqual(['49015112345678']);
    account = await world.account();
    expect((await importNumbers(['49015112345678'])).body).toMatchObject({ updated: 0, failed: 1 });
  });
});

describe('one person in two spellings', () => {
  const SPELLINGS = ['+52 1 55 1234 5678', '525512345678'] as const;

  it('is one contact of an import, with the first spelling and the last values', async () => {
    const { body } = await upload(
      `phone_number,first_name,email\n${SPELLINGS[0]},,ada@example.com\n${SPELLINGS[1]},Ada\n551187650077,Eve\n`,
    );
    expect(body).toMatchObject({ created: 2, updated: 1, failed: 0 });
    const { contacts } = (await account.api.get<ContactsResponse>('/api/v1/contacts/')).body;
    expect(contacts.find(({ phone_number }) => phone_number === '5215512345678')).toMatchObject({
      first_name: 'Ada',
      email: 'ada@example.com',
    });
    expect(contacts).toHaveLength(2);
  });

  it('without a name in any row is reported in both (400)', async () => {
    const { body } = await upload(`phone_number\n${SPELLINGS.join('\n')}\n`);
    expect(body).toMatchObject({ created: 0, failed: 2, errors: [{ line: 2 }, { line: 3 }] });
  });

  it('is one recipient of a campaign, with the first spelling', async () => {
    expect((await campaign(SPELLINGS)).body).toMatchObject({ total_contacts: 1, invalid_phones: [] });
    expect(await stored()).toEqual(['5215512345678']);
  });
});

describe('default_country', () => {
  const NATIONAL = ['0171 2345678', "'0171/2345679", '1712345670', '+44 (0)20 7946 0364', '4915120921176'];
  const STORED = ['442079460364', '4915120921176', '491712345670', '491712345678', '491712345679'];

  it.each(['DE', 'de'])('%s reads national numbers of an import', async (country) => {
    const query = `?default_country=${country}`;
    const { headers, body } = await importNumbers(NATIONAL, query);
    expect(body).toMatchObject({ created: NATIONAL.length, failed: 0 });
    expect(headers.has('x-ignored-fields')).toBe(false);
    expect(await stored()).toEqual(STORED);
    const error = 'phone_number is not a possible phone number in DE or with country code';
    expect((await importNumbers(['0'], query)).body.errors).toEqual([{ line: 2, phone_number: '0', error }]);
  });

  it('reads national numbers of a campaign', async () => {
    const { headers, body } = await campaign([...NATIONAL, '0'], { default_country: 'DE' });
    expect(body).toMatchObject({ total_contacts: NATIONAL.length, invalid_phones: ['0'] });
    expect(headers.has('x-ignored-fields')).toBe(false);
    expect(await stored()).toEqual(STORED);
  });

  it.each(['XX', 'DEU', 'Germany'])('%j is rejected (400)', async (country) => {
    const message = /^default_country must be the two letters of a country in ISO 3166, such as DE \(got .*\)$/;
    const { status, body } = await importNumbers(NATIONAL, `?default_country=${country}`);
    expect({ status, message: body.message }).toEqual(badRequest(message));
    const refused = await campaign(NATIONAL, { default_country: country });
    expect({ status: refused.status, message: refused.body.message }).toEqual(badRequest(message));
    expect(await stored()).toEqual([]);
  });

  it('given twice, or not as text, is rejected (400)', async () => {
    expect((await importNumbers(NATIONAL, '?default_country=DE&default_country=FR')).status).toBe(400);
    expect((await campaign(NATIONAL, { default_country: 49 })).body.message).toBe(
      'default_country must be a string, not a number (49)',
    );
  });

  it('belongs to what an Idempotency-Key of an import identifies', async () => {
    const file = 'phone_number,first_name\n0171 2345678,Ada\n';
    const keyed = { 'idempotency-key': 'national' };
    expect((await upload(file, '', keyed)).body).toMatchObject({ failed: 1 });
    expect((await upload(file, '?default_country=DE', keyed)).status).toBe(422);
  });

  it('leaves digits to the contact that has them', async () => {
    await addContact('15123456789');
    expect((await importNumbers(['15123456789', '15123456780'], '?default_country=DE')).body).toMatchObject({
      created: 1,
      updated: 1,
    });
    expect((await campaign(['15123456789'], { default_country: 'DE' })).body).toMatchObject({ total_contacts: 1 });
    expect(await stored()).toEqual(['15123456789', '4915123456780']);
  });
});

describe('a file', () => {
  it('may have rows with fewer cells than the header, and with more that are empty', async () => {
    const file =
      'phone_number,first_name,last_name,email\n4915120921172,Ada\n4915120921173,Bea,,,,\n4915120921174\n' +
      '4915120921175,Dee,,,,x\n';
    expect((await upload(file)).body).toMatchObject({
      created: 2,
      failed: 2,
      errors: [
        { line: 4, phone_number: '4915120921174', error: 'first_name is required for a new contact' },
        { line: 5, phone_number: '4915120921175', error: 'the row has 6 cells, the header has 4' },
      ],
    });
    expect(await stored()).toEqual(['4915120921172', '4915120921173']);
  });

  it.each(['', '?default_country=DE', '?default_country=US'])(
    'from an export imports without a change%s',
    async (query) => {
      const numbers = ['5215512345678', '22997123456', '49015112345678', '39021234567', '15123456789', '551187650077'];
      for (const number of numbers) await addContact(number);
      await upload('phone_number,first_name,company\n15551270008,=Ada,"+A, -B"\n');
      const file = await exported();
      expect((await upload(file, query)).body).toMatchObject({ created: 0, updated: numbers.length + 1, failed: 0 });
      expect(await exported()).toBe(file);
    },
  );
});
