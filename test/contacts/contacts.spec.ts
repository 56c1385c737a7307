import type { ContactRecord } from '../../src/contacts/dto/contact.dto.js';
import type {
  ContactDeletedResponse,
  ContactResponse,
  ContactsResponse,
} from '../../src/contacts/dto/contact-responses.dto.js';
import { newRecordId } from '../../src/values/record-id.js';
import type { ApiClient } from '../support/api-client.js';
import { crowd } from '../support/crowd.js';
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

const create = async (api: ApiClient, fields: Record<string, unknown> = {}) => {
  const body = { phone_number: uniquePhone(), first_name: 'Ada', ...fields };
  const response = await api.post<ContactResponse>('/api/v1/contacts/', body);
  expect(response).toMatchObject({ status: 201 });
  return response.body.contact as ContactRecord & { phone_number: string };
};
const list = async (api: ApiClient, query = '') => {
  const response = await api.get<ContactsResponse>(`/api/v1/contacts/${query}`);
  expect(response).toMatchObject({ status: 200 });
  return response.body;
};
const search = (api: ApiClient, text: string) => list(api, `?search=${encodeURIComponent(text)}`);

describe('create contact', () => {
  it('answers 201 with status, message and the contact record', async () => {
    const phone = uniquePhone();
    const { status, body } = await account.api.post<ContactResponse>('/api/v1/contacts/', {
      phone_number: phone,
      first_name: 'Ada',
      last_name: 'Lindgrove',
      email: 'ada@example.com',
      company: 'Analytical Engines',
      tags: ['vip', 'maths'],
      unknown_field: 'is ignored',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      status: 'success',
      message: expect.any(String),
      contact: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        first_name: 'Ada',
        last_name: 'Lindgrove',
        phone_number: phone,
        email: 'ada@example.com',
        company: 'Analytical Engines',
        tags: ['vip', 'maths'],
        opted_in: true,
        source: 'api',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    } satisfies ContactResponse);
  });

  it('requires only phone_number and first_name', async () => {
    expect(await create(account.api)).toMatchObject({ last_name: null, email: null, company: null, tags: [] });
  });

  it('treats null and empty strings in optional fields as absent', async () => {
    const contact = await create(account.api, { last_name: null, email: '', company: ' ', tags: null });
    expect(contact).toMatchObject({ last_name: null, email: null, company: null, tags: [] });
  });

  it.each([
    [{ phone_number: undefined }, 'phone_number is required'],
    [{ first_name: undefined }, 'first_name is required'],
    [{ first_name: ' ' }, 'first_name is required and must not be blank'],
    [{ phone_number: '+4915123456789' }, 'phone_number must be 7 to 15 digits'],
    [{ phone_number: '49 151 23456789' }, 'phone_number must be 7 to 15 digits'],
    [{ phone_number: '4915123abc' }, 'phone_number must be 7 to 15 digits'],
    [{ phone_number: '123456' }, 'phone_number must be 7 to 15 digits'],
    [{ phone_number: '1234567890123456' }, 'phone_number must be 7 to 15 digits'],
    [{ phone_number: 4915123456789 }, 'phone_number must be a string of digits, not a number (4915123456789)'],
    [{ first_name: 7 }, 'first_name must be a string, not a number (7)'],
    [{ first_name: 'a'.repeat(257) }, 'first_name must be at most 256 characters (got 257)'],
    [{ last_name: '😀'.repeat(257) }, 'last_name must be at most 256 characters (got 257)'],
    [{ company: 'a'.repeat(257) }, 'company must be at most 256 characters (got 257)'],
    [{ email: 'nobody' }, 'email must be an email address (got nobody)'],
    [{ email: `${'a'.repeat(250)}@example.com` }, 'email must be at most 254 characters (got 262)'],
    [{ email: 7 }, 'email must be a string, not a number (7)'],
    [{ tags: 'vip' }, 'tags must be an array of strings, not a string ("vip")'],
    [{ tags: [1] }, 'tags[0] must be a string, not a number (1)'],
    [{ tags: Array(101).fill('a') }, 'tags must have at most 100 entries (got 101)'],
    [{ first_name: 'Ada\u0000' }, 'first_name must not contain NUL characters'],
  ])('rejects %j (400)', async (wrong, message) => {
    const body = { phone_number: uniquePhone(), first_name: 'Ada', ...wrong };
    const response = await account.api.post('/api/v1/contacts/', body);
    expect(response.status).toBe(400);
    expect(response.body).toEqual({ error: 'bad_request', message: expect.stringContaining(message) });
    expect((await list(account.api)).total).toBe(0);
  });

  it('counts 256 astral characters as 256', async () => {
    expect((await create(account.api, { first_name: '😀'.repeat(256) })).first_name).toHaveLength(512);
  });

  it('rejects the number of an existing contact (409), naming the contact', async () => {
    const { id, phone_number } = await create(account.api);
    const response = await account.api.post('/api/v1/contacts/', { phone_number, first_name: 'Eve' });
    expect(response.status).toBe(409);
    expect(response.body).toEqual({ error: 'conflict', message: expect.stringContaining(id) });
    expect((await list(account.api)).contacts).toMatchObject([{ id, first_name: 'Ada' }]);
  });

  it('creates one contact from 50 parallel requests with the same number', async () => {
    const phone_number = uniquePhone();
    const answers = await crowd(50, () => account.api.post('/api/v1/contacts', { phone_number, first_name: 'Ada' }));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array(49).fill(409)]);
    expect((await list(account.api)).total).toBe(1);
  });

  it('allows the same number in another account', async () => {
    const { phone_number } = await create(account.api);
    await create((await world.account()).api, { phone_number });
  });
});

