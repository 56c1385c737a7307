import type { ContactResponse, ContactsResponse } from '../../src/contacts/dto/contact-responses.dto.js';
import type { GroupFoundResponse, GroupResponse, GroupsResponse } from '../../src/groups/dto/group-responses.dto.js';
import { newRecordId } from '../../src/values/record-id.js';
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

const PATH = '/api/v1/groups/';
const create = async (fields: Record<string, unknown> = {}) => {
  const response = await account.api.post<GroupResponse>(PATH, { name: `Group ${newRecordId()}`, ...fields });
  expect(response).toMatchObject({ status: 201 });
  return response.body.group;
};
const get = async (id: string) => (await account.api.get<GroupFoundResponse>(PATH + id)).body.group;
const createContact = async (api = account.api) => {
  const { body } = await api.post<ContactResponse>('/api/v1/contacts/', {
    phone_number: uniquePhone(),
    first_name: 'Ada',
  });
  return body.contact.id;
};
const list = async (query: string) => (await account.api.get<GroupsResponse>(`${PATH}?${query}`)).body;

/** The maximum of each field. */
const MOST: Record<string, unknown> = {
  name: '😀'.repeat(256),
  description: 'ß'.repeat(1024),
  tags: Array(100).fill('x'.repeat(64)),
};

const REFUSED: [Record<string, unknown>, string][] = [
  [{ name: '😀'.repeat(257) }, 'name must be at most 256 characters (got 257)'],
  [{ name: '' }, 'name is required and must not be blank'],
  [{ name: ' \n' }, 'name is required and must not be blank'],
  [{ name: null }, 'name is required'],
  [{ name: 7 }, 'name must be a string, not a number (7)'],
  [{ name: 'a\u0000' }, 'name must not contain NUL characters'],
  [{ description: 'ß'.repeat(1025) }, 'description must be at most 1024 characters (got 1025)'],
  [{ description: [] }, 'description must be a string, not an array ([])'],
  [{ tags: Array(101).fill('x') }, 'tags must have at most 100 entries (got 101)'],
  [{ tags: ['x'.repeat(65)] }, 'tags[0] must be a string of at most 64 characters'],
  [{ tags: 'x' }, 'tags must be an array of strings, not a string ("x")'],
];

describe('group fields', () => {
  it('accept values at their limits, on create and on update', async () => {
    const group = await create(MOST);
    expect(group).toMatchObject(MOST);
    const { id } = await create();
    const other = { ...MOST, name: '京'.repeat(256) };
    expect(await account.api.patch(PATH + id, other)).toMatchObject({ status: 200, body: { group: { id, ...other } } });
  });

  it.each(REFUSED)('reject %j with 400, on create and on update', async (wrong, message) => {
    const group = await create();
    for (const response of [
      await account.api.post(PATH, { name: 'VIP', ...wrong }),
      await account.api.patch(PATH + group.id, wrong),
    ]) {
      expect(response.status).toBe(400);
      expect(response.body).toEqual({ error: 'bad_request', message: expect.stringContaining(message) });
    }
    expect(await list('')).toMatchObject({ groups: [group], total: 1 });
  });

  it('that the service sets are read-only; unknown ones are ignored', async () => {
    const own = { id: 'x', contact_count: 7, created_at: '2001-01-01T00:00:00.000Z', account_id: 'x' };
    const group = await create(own);
    expect(group).toMatchObject({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), contact_count: 0 });
    const contact_ids = [await createContact()];
    const { body } = await account.api.patch<GroupResponse>(PATH + group.id, { ...own, contact_ids });
    expect(body.group).toEqual(group);
    expect(await get(group.id)).toEqual(group);
  });

  it('do not change for a missing body, an empty body or the same values', async () => {
    const group = await create({ description: 'd', tags: ['a'] });
    for (const body of [undefined, {}, { name: group.name, description: 'd', tags: ['a'] }]) {
      const response = await account.api.patch(PATH + group.id, body);
      expect(response).toMatchObject({ status: 200, body: { status: 'success', group } });
    }
    const cleared = await account.api.patch(PATH + group.id, { description: ' ', tags: null });
    expect(cleared.body.group).toEqual({ ...group, description: null, tags: [] });
  });

  it('name: is case-sensitive, and a deleted group’s name is free again', async () => {
    const { id } = await create({ name: 'VIP' });
    await create({ name: 'vip' });
    expect(await account.api.post(PATH, { name: 'VIP' })).toMatchObject({
      status: 409,
      body: { error: 'conflict', message: 'a group named "VIP" already exists' },
    });
    await account.api.delete(PATH + id);
    expect((await create({ name: 'VIP' })).id).not.toBe(id);
    expect(await account.api.delete(PATH + id)).toMatchObject({ status: 404 });
  });
});

