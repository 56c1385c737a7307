import { draft } from '../campaigns/campaigns.js';
import { openWindow } from '../messages/messages.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { createContact, lookForStragglers, merge } from './merging.js';

const LISTS = ['groups', 'campaigns', 'conversations'] as const;

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await World.start();
  account = await world.account({ phones: 2 });
});
afterAll(() => world.stop());

const group = async (name: string, ...ids: string[]): Promise<void> => {
  expect((await account.api.post('/api/v1/groups/', { name, contact_ids: ids })).status).toBe(201);
};
/** The names of the groups and campaigns, and the business phones of the conversations, with the total of each. */
const of = async (contactId: string, query = ''): Promise<unknown[]> =>
  Promise.all(
    LISTS.map(async (list) => {
      const { body } = await account.api.get<Record<string, Record<string, string>[]> & { total: number }>(
        `/api/v1/${list}/?contact_id=${contactId}${query}`,
      );
      return [body.total, ...(body[list] ?? []).map((record) => record['name'] ?? record['waba_phone_id'])];
    }),
  );

describe('the lists of groups, campaigns and conversations', () => {
  it('have those of one contact, whichever of its ids is given', async () => {
    const [older, younger, other] = [
      await createContact(account),
      await createContact(account),
      await createContact(account),
    ];
    const [first, second] = account.phones;
    const { name } = await approvedTemplate(world, account);
    await group('All', older.id, younger.id, other.id);
    await group('Younger', younger.id);
    await group('Others', other.id);
    await draft(account, name, [older.phone_number], { name: 'To the older' });
    await draft(account, name, [younger.phone_number, other.phone_number], { name: 'To two' });
    await draft(account, name, [uniquePhone()], { name: 'To somebody' });
    await openWindow(world, account.phone, older.phone_number);
    if (second !== undefined) await openWindow(world, second, younger.phone_number);
    await openWindow(world, account.phone, other.phone_number);

    expect(await of(older.id)).toEqual([
      [1, 'All'],
      [1, 'To the older'],
      [1, first?.id],
    ]);
    expect(await of(younger.id, '&limit=1')).toEqual([
      [2, 'Younger'],
      [1, 'To two'],
      [1, second?.id],
    ]);
    await merge(world, account, older.id, younger.id);
    await lookForStragglers(world, account);
    for (const id of [older.id, younger.id]) {
      const [groups, campaigns, conversations] = await of(id);
      expect(groups).toEqual([2, 'Younger', 'All']);
      expect(campaigns).toEqual([2, 'To two', 'To the older']);
      expect(conversations).toEqual([2, second?.id, first?.id]);
    }
  });

  it('go with the other filters, and find nothing of other accounts', async () => {
    const contact = await createContact(account);
    const { name } = await approvedTemplate(world, account);
    await group('Readers', contact.id);
    await group('Writers', contact.id);
    await draft(account, name, [contact.phone_number], { name: 'Spring' });
    await draft(account, name, [contact.phone_number], { name: 'Autumn leaves' });
    const found = async (list: string, query: string) => {
      const { body } = await account.api.get<Record<string, { name: string }[]>>(
        `/api/v1/${list}/?contact_id=${contact.id}&${query}`,
      );
      return body[list]?.map((record) => record.name);
    };
    expect(await found('groups', 'search=read')).toEqual(['Readers']);
    expect(await found('campaigns', 'search=spring')).toEqual(['Spring']);
    expect(await found('campaigns', 'status=completed')).toEqual([]);
    const stranger = await world.account();
    const theirs = await createContact(stranger);
    for (const [total] of (await of(theirs.id)) as [number][]) expect(total).toBe(0);
    for (const list of LISTS) {
      const { status, body } = await account.api.get(`/api/v1/${list}/?contact_id=x`);
      expect([status, body['message']]).toEqual([400, expect.stringContaining('contact_id')]);
    }
  });
});