describe('get contact', () => {
  it('answers 200 with the same record as create', async () => {
    const contact = await create(account.api, { tags: ['a'] });
    const { status, body } = await account.api.get<ContactResponse>(`/api/v1/contacts/${contact.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ status: 'success', message: expect.any(String), contact } satisfies ContactResponse);
  });

  it.each(['nonsense', '1', '0199aaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee'])(
    'refuses the malformed id %s with 400',
    async (id) => {
      for (const method of ['GET', 'DELETE', 'PATCH']) {
        const response = await account.api.request(
          method,
          `/api/v1/contacts/${id}`,
          method === 'PATCH' ? {} : undefined,
        );
        expect(response).toMatchObject({ status: 400, body: { error: 'bad_request' } });
      }
    },
  );

  it('answers 404 for an unknown id and for one of another account', async () => {
    const foreign = await create((await world.account()).api);
    for (const id of [newRecordId(), foreign.id]) {
      for (const method of ['GET', 'DELETE', 'PATCH']) {
        const response = await account.api.request(
          method,
          `/api/v1/contacts/${id}`,
          method === 'PATCH' ? {} : undefined,
        );
        expect(response).toMatchObject({ status: 404, body: { error: 'not_found' } });
      }
    }
  });
});

describe('change contact', () => {
  it('changes the given fields only', async () => {
    const contact = await create(account.api, { last_name: 'Lindgrove', email: 'a@example.com', tags: ['x'] });
    const { status, body } = await account.api.patch<ContactResponse>(`/api/v1/contacts/${contact.id}`, {
      first_name: 'Augusta',
      company: 'Engines',
      opted_in: false,
    });
    expect(status).toBe(200);
    const changed = { ...contact, first_name: 'Augusta', company: 'Engines', opted_in: false };
    expect(body).toEqual({
      status: 'success',
      message: expect.any(String),
      contact: changed,
    } satisfies ContactResponse);
    expect((await account.api.get(`/api/v1/contacts/${contact.id}`)).body.contact).toEqual(changed);
  });

  it('clears optional fields with null', async () => {
    const contact = await create(account.api, { last_name: 'L', email: 'a@example.com', company: 'C', tags: ['x'] });
    const cleared = { last_name: null, email: null, company: null, tags: null };
    const { body } = await account.api.patch(`/api/v1/contacts/${contact.id}`, cleared);
    expect(body.contact).toEqual({ ...contact, ...cleared, tags: [] });
  });

  it.each([
    [{ first_name: null }, 'first_name is required'],
    [{ first_name: '' }, 'first_name is required'],
    [{ phone_number: null }, 'phone_number is required'],
    [{ phone_number: '+1' }, 'phone_number must be 7 to 15 digits'],
    [{ opted_in: 'yes' }, 'opted_in must be true or false, not a string ("yes")'],
    [{ email: 'x' }, 'email must be an email address'],
  ])('rejects %j (400)', async (wrong, message) => {
    const contact = await create(account.api);
    const response = await account.api.patch(`/api/v1/contacts/${contact.id}`, wrong);
    expect(response).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
  });

  it('rejects the number of another contact (409) naming it, unless that one is deleted', async () => {
    const contact = await create(account.api);
    const other = await create(account.api);
    const take = () => account.api.patch(`/api/v1/contacts/${contact.id}`, { phone_number: other.phone_number });
    expect(await take()).toMatchObject({ status: 409, body: { message: expect.stringContaining(other.id) } });
    await account.api.delete(`/api/v1/contacts/${other.id}`);
    expect(await take()).toMatchObject({ status: 200 });
  });

  it('moves a contact to a free number', async () => {
    const contact = await create(account.api);
    const phone_number = uniquePhone();
    const { body } = await account.api.patch(`/api/v1/contacts/${contact.id}`, { phone_number });
    expect(body.contact).toEqual({ ...contact, phone_number });
  });
});

describe('delete contact', () => {
  it('answers 200 with status, message and contact_id', async () => {
    const { id } = await create(account.api);
    const { status, body } = await account.api.delete<ContactDeletedResponse>(`/api/v1/contacts/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      message: expect.any(String),
      contact_id: id,
    } satisfies ContactDeletedResponse);
  });

  it('hides the contact: GET, PATCH and DELETE answer 404, lists and searches omit it', async () => {
    const { id, phone_number } = await create(account.api);
    await account.api.delete(`/api/v1/contacts/${id}`);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const response = await account.api.request(method, `/api/v1/contacts/${id}`, method === 'PATCH' ? {} : undefined);
      expect(response).toMatchObject({ status: 404, body: { error: 'not_found' } });
    }
    expect(await list(account.api)).toMatchObject({ contacts: [], total: 0 });
    expect(await search(account.api, phone_number)).toMatchObject({ contacts: [], total: 0 });
  });

  it('keeps the record: creating it again revives the same id, consent, source and created_at', async () => {
    const contact = await create(account.api, { last_name: 'Lindgrove', email: 'ada@example.com' });
    await account.api.patch(`/api/v1/contacts/${contact.id}`, { opted_in: false });
    await account.api.delete(`/api/v1/contacts/${contact.id}`);
    const revived = await create(account.api, { phone_number: contact.phone_number, first_name: 'Augusta' });
    expect(revived).toEqual({ ...contact, first_name: 'Augusta', last_name: null, email: null, opted_in: false });
    expect((await list(account.api)).total).toBe(1);
  });

  it('lets one of several parallel deletes win', async () => {
    const { id } = await create(account.api);
    const answers = await crowd(10, () => account.api.delete(`/api/v1/contacts/${id}`));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
    expect((await list(account.api)).total).toBe(0);
  });
});

