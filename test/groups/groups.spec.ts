import type { ContactRecord } from '../../src/contacts/dto/contact.dto.js';
import type { ContactResponse, ContactsResponse } from '../../src/contacts/dto/contact-responses.dto.js';
import type {
  GroupDeletedResponse,
  GroupFoundResponse,
  GroupMembersResponse,
  GroupResponse,
  GroupsResponse,
} from '../../src/groups/dto/group-responses.dto.js';
import { newRecordId } from '../../src/values/record-id.js';
import type { ApiClient } from '../support/api-client.js';
import { crowd, crowdOf } from '../support/crowd.js';
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

const createContact = async (api: ApiClient, phone_number = uniquePhone()) => {
  const { body } = await api.post<ContactResponse>('/api/v1/contacts/', { phone_number, first_name: 'Ada' });
  return body.contact as ContactRecord & { phone_number: string };
};
const createContacts = (count: number, api = account.api) => crowd(count, async () => (await createContact(api)).id);
const create = async (fields: Record<string, unknown> = {}, api = account.api) => {
  const response = await api.post<GroupResponse>('/api/v1/groups/', { name: `Group ${newRecordId()}`, ...fields });
  expect(response).toMatchObject({ status: 201 });
  return response.body.group;
};
const get = async (id: string) => (await account.api.get<GroupFoundResponse>(`/api/v1/groups/${id}`)).body.group;
const members = async (id: string) => {
  const { body } = await account.api.get<ContactsResponse>(`/api/v1/groups/${id}/contacts?limit=100`);
  return body.contacts.map((contact) => contact.id).sort();
};
const list = async (query = '') => {
  const response = await account.api.get<GroupsResponse>(`/api/v1/groups/${query}`);
  expect(response).toMatchObject({ status: 200 });
  return response.body;
};

describe('create group', () => {
  it('answers 201 with status, message and the group record', async () => {
    const ids = await createContacts(2);
    const { status, body } = await account.api.post<GroupResponse>('/api/v1/groups/', {
      name: 'VIP',
      description: 'Our best',
      tags: ['gold'],
      contact_ids: ids,
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      status: 'success',
      message: expect.any(String),
      group: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'VIP',
        description: 'Our best',
        tags: ['gold'],
        contact_count: 2,
        created_at: expect.stringMatching(/Z$/),
      },
    } satisfies GroupResponse);
  });

  it('requires only a name', async () => {
    expect(await create()).toMatchObject({ description: null, tags: [], contact_count: 0 });
    expect(await create({ description: null, tags: null, contact_ids: null })).toMatchObject({ contact_count: 0 });
  });

  it('counts a contact named twice once', async () => {
    const [id] = await createContacts(1);
    expect(await create({ contact_ids: [id, id] })).toMatchObject({ contact_count: 1 });
  });

  it('refuses a name already taken in the account with 409', async () => {
    await create({ name: 'VIP' });
    const response = await account.api.post('/api/v1/groups/', { name: 'VIP' });
    expect(response).toMatchObject({ status: 409, body: { error: 'conflict' } });
    await create({ name: 'VIP' }, (await world.account()).api);
  });

  it('creates one group from 20 parallel requests with the same name', async () => {
    const [id] = await createContacts(1);
    const answers = await crowd(20, () => account.api.post('/api/v1/groups/', { name: 'VIP', contact_ids: [id] }));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    expect(await list()).toMatchObject({ groups: [{ contact_count: 1 }], total: 1 });
  });

  it('refuses contact_ids that are unknown, foreign or deleted with 404 naming them, and creates nothing', async () => {
    const [known, deleted] = await createContacts(2);
    await account.api.delete(`/api/v1/contacts/${deleted}`);
    const [foreign] = await createContacts(1, (await world.account()).api);
    const unknown = newRecordId();
    const response = await account.api.post('/api/v1/groups/', {
      name: 'VIP',
      contact_ids: [known, unknown, foreign, deleted],
    });
    expect(response).toMatchObject({ status: 404, body: { error: 'not_found' } });
    for (const id of [unknown, foreign, deleted]) expect(response.body.message).toContain(id);
    expect(response.body.message).not.toContain(known);
    expect((await list()).total).toBe(0);
  });

  it.each([
    [{ name: undefined }, 'name is required'],
    [{ name: '  ' }, 'name is required'],
    [{ name: 'a'.repeat(257) }, 'name must be at most 256 characters (got 257)'],
    [{ description: 'a'.repeat(1025) }, 'description must be at most 1024 characters (got 1025)'],
    [{ description: 1 }, 'description must be a string, not a number (1)'],
    [{ tags: ['a'.repeat(65)] }, 'tags[0] must be a string of at most 64 characters'],
    [{ contact_ids: 'x' }, 'contact_ids must be an array of ids, not a string ("x")'],
    [{ contact_ids: ['x'] }, 'contact_ids[0] must be an id (got x)'],
    [{ contact_ids: [newRecordId(), 5] }, 'contact_ids[1] must be an id, not a number (5)'],
    [{ contact_ids: Array(10_001).fill(newRecordId()) }, 'contact_ids must have at most 10000 entries (got 10001)'],
  ])('refuses an invalid field with 400: %#', async (wrong, message) => {
    const response = await account.api.post('/api/v1/groups/', { name: 'VIP', ...wrong });
    expect(response.status).toBe(400);
    expect(response.body).toEqual({ error: 'bad_request', message: expect.stringContaining(message) });
    expect((await list()).total).toBe(0);
  });
});

