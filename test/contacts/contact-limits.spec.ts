import type { ContactResponse } from '../../src/contacts/dto/contact-responses.dto.js';
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

const PATH = '/api/v1/contacts/';
const create = (fields: Record<string, unknown> = {}) =>
  account.api.post<ContactResponse>(PATH, { phone_number: uniquePhone(), first_name: 'Ada', ...fields });
const created = async (fields: Record<string, unknown> = {}) => {
  const response = await create(fields);
  expect(response).toMatchObject({ status: 201 });
  return response.body.contact;
};

/** 254 characters, the longest address that RFC 5321 can write to. */
const MAX_EMAIL = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.com`;

/** Every field at its limit. */
const AT_LIMIT: Record<string, unknown> = {
  first_name: '😀'.repeat(256),
  last_name: 'ß'.repeat(256),
  company: '北'.repeat(256),
  email: MAX_EMAIL,
  tags: Array(100).fill('x'.repeat(64)),
};

/** Every field just over its limit, with the error message. */
const OVER_LIMIT: [Record<string, unknown>, string][] = [
  [{ first_name: '😀'.repeat(257) }, 'first_name must be at most 256 characters (got 257)'],
  [{ last_name: 'ß'.repeat(257) }, 'last_name must be at most 256 characters (got 257)'],
  [{ company: '北'.repeat(257) }, 'company must be at most 256 characters (got 257)'],
  [{ email: `a${MAX_EMAIL}` }, 'email must be at most 254 characters (got 255)'],
  [{ tags: Array(101).fill('x') }, 'tags must have at most 100 entries (got 101)'],
  [{ tags: ['x', 'x'.repeat(65)] }, `tags[1] must be a string of at most 64 characters (got ${'x'.repeat(60)}…)`],
];

/** Values that no field accepts, with the error message. */
const INVALID: [Record<string, unknown>, string][] = [
  [
    { phone_number: '' },
    'phone_number must be 7 to 15 digits with the country code first, without + or spaces (got "")',
  ],
  [{ phone_number: '0123456789' }, 'phone_number must be 7 to 15 digits'],
  [{ phone_number: '４９１５１２３４５６７８' }, 'phone_number must be 7 to 15 digits'],
  [{ phone_number: '4915112345678\n' }, 'phone_number must be 7 to 15 digits'],
  [{ phone_number: null }, 'phone_number is required'],
  [{ first_name: null }, 'first_name is required'],
  [{ first_name: '\t\u3000' }, 'first_name is required and must not be blank'],
  [{ first_name: ['Ada'] }, 'first_name must be a string, not an array (["Ada"])'],
  [{ last_name: false }, 'last_name must be a string, not a boolean (false)'],
  [{ email: 'Ada <ada@example.com>' }, 'email must be an email address'],
  [{ email: {} }, 'email must be a string, not an object ({})'],
  [{ company: 7 }, 'company must be a string, not a number (7)'],
  [{ tags: { 0: 'x' } }, 'tags must be an array of strings'],
  [{ tags: [null] }, 'tags[0] must be a string, not null'],
  [{ tags: ['a\u0000'] }, 'must not contain NUL characters'],
];

describe('contact fields', () => {
  it('accept values at their limits, on create and on change', async () => {
    const contact = await created(AT_LIMIT);
    expect(contact).toMatchObject(AT_LIMIT);
    const { id } = await created();
    const changed = await account.api.patch<ContactResponse>(PATH + id, AT_LIMIT);
    expect(changed).toMatchObject({ status: 200, body: { contact: { id, ...AT_LIMIT } } });
  });

  it.each([...OVER_LIMIT, ...INVALID])('reject %j (400), on create and on change', async (wrong, message) => {
    const contact = await created();
    for (const response of [await create(wrong), await account.api.patch(PATH + contact.id, wrong)]) {
      expect(response.status).toBe(400);
      expect(response.body).toEqual({ error: 'bad_request', message: expect.stringContaining(message) });
    }
    expect((await account.api.get<ContactResponse>(PATH + contact.id)).body.contact).toEqual(contact);
  });

  it('report all errors together', async () => {
    const { body } = await create({ phone_number: '+1', first_name: '', email: 'x' });
    const { message } = body as unknown as { message: string };
    for (const field of ['phone_number', 'first_name', 'email']) expect(message).toContain(field);
  });

  it.each(['1234567', '123456789012345'])('allow 7 to 15 digits in phone_number: %s', async (phone_number) => {
    expect(await created({ phone_number })).toMatchObject({ phone_number });
  });

  it('ignore read-only and unknown fields', async () => {
    const own = {
      id: 'x',
      source: 'inbound',
      created_at: '2001-01-01T00:00:00.000Z',
      account_id: 'x',
      deleted_at: 'x',
    };
    const contact = await created(own);
    expect(contact).toMatchObject({ source: 'api', opted_in: true });
    const { body } = await account.api.patch<ContactResponse>(PATH + contact.id, own);
    expect(body.contact).toEqual(contact);
  });

  it('do not change without a body, with an empty one, or with their current values', async () => {
    const { created_at: _, ...contact } = await created({ last_name: 'Lindgrove', tags: ['a'] });
    const { id, source, ...fields } = contact;
    for (const body of [undefined, {}, fields]) {
      const response = await account.api.patch<ContactResponse>(PATH + id, body);
      expect(response).toMatchObject({ status: 200, body: { contact: { ...contact, source } } });
    }
  });

  it('are cleared by null, an empty or a blank string where optional', async () => {
    const { id } = await created({ last_name: 'Lindgrove', email: 'ada@example.com', company: 'Yard', tags: ['a'] });
    const { body } = await account.api.patch(PATH + id, { last_name: '', email: ' ', company: '\n', tags: [] });
    expect(body.contact).toMatchObject({ last_name: null, email: null, company: null, tags: [] });
  });

  it('require opted_in to be true or false, not null', async () => {
    const { id } = await created();
    for (const [opted_in, found] of [
      [null, 'null'],
      [0, 'a number (0)'],
      ['false', 'a string ("false")'],
    ] as const) {
      const { status, body } = await account.api.patch(PATH + id, { opted_in });
      expect({ status, message: body.message }).toEqual({
        status: 400,
        message: `opted_in must be true or false, not ${found}`,
      });
    }
    for (const opted_in of [false, true]) {
      expect((await account.api.patch(PATH + id, { opted_in })).body.contact).toMatchObject({ opted_in });
    }
  });
});

it('gives a contact created by a conversation action the source api and a default name', async () => {
  const phone = uniquePhone();
  await account.api.post(`/api/v1/conversations/${phone}/reopen`);
  const { body } = await account.api.get(PATH);
  expect(body.contacts).toMatchObject([
    { phone_number: phone, first_name: expect.stringMatching(/^User #\d{6}$/), source: 'api', opted_in: true },
  ]);
});
