import { act, balanceOf, campaignOf, draft, recipientsOf, untilCampaign } from '../campaigns/campaigns.js';
import { deliver } from '../inbound/inbound.js';
import { openWindow, SEND, secondsAgo } from '../messages/messages.js';
import { ApiClient } from '../support/api-client.js';
import { crowdOf } from '../support/crowd.js';
import { freshDatabase } from '../support/database.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { CONTACTS, createContact, lookForStragglers, merge, mexicanPhone, rowsOf, untilMoved } from './merging.js';

const CREDITS = 1000;
const ROUNDS = 4;

describe('a merge in two processes', () => {
  let world: World;
  let other: World;
  let account: TestAccount;
  /** The same account through the other process. */
  let second: TestAccount;
  beforeAll(async () => {
    const databaseUrl = await freshDatabase();
    world = await World.start({ databaseUrl });
    other = await World.start({ databaseUrl, env: { NETWORK_BASE_URL: world.environment.network.baseUrl } });
    await world.simulator.behave({ statuses: ['sent', 'delivered'] });
  });
  afterAll(async () => {
    await other.stop();
    await world.stop();
  });
  beforeEach(async () => {
    account = await world.account({ credits: CREDITS });
    second = { ...account, api: new ApiClient(other.baseUrl, account.apiKey) };
  });

  /** Two contacts of one person, whose number has two spellings, with a message in each of their threads. */
  const doubles = async () => {
    const number = mexicanPhone();
    const spellings = [number, `521${number.slice(2)}`] as const;
    const one = await createContact(account, { phone_number: number, company: 'Analytical' });
    const two = await createContact(account, { email: 'ada@example.com' });
    await rowsOf(
      world,
      account,
      'UPDATE contacts SET phone_number = $3, is_duplicate = true WHERE account_id = $1 AND id = $2',
      two.id,
      spellings[1],
    );
    for (const from of spellings) await openWindow(world, account.phone, from);
    return { ids: [one.id, two.id] as const, spellings };
  };
  const write = (at: World, from: string, body: string) =>
    deliver(at, account.phone, {
      messages: [{ id: `wamid.${uniqueDigits()}`, timestamp: `${secondsAgo(0)}`, type: 'text', text: { body }, from }],
    });
  const upload = (raw: string) =>
    second.api.post(`${CONTACTS}import`, undefined, { raw, headers: { 'content-type': 'text/csv' } });
  const living = () =>
    rowsOf<{ id: string }>(world, account, 'SELECT id FROM contacts WHERE account_id = $1 AND deleted_at IS NULL');
  const holders = (table: string) =>
    rowsOf<{ contactId: string }>(world, account, `SELECT DISTINCT contact_id FROM ${table} WHERE account_id = $1`);

  it('loses, doubles and opts in nobody while campaigns, sends, imports, groups and STOP go on', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      account = await world.account({ credits: CREDITS });
      second = { ...account, api: new ApiClient(other.baseUrl, account.apiKey) };
      const template = (await approvedTemplate(world, account, { category: 'UTILITY' })).name;
      const { ids, spellings } = await doubles();
      const { id: placeholder, phone_number } = await createContact(account);
      const sent = await draft(account, template, [spellings[0], phone_number, uniquePhone()]);
      await rowsOf(
        world,
        account,
        'UPDATE campaign_recipients SET contact_id = $3 WHERE account_id = $1 AND campaign_id = $2 AND contact_id = $4',
        sent,
        ids[1],
        placeholder,
      );
      const { body: group } = await account.api.post<{ group: { id: string } }>('/api/v1/groups/', { name: 'All' });
      const before = await rowsOf(world, account, 'SELECT id FROM messages WHERE account_id = $1');
      const [starting, merged, merging, written, , sends, , grouping] = await Promise.all([
        act(account, sent, 'send'),
        merge(world, account, ids[0], ids[1]),
        merge(other, account, ids[1], ids[0]),
        Promise.all([
          write(world, spellings[0], 'One'),
          write(other, spellings[1], 'STOP'),
          write(world, spellings[1], 'Two'),
        ]),
        upload(`phone_number,first_name\n${spellings.join(',Ada\n')},Ada\n`),
        Promise.all(
          [account, second].flatMap(({ api }) =>
            spellings.map((contact_phone) => api.post(SEND, { template_name: template, contact_phone })),
          ),
        ),
        draft(second, template, [spellings[1], uniquePhone()]),
        second.api.post(`/api/v1/groups/${group.group.id}/contacts`, { contact_ids: ids }),
      ]);
      expect([merged, merging, starting.status, grouping.status, written]).toEqual([
        ids[0],
        ids[0],
        202,
        200,
        [200, 200, 200],
      ]);
      expect(sends.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      await untilCampaign(account, sent, 'completed');
      await untilMoved(world, account);
      await lookForStragglers(world, account);
      // The person, and three strangers.
      expect(await living()).toHaveLength(4);
      expect((await account.api.get(CONTACTS)).body).toMatchObject({ total: 4 });
      expect((await account.api.get(CONTACTS + ids[1])).body).toMatchObject({
        contact: {
          id: ids[0],
          phone_number: spellings[0],
          opted_in: false,
          company: 'Analytical',
          email: 'ada@example.com',
        },
      });
      const recipients = (await recipientsOf(account, sent)).filter(({ contact_id }) => contact_id === ids[0]);
      expect(recipients).toHaveLength(2);
      const kept = await rowsOf(
        world,
        account,
        'SELECT id FROM messages WHERE account_id = $1 AND id = ANY ($2::uuid[])',
        before.map(({ id }) => id),
      );
      expect(kept).toHaveLength(before.length);
      for (const table of ['conversations', 'group_members'])
        expect(await holders(table)).not.toContainEqual({ contactId: ids[1] });
      const received = await rowsOf(
        world,
        account,
        "SELECT DISTINCT contact_id FROM messages WHERE account_id = $1 AND (direction = 'in' OR campaign_id IS NULL)",
      );
      expect(received).toEqual([{ contactId: ids[0] }]);
      const thread = await account.api.get(`/api/v1/conversations/${spellings[0]}/messages`);
      const people = await rowsOf(
        world,
        account,
        'SELECT FROM messages WHERE account_id = $1 AND contact_id = ANY ($2::uuid[])',
        ids,
      );
      expect(thread.body).toMatchObject({ total: people.length });
      const claimed = await rowsOf(
        world,
        account,
        "SELECT FROM campaign_recipients WHERE account_id = $1 AND campaign_id = $2 AND state = 'claimed'",
        sent,
      );
      expect(await campaignOf(account, sent)).toMatchObject({ sent_count: claimed.length, failed_count: 0 });
      expect(await balanceOf(world, account)).toBe(CREDITS - claimed.length);
    }
  });

  it('and an erasure leave nothing of the person, whichever is first', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      account = await world.account({ credits: CREDITS });
      second = { ...account, api: new ApiClient(other.baseUrl, account.apiKey) };
      const { ids, spellings } = await doubles();
      await write(world, spellings[0], 'STOP');
      const erased = await Promise.all([
        second.api.delete(`${CONTACTS}${ids[round % 2]}?erase=true`),
        merge(world, account, ids[0], ids[1]),
        merge(other, account, ids[1], ids[0]),
      ]);
      expect(erased[0].status).toBe(200);
      await lookForStragglers(world, account);
      const rows = await rowsOf<{ erasedAt: Date | null; mergedInto: string | null; phoneNumber: string | null }>(
        world,
        account,
        'SELECT erased_at, merged_into, phone_number FROM contacts WHERE account_id = $1',
      );
      const left = rows.filter(({ erasedAt }) => erasedAt === null);
      // If the erasure was first it erased one of two people; else both, which were one by then.
      expect(left.every(({ mergedInto }) => mergedInto === null)).toBe(true);
      expect(rows.filter(({ erasedAt }) => erasedAt !== null).every(({ phoneNumber }) => phoneNumber === null)).toBe(
        true,
      );
      expect((await account.api.get(CONTACTS)).body).toMatchObject({ total: left.length });
      expect(left.length).toBeLessThan(2);
    }
  });

  it('of the same people in circles ends with the oldest', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => createContact(account)));
    const ids = people.map(({ id }) => id);
    const merges = ids.flatMap((id, index) => [
      [world, id, ids[(index + 1) % ids.length] ?? ''] as const,
      [other, ids[(index + 2) % ids.length] ?? '', id] as const,
    ]);
    await crowdOf(merges, ([at, one, two]) => merge(at, account, one, two));
    const [left, ...others] = await living();
    expect(others).toEqual([]);
    const oldest = await rowsOf<{ id: string }>(
      world,
      account,
      // As the merge compares them.
      "SELECT id FROM contacts WHERE account_id = $1 ORDER BY date_trunc('milliseconds', created_at), id LIMIT 1",
    );
    expect(left?.id).toBe(oldest[0]?.id);
    for (const { id } of people)
      expect((await account.api.get(CONTACTS + id)).body).toMatchObject({ contact: { id: left?.id } });
    expect(await balanceOf(world, account)).toBe(CREDITS);
  });
});