describe('get group', () => {
  it('answers 200 with status and group', async () => {
    const group = await create({ tags: ['a'] });
    const { status, body } = await account.api.get<GroupFoundResponse>(`/api/v1/groups/${group.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ status: 'success', group } satisfies GroupFoundResponse);
  });

  it.each([
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '/contacts'],
    ['POST', '/contacts'],
    ['DELETE', '/contacts'],
  ])('%s {group_id}%s is 404 for an unknown or foreign group and 400 for a malformed id', async (method, path) => {
    const [contact] = await createContacts(1);
    const foreign = await create({}, (await world.account()).api);
    const body = method === 'GET' ? undefined : { name: 'x', contact_ids: [contact] };
    for (const id of [newRecordId(), foreign.id]) {
      const response = await account.api.request(method, `/api/v1/groups/${id}${path}`, body);
      expect(response).toMatchObject({ status: 404, body: { error: 'not_found' } });
    }
    const response = await account.api.request(method, `/api/v1/groups/nonsense${path}`, body);
    expect(response).toMatchObject({ status: 400, body: { error: 'bad_request' } });
  });
});

describe('list groups', () => {
  it('answers status, groups, total, page and limit; page 1 and limit 20 by default', async () => {
    const group = await create();
    expect(await list()).toEqual({
      status: 'success',
      groups: [group],
      total: 1,
      page: 1,
      limit: 20,
    } satisfies GroupsResponse);
  });

  it('pages newest first', async () => {
    const made: string[] = [];
    for (let count = 0; count < 3; count += 1) made.unshift((await create()).id);
    const pages = await Promise.all([1, 2, 3].map((page) => list(`?page=${page}&limit=2`)));
    expect(pages.map(({ groups }) => groups.map(({ id }) => id))).toEqual([made.slice(0, 2), made.slice(2), []]);
    expect(pages.map(({ total }) => total)).toEqual([3, 3, 3]);
  });

  it.each(['page=0', 'limit=0', 'limit=101', 'limit=x'])('refuses %s with 400', async (query) => {
    expect(await account.api.get(`/api/v1/groups/?${query}`)).toMatchObject({ status: 400 });
  });

  it('searches names by literal substring; an empty search lists all', async () => {
    const group = await create({ name: 'Größe 100%_\\', description: 'needle' });
    await create({ name: 'Other' });
    for (const text of ['größe', 'GROSSE', 'gro\u0308', ' größe  100', '100%', '%_\\', 'GRÖ']) {
      expect(await list(`?search=${encodeURIComponent(text)}`)).toMatchObject({ groups: [{ id: group.id }], total: 1 });
    }
    expect(await list('?search=needle')).toMatchObject({ total: 0 });
    expect(await list('?search=')).toMatchObject({ total: 2 });
  });
});

describe('update group', () => {
  it('changes only the given fields', async () => {
    const group = await create({ description: 'd', tags: ['x'] });
    const { status, body } = await account.api.patch<GroupResponse>(`/api/v1/groups/${group.id}`, { name: 'New' });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      message: expect.any(String),
      group: { ...group, name: 'New' },
    } satisfies GroupResponse);
    const cleared = await account.api.patch(`/api/v1/groups/${group.id}`, { description: null, tags: [] });
    expect(cleared.body.group).toEqual({ ...group, name: 'New', description: null, tags: [] });
    expect((await account.api.patch(`/api/v1/groups/${group.id}`, {})).body.group).toEqual(cleared.body.group);
  });

  it('refuses the name of another group with 409 and a blank one with 400', async () => {
    const [group, other] = [await create(), await create()];
    const rename = (name: unknown) => account.api.patch(`/api/v1/groups/${group.id}`, { name });
    expect(await rename(other.name)).toMatchObject({ status: 409, body: { error: 'conflict' } });
    expect(await rename(null)).toMatchObject({ status: 400 });
    expect(await rename('')).toMatchObject({ status: 400 });
    expect(await rename(group.name)).toMatchObject({ status: 200 });
  });
});

describe('delete group', () => {
  it('answers 200 with status, message and group_id, and keeps the contacts', async () => {
    const ids = await createContacts(2);
    const group = await create({ contact_ids: ids });
    const { status, body } = await account.api.delete<GroupDeletedResponse>(`/api/v1/groups/${group.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      message: expect.any(String),
      group_id: group.id,
    } satisfies GroupDeletedResponse);
    expect(await account.api.get(`/api/v1/groups/${group.id}`)).toMatchObject({ status: 404 });
    for (const id of ids) expect(await account.api.get(`/api/v1/contacts/${id}`)).toMatchObject({ status: 200 });
    await create({ name: group.name });
  });
});

