import type { ContactResponse, ContactsResponse } from '../../src/contacts/dto/contact-responses.dto.js';
import type { GroupFoundResponse, GroupResponse, GroupsResponse } from '../../src/groups/dto/group-responses.dto.js';
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

const PATH = '/api/v1/groups/';
const create = async (name: string, contact_ids: string[] = []) => {
  const { body } = await account.api.post<GroupResponse>(PATH, { name, contact_ids });
  return body.group;
};
const createContact = async () => {
  const { body } = await account.api.post<ContactResponse>('/api/v1/contacts/', {
    phone_number: uniquePhone(),
    first_name: 'Ada',
  });
  return body.contact.id;
};

describe('groups under concurrent requests', () => {
  it('give a name to one of 20 that request it; the others get 409 and keep theirs', async () => {
    const groups = await crowd(20, (index) => create(`Group ${index}`));
    const answers = await crowdOf(groups, ({ id }) => account.api.patch(PATH + id, { name: 'VIP' }));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
    const { body } = await account.api.get<GroupsResponse>(`${PATH}?limit=100`);
    const names = body.groups.map(({ name }) => name);
    const winner = groups[answers.findIndex(({ status }) => status === 200)]?.name;
    expect(names.sort()).toEqual(['VIP', ...groups.map(({ name }) => name).filter((name) => name !== winner)].sort());
  });

  it('answer only 200 or 409 while names are swapped around', async () => {
    const groups = await crowd(10, (index) => create(`Group ${index}`));
    for (let round = 1; round < 15; round += 1) {
      const answers = await crowd(10, (index) =>
        account.api.patch(PATH + groups[index]?.id, { name: `Group ${(index + round) % 10}` }),
      );
      expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    }
  });

  it('keep exact counts while their contacts are deleted during creation', async () => {
    const contacts = await crowd(10, createContact);
    const answers = await crowd(60, (index) =>
      index % 6 === 5
        ? account.api.delete(`/api/v1/contacts/${contacts[(index - 5) / 6]}`)
        : account.api.post(PATH, { name: `Group ${index}`, contact_ids: contacts }),
    );
    expect(answers.filter(({ status }) => ![200, 201, 404].includes(status))).toEqual([]);
    const { body } = await account.api.get<GroupsResponse>(`${PATH}?limit=100`);
    expect(body.total).toBe(answers.filter(({ status }) => status === 201).length);
    for (const { id, contact_count } of body.groups) {
      const members = await account.api.get<ContactsResponse>(`${PATH}${id}/contacts?limit=100`);
      expect([contact_count, members.body.total, members.body.contacts.length]).toEqual([0, 0, 0]);
    }
  });

  it('count a contact once when 50 requests add it, and drop it once when 50 remove it', async () => {
    const [contact, { id }] = [await createContact(), await create('VIP')];
    const path = `${PATH}${id}/contacts`;
    const count = async () => (await account.api.get<GroupFoundResponse>(PATH + id)).body.group.contact_count;
    const added = await crowd(50, () => account.api.post(path, { contact_ids: [contact] }));
    expect(new Set(added.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await count()).toBe(1);
    const removed = await crowd(50, () => account.api.delete(path, { contact_ids: [contact] }));
    expect(new Set(removed.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await count()).toBe(0);
  });
});