describe('list contacts', () => {
  it('answers status, contacts, total, page and limit; page 1 and limit 20 by default', async () => {
    const contact = await create(account.api);
    expect(await list(account.api)).toEqual({
      status: 'success',
      contacts: [contact],
      total: 1,
      page: 1,
      limit: 20,
    } satisfies ContactsResponse);
  });

  it('is empty for a new account', async () => {
    expect(await list(account.api)).toMatchObject({ contacts: [], total: 0 });
  });

  it('pages newest first, each contact once', async () => {
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1) made.unshift((await create(account.api)).id);
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(account.api, `?page=${page}&limit=2`)));
    expect(pages.map(({ contacts }) => contacts.map(({ id }) => id))).toEqual([
      made.slice(0, 2),
      made.slice(2, 4),
      made.slice(4),
      [],
    ]);
    expect(pages.map(({ total, page, limit }) => [total, page, limit])).toEqual(
      [1, 2, 3, 4].map((page) => [5, page, 2]),
    );
  });

  it.each(['page=0', 'page=-1', 'page=x', 'page=1.5', 'limit=0', 'limit=101', 'limit=x', 'page=', 'page=1&page=2'])(
    'refuses %s with 400',
    async (query) => {
      expect(await account.api.get(`/api/v1/contacts/?${query}`)).toMatchObject({ status: 400 });
    },
  );

  it('accepts a limit of 100', async () => {
    expect(await list(account.api, '?limit=100')).toMatchObject({ limit: 100 });
  });

  it('keeps accounts apart', async () => {
    await create((await world.account()).api);
    expect(await list(account.api)).toMatchObject({ contacts: [], total: 0 });
  });

  it('works with and without the trailing slash', async () => {
    expect((await account.api.get('/api/v1/contacts')).body).toEqual(await list(account.api));
  });
});