describe('add contacts to group', () => {
  it('answers 200 with status, message, group_id and contact_ids', async () => {
    const [ids, group] = [await createContacts(2), await create()];
    const { status, body } = await account.api.post<GroupMembersResponse>(`/api/v1/groups/${group.id}/contacts`, {
      contact_ids: ids,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      message: expect.any(String),
      group_id: group.id,
      contact_ids: ids,
    } satisfies GroupMembersResponse);
    expect(await members(group.id)).toEqual(ids.toSorted());
  });

  it('skips duplicates silently', async () => {
    const [first, second] = (await createContacts(2)) as [string, string];
    const group = await create({ contact_ids: [first] });
    const { status, body } = await account.api.post(`/api/v1/groups/${group.id}/contacts`, {
      contact_ids: [first, second, second],
    });
    expect(status).toBe(200);
    expect(body.contact_ids).toEqual([first, second]);
    expect(await get(group.id)).toMatchObject({ contact_count: 2 });
  });

  it.each(['POST', 'DELETE'])('%s with an unknown contact is 404 naming it and changes nothing', async (method) => {
    const [inside, outside] = (await createContacts(2)) as [string, string];
    const group = await create({ contact_ids: [inside] });
    const unknown = newRecordId();
    const response = await account.api.request(method, `/api/v1/groups/${group.id}/contacts`, {
      contact_ids: [inside, outside, unknown],
    });
    expect(response).toMatchObject({ status: 404, body: { message: `contact ${unknown} not found` } });
    expect(await members(group.id)).toEqual([inside]);
  });

  it.each(['POST', 'DELETE'])('%s with missing, empty or malformed contact_ids is 400', async (method) => {
    const group = await create();
    for (const body of [
      undefined,
      {},
      { contact_ids: null },
      { contact_ids: [] },
      { contact_ids: ['x'] },
      { contact_ids: {} },
    ]) {
      const response = await account.api.request(method, `/api/v1/groups/${group.id}/contacts`, body);
      expect(response).toMatchObject({ status: 400, body: { message: expect.stringContaining('contact_ids') } });
    }
  });

  it('keeps the count exact under concurrent additions and removals', async () => {
    const ids = await createContacts(20);
    const groups = await Promise.all([create(), create()]);
    const call = (method: string, id: string, contact_ids: string[]) =>
      account.api.request(method, `/api/v1/groups/${id}/contacts`, { contact_ids });
    const changes = Array.from({ length: 15 }, (_, index) =>
      groups.flatMap(({ id }) => [
        () => call('POST', id, index % 2 ? ids : ids.toReversed()),
        () => call('DELETE', id, ids.slice(index, index + 5)),
      ]),
    );
    const answers = await crowdOf(changes.flat(), (change) => change());
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    for (const { id } of groups) expect((await get(id)).contact_count).toBe((await members(id)).length);
    await call('POST', groups[0].id, ids);
    expect(await get(groups[0].id)).toMatchObject({ contact_count: 20 });
  });

  it('keeps the count exact when contacts and groups are deleted at the same time', async () => {
    const ids = await createContacts(10);
    const groups = await Promise.all([create(), create(), create()]);
    const [first, second, doomed] = groups as [(typeof groups)[0], (typeof groups)[0], (typeof groups)[0]];
    const changes = ids.flatMap((contact, index) => [
      ...groups.map(
        ({ id }) =>
          () =>
            account.api.post(`/api/v1/groups/${id}/contacts`, { contact_ids: [contact] }),
      ),
      ...(index < 5 ? [() => account.api.delete(`/api/v1/contacts/${contact}`)] : []),
      ...(index === 5 ? [() => account.api.delete(`/api/v1/groups/${doomed.id}`)] : []),
    ]);
    const answers = await crowdOf(changes, (change) => change());
    expect(answers.filter(({ status }) => status !== 200 && status !== 404)).toEqual([]);
    for (const { id } of [first, second]) {
      expect(await members(id)).toEqual(ids.slice(5).toSorted());
      expect(await get(id)).toMatchObject({ contact_count: 5 });
    }
  });
});

