import type { ContactResponse, ContactsResponse } from '../../src/contacts/dto/contact-responses.dto.js';
import type { ConversationsResponse } from '../../src/conversations/dto/conversation-responses.dto.js';
import type { GroupResponse, GroupsResponse } from '../../src/groups/dto/group-responses.dto.js';
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

const contact = async (fields: Record<string, unknown> = {}): Promise<string> => {
  const { body } = await account.api.post<ContactResponse>('/api/v1/contacts/', {
    phone_number: uniquePhone(),
    first_name: 'Ada',
    ...fields,
  });
  return body.contact.id;
};

/** Reads all pages of a list up to the first empty one. Every page must report the total. */
async function pages<Body extends { total: number }>(
  path: string,
  limit: number,
  total: number,
  read: (body: Body) => string[],
): Promise<string[][]> {
  const found: string[][] = [];
  for (;;) {
    const separator = path.includes('?') ? '&' : '?';
    const { body } = await account.api.get<Body>(`${path}${separator}limit=${limit}&page=${found.length + 1}`);
    expect(body.total).toBe(total);
    const page = read(body);
    if (page.length === 0) return found;
    found.push(page);
  }
}

const inPagesOf = (limit: number, all: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(all.length / limit) }, (_, index) => all.slice(index * limit, (index + 1) * limit));

describe('list pages, which are read from the nearer end', () => {
  it.each([0, 1, 2, 7])('cover all %i contacts, newest first, for every page size', async (count) => {
    const ids: string[] = [];
    for (let made = 0; made < count; made += 1) ids.unshift(await contact());
    for (const limit of [1, 2, 3, 100]) {
      const found = await pages<ContactsResponse>('/api/v1/contacts/', limit, count, (body) =>
        body.contacts.map(({ id }) => id),
      );
      expect(found).toEqual(inPagesOf(limit, ids));
    }
  });

  it('cover all groups, and all contacts of a group', async () => {
    const contacts = [await contact(), await contact(), await contact(), await contact(), await contact()];
    const groups: string[] = [];
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five']) {
      groups.unshift((await account.api.post<GroupResponse>('/api/v1/groups/', { name })).body.group.id);
    }
    for (const id of contacts) {
      await account.api.post(`/api/v1/groups/${groups[0]}/contacts`, { contact_ids: [id] });
    }
    for (const limit of [1, 2, 5]) {
      const found = await pages<GroupsResponse>('/api/v1/groups/', limit, 5, (body) => body.groups.map(({ id }) => id));
      expect(found).toEqual(inPagesOf(limit, groups));
      const members = await pages<ContactsResponse>(`/api/v1/groups/${groups[0]}/contacts`, limit, 5, (body) =>
        body.contacts.map(({ id }) => id),
      );
      expect(members).toEqual(inPagesOf(limit, contacts.toReversed()));
    }
  });

  it('cover all conversations, by status and by assignee', async () => {
    const assigned: string[] = [];
    const resolved: string[] = [];
    const all: string[] = [];
    for (let made = 0; made < 9; made += 1) {
      const phone = uniquePhone();
      all.unshift(phone);
      await account.api.post(`/api/v1/conversations/${phone}/reopen`, {});
      if (made % 3 === 0) await account.api.post(`/api/v1/conversations/${phone}/assign`, { user_id: account.ownerId });
      else await account.api.post(`/api/v1/conversations/${phone}/unassign`, {});
      if (made % 2 === 0) await account.api.post(`/api/v1/conversations/${phone}/resolve`, {});
      if (made % 3 === 0) assigned.unshift(phone);
      if (made % 2 === 0) resolved.unshift(phone);
    }
    const but = (some: readonly string[]): string[] => all.filter((phone) => !some.includes(phone));
    const lists: [string, string[]][] = [
      ['', all],
      ['?status=open', but(resolved)],
      ['?status=resolved', resolved],
      ['?unassigned=true', but(assigned)],
      ['?unassigned=false', assigned],
      [`?assigned_to=${account.ownerId}`, assigned],
      ['?status=resolved&unassigned=false', resolved.filter((phone) => assigned.includes(phone))],
      [`?status=open&assigned_to=${account.ownerId}`, assigned.filter((phone) => !resolved.includes(phone))],
      [`?unassigned=true&assigned_to=${account.ownerId}`, []],
    ];
    for (const [query, phones] of lists) {
      for (const limit of [2, 4]) {
        const found = await pages<ConversationsResponse>(
          `/api/v1/conversations/${query}`,
          limit,
          phones.length,
          (body) => body.conversations.map(({ phone_number }) => String(phone_number)),
        );
        expect([query, found]).toEqual([query, inPagesOf(limit, phones)]);
      }
    }
  });

  it('report the exact number of groups under parallel creates and deletes', async () => {
    const made = await crowd(12, (index) =>
      account.api.post<GroupResponse>('/api/v1/groups/', { name: `Group ${index}` }),
    );
    await Promise.all([
      ...made.slice(0, 5).map(({ body }) => account.api.delete(`/api/v1/groups/${body.group.id}`)),
      account.api.post('/api/v1/groups/', { name: 'One more' }),
    ]);
    expect((await account.api.get<GroupsResponse>('/api/v1/groups/')).body.total).toBe(8);
  });
});

describe('a search among similar contacts', () => {
  it('finds rare and common terms, alone and together', async () => {
    const made = await crowd(60, (index) =>
      contact({ first_name: `Customer ${index}`, last_name: 'Lind_100%', email: `c${index}@post.example` }),
    );
    const totals = async (...terms: string[]): Promise<number[]> => {
      const answers = terms.map((term) =>
        account.api.get<ContactsResponse>(`/api/v1/contacts/?search=${encodeURIComponent(term)}`),
      );
      return (await Promise.all(answers)).map(({ body }) => body.total);
    };
    expect(await totals('customer', 'post.example', 'lind_100%', '@post')).toEqual(Array(4).fill(made.length));
    expect(await totals('customer 17', 'c17@post.example', 'mer 17 lind_100%', '17@pos')).toEqual([1, 1, 1, 1]);
    expect(await totals('customer 5', 'r 5 lin', '5@post')).toEqual([11, 1, 6]);
    expect(await totals('customerx', 'lindx100', 'c17@post.exemple', 'r 17 c17')).toEqual([0, 0, 0, 0]);
  });
});