describe('search in list contacts', () => {
  it('matches name, phone or email by substring, case-insensitively', async () => {
    const contact = await create(account.api, {
      first_name: 'Ada',
      last_name: 'Lindgrove',
      email: 'Countess@Example.com',
    });
    await create(account.api, { first_name: 'Grace', last_name: 'Harbour' });
    const found = [
      'ada',
      'GROVE',
      'a l',
      'Ada Lindgrove',
      'tess@exam',
      contact.phone_number,
      contact.phone_number.slice(5),
    ];
    for (const text of found) {
      expect(await search(account.api, text)).toMatchObject({ contacts: [{ id: contact.id }], total: 1 });
    }
  });

  it('does not match company, tags or across fields', async () => {
    const contact = await create(account.api, {
      last_name: 'L',
      email: 'e@example.com',
      company: 'Acme',
      tags: ['gold'],
    });
    for (const text of ['Acme', 'gold', `L ${contact.phone_number}`, `${contact.phone_number} e@`, 'AdaL']) {
      expect(await search(account.api, text)).toMatchObject({ contacts: [], total: 0 });
    }
  });

  it.each([
    '100%',
    '_under',
    'back\\slash',
    '%%%',
    '___',
    '\\\\\\',
    "O'Brien",
    'a"b',
    '北京市',
    'ÅSTRÖM',
    '😀😀😀',
    'x?*y',
    '::(',
  ])('takes the characters of %j literally', async (text) => {
    const contact = await create(account.api, { first_name: `<${text}>` });
    await create(account.api, { first_name: 'Somebody', last_name: 'x else' });
    expect(await search(account.api, text)).toMatchObject({ contacts: [{ id: contact.id }], total: 1 });
  });

  it('matches non-ASCII names case-insensitively', async () => {
    const contact = await create(account.api, { first_name: 'Åsa', last_name: 'Дмитриева' });
    for (const text of ['åsa', 'ÅSA', 'ДМИТР', 'а', 'мит']) {
      expect((await search(account.api, text)).contacts).toMatchObject([{ id: contact.id }]);
    }
  });

  it('does not match a name by the digits that its bytes are indexed under', async () => {
    await create(account.api, { first_name: 'Å' });
    expect(await search(account.api, '\\303\\245')).toMatchObject({ total: 0 });
  });

  it('matches one or two characters, and lists all for an empty search', async () => {
    const contact = await create(account.api, { first_name: 'Zoë' });
    await create(account.api);
    expect(await search(account.api, 'zo')).toMatchObject({ contacts: [{ id: contact.id }], total: 1 });
    expect(await search(account.api, 'ë')).toMatchObject({ total: 1 });
    expect(await search(account.api, '')).toMatchObject({ total: 2 });
  });

  it('pages its matches and reports their total, even past the last page', async () => {
    for (let count = 0; count < 3; count += 1) await create(account.api, { first_name: 'Needle' });
    await create(account.api);
    expect(await list(account.api, '?search=needle&page=2&limit=2')).toMatchObject({
      contacts: [{}],
      total: 3,
      page: 2,
    });
    expect(await list(account.api, '?search=needle&page=9&limit=2')).toMatchObject({ contacts: [], total: 3, page: 9 });
  });

  it('rejects a search of more than 256 characters (400)', async () => {
    expect(await account.api.get(`/api/v1/contacts/?search=${'a'.repeat(257)}`)).toMatchObject({ status: 400 });
  });
});

describe('scopes of contacts', () => {
  it('allow reads with contacts:read and writes with contacts:write only', async () => {
    const { api } = await world.account({ scopes: ['contacts:read'] });
    expect(await api.get('/api/v1/contacts/')).toMatchObject({ status: 200 });
    const id = newRecordId();
    for (const [method, path] of [
      ['POST', ''],
      ['PATCH', id],
      ['DELETE', id],
    ]) {
      const response = await api.request(method as string, `/api/v1/contacts/${path}`, {});
      expect(response).toMatchObject({ status: 403, body: { error: 'forbidden' } });
    }
    const writer = await world.account({ scopes: ['contacts:write'] });
    expect(await writer.api.get('/api/v1/contacts/')).toMatchObject({ status: 403 });
  });
});