describe('remove contacts from group', () => {
  it('answers like adding, and keeps the contacts in the account', async () => {
    const ids = await createContacts(3);
    const group = await create({ contact_ids: ids });
    const { status, body } = await account.api.delete<GroupMembersResponse>(`/api/v1/groups/${group.id}/contacts`, {
      contact_ids: ids.slice(0, 2),
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      message: expect.any(String),
      group_id: group.id,
      contact_ids: ids.slice(0, 2),
    } satisfies GroupMembersResponse);
    expect(await members(group.id)).toEqual(ids.slice(2));
    expect(await get(group.id)).toMatchObject({ contact_count: 1 });
    for (const id of ids) expect(await account.api.get(`/api/v1/contacts/${id}`)).toMatchObject({ status: 200 });
  });

  it('ignores contacts that are not in the group', async () => {
    const [inside, outside] = (await createContacts(2)) as [string, string];
    const group = await create({ contact_ids: [inside] });
    const remove = () => account.api.delete(`/api/v1/groups/${group.id}/contacts`, { contact_ids: [outside, inside] });
    expect(await remove()).toMatchObject({ status: 200, body: { contact_ids: [outside, inside] } });
    expect(await remove()).toMatchObject({ status: 200 });
    expect(await get(group.id)).toMatchObject({ contact_count: 0 });
  });
});

describe('DELETE /api/v1/groups/{group_id}/contacts of contacts that are gone', () => {
  it('skips deleted contacts and removes the others; unknown ones are 404', async () => {
    const [stays, goes] = (await createContacts(2)) as [string, string];
    const group = await create({ contact_ids: [stays, goes] });
    await account.api.delete(`/api/v1/contacts/${goes}`);
    const remove = (ids: string[]) => account.api.delete(`/api/v1/groups/${group.id}/contacts`, { contact_ids: ids });
    expect((await remove([stays, goes, newRecordId()])).status).toBe(404);
    expect(await get(group.id)).toMatchObject({ contact_count: 1 });
    expect(await remove([stays, goes])).toMatchObject({ status: 200, body: { contact_ids: [stays, goes] } });
    expect(await get(group.id)).toMatchObject({ contact_count: 0 });
  });
});

describe('the contacts of a group', () => {
  it('are paged as contact records, most recently added first', async () => {
    const group = await create();
    const added: string[] = [];
    for (const id of await createContacts(3)) {
      await account.api.post(`/api/v1/groups/${group.id}/contacts`, { contact_ids: [id] });
      added.unshift(id);
    }
    const page = async (number: number) =>
      (await account.api.get<ContactsResponse>(`/api/v1/groups/${group.id}/contacts?limit=2&page=${number}`)).body;
    const first = await page(1);
    expect(first).toMatchObject({ status: 'success', total: 3, page: 1, limit: 2 });
    expect(first.contacts.map(({ id }) => id)).toEqual(added.slice(0, 2));
    expect((await page(2)).contacts.map(({ id }) => id)).toEqual(added.slice(2));
    expect(first.contacts[0]).toEqual((await account.api.get(`/api/v1/contacts/${added[0]}`)).body.contact);
  });

  it('lose a deleted contact, and reviving it does not restore its membership', async () => {
    const contact = await createContact(account.api);
    const groups = [await create({ contact_ids: [contact.id] }), await create({ contact_ids: [contact.id] })];
    await account.api.delete(`/api/v1/contacts/${contact.id}`);
    for (const { id } of groups) {
      expect(await get(id)).toMatchObject({ contact_count: 0 });
      expect(await members(id)).toEqual([]);
    }
    expect(await createContact(account.api, contact.phone_number)).toMatchObject({ id: contact.id });
    for (const { id } of groups) expect(await get(id)).toMatchObject({ contact_count: 0 });
  });
});

describe('group scopes', () => {
  it('requires groups:read to read and groups:write to write', async () => {
    const { api } = await world.account({ scopes: ['groups:read'] });
    expect(await api.get('/api/v1/groups/')).toMatchObject({ status: 200 });
    expect(await api.post('/api/v1/groups/', { name: 'x' })).toMatchObject({ status: 403 });
    expect(await api.delete(`/api/v1/groups/${newRecordId()}/contacts`, {})).toMatchObject({ status: 403 });
    const writer = await world.account({ scopes: ['groups:write'] });
    expect(await writer.api.get('/api/v1/groups/')).toMatchObject({ status: 403 });
  });
});