describe('contact_ids', () => {
  it('may have at most 10,000 entries, including duplicates', async () => {
    const contact = await createContact();
    const most = Array(10_000).fill(contact);
    const group = await create({ contact_ids: most });
    expect(group.contact_count).toBe(1);
    for (const method of ['POST', 'DELETE']) {
      const change = (contact_ids: string[]) =>
        account.api.request<Record<string, unknown>>(method, `${PATH}${group.id}/contacts`, { contact_ids });
      expect(await change(most)).toMatchObject({ status: 200, body: { contact_ids: [contact] } });
      expect(await change([...most, contact])).toMatchObject({
        status: 400,
        body: { error: 'bad_request', message: 'contact_ids must have at most 10000 entries (got 10001)' },
      });
    }
    expect((await get(group.id)).contact_count).toBe(0);
  });

  it('that are unknown or foreign, or deleted when they are added, are named and rejected without changes', async () => {
    const [inside, outside, deleted] = [await createContact(), await createContact(), await createContact()];
    const foreign = await createContact((await world.account()).api);
    const unknown = newRecordId();
    const group = await create({ contact_ids: [inside] });
    await account.api.delete(`/api/v1/contacts/${deleted}`);
    for (const [method, rejected] of [
      ['POST', [unknown, foreign, deleted]],
      ['DELETE', [unknown, foreign]],
    ] as const) {
      const { status, body } = await account.api.request<{ error: string; message: string }>(
        method,
        `${PATH}${group.id}/contacts`,
        { contact_ids: [inside, unknown, outside, foreign, deleted] },
      );
      expect({ status, body }).toEqual({
        status: 404,
        body: { error: 'not_found', message: `contacts not found: ${rejected.join(', ')}` },
      });
      expect(await get(group.id)).toEqual(group);
    }
  });

  it('name the first 20 unknown ids and count the rest', async () => {
    const ids = Array.from({ length: 21 }, newRecordId);
    const refusal = async (contact_ids: string[]) =>
      (await account.api.post<{ message?: string }>(PATH, { name: 'VIP', contact_ids })).body.message;
    expect(await refusal(ids.slice(0, 20))).toBe(`contacts not found: ${ids.slice(0, 20).join(', ')}`);
    expect(await refusal(ids)).toBe(`contacts not found: ${ids.slice(0, 20).join(', ')} and 1 more`);
  });

  it('are checked after the group: an unknown group is 404 on its own', async () => {
    const id = newRecordId();
    const { body } = await account.api.post(`${PATH}${id}/contacts`, { contact_ids: [newRecordId()] });
    expect(body).toEqual({ error: 'not_found', message: `group ${id} not found` });
  });

  it('added together appear once each across pages, in a total order', async () => {
    const contacts = await crowd(25, () => createContact());
    const { id } = await create({ contact_ids: contacts });
    const pages = await Promise.all(
      [1, 2, 3].map(async (page) => {
        const { body } = await account.api.get<ContactsResponse>(`${PATH}${id}/contacts?limit=10&page=${page}`);
        expect(body).toMatchObject({ total: 25, page, limit: 10 });
        return body.contacts.map((contact) => contact.id);
      }),
    );
    expect(pages.flat()).toEqual(contacts.toSorted().reverse());
  });

  it('is [] for a group without contacts', async () => {
    const { id } = await create({ contact_ids: [] });
    expect((await account.api.get(`${PATH}${id}/contacts`)).body).toEqual({
      status: 'success',
      contacts: [],
      total: 0,
      page: 1,
      limit: 20,
    });
  });
});

describe('search in list groups', () => {
  it.each(['100%', '_x', '\\', "O'Brien", 'a"b', '😀', 'ÅSTRÖM', 'жЖ', 'q'])(
    'takes %j literally, ignores case and matches only the name',
    async (text) => {
      const group = await create({ name: `<${text.toLowerCase()}>`, tags: ['tagged'] });
      await create({ name: 'Other one', description: text, tags: [text] });
      expect(await list(`search=${encodeURIComponent(text)}`)).toMatchObject({ groups: [{ id: group.id }], total: 1 });
      expect(await list('search=tagged')).toMatchObject({ groups: [], total: 0 });
    },
  );

  it('pages results newest first, and finds nothing in another account', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.unshift((await create({ name: `Needle ${count}` })).id);
    const pages = await Promise.all([1, 2, 3].map((page) => list(`search=NEEDLE&limit=2&page=${page}`)));
    expect(pages.map(({ groups }) => groups.map(({ id }) => id))).toEqual([ids.slice(0, 2), ids.slice(2), []]);
    expect(pages.map(({ total }) => total)).toEqual([3, 3, 3]);
    account = await world.account();
    expect(await list('search=needle')).toMatchObject({ groups: [], total: 0 });
  });
});
