import type { ConversationsResponse } from '../../src/conversations/dto/conversation-responses.dto.js';
import { started, untilCampaign } from '../campaigns/campaigns.js';
import { SEND_MESSAGE, secondsAgo } from '../messages/messages.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { act, enrol, receive } from './conversations.js';
import { anotherPhone, conversationOf, manyMessages } from './threads.js';

/** How long a statement of ten thousand rows may take on a busy machine, milliseconds. */
const STATEMENT_MS = 120_000;

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account();
});

const ask = (query: string) => account.api.get<ConversationsResponse>(`/api/v1/conversations/${query}`);
const list = async (query: string) => {
  const { status, body, text } = await ask(query);
  if (status !== 200) throw new Error(text);
  return body;
};
const phones = async (query: string) => (await list(query)).conversations.map(({ phone_number }) => phone_number);
const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

/** Conversations: a campaign's, and those of people who wrote; returns their numbers. */
async function inbox() {
  const [silent, first, second, answered] = Array.from({ length: 4 }, uniquePhone) as [string, string, string, string];
  const { name } = await approvedTemplate(world, account);
  await world.simulator.inbound({
    phone_number_id: account.phone.phoneNumberId,
    from: answered,
    type: 'text',
    text: 'Hello?',
    timestamp: secondsAgo(1800),
  });
  for (const [phone, minutes] of [
    [first, 20],
    [second, 10],
  ] as const) {
    await receive(world, account, phone, { at: minutesAgo(minutes) });
  }
  const campaign = await started(account, name, [silent, first]);
  await untilCampaign(account, campaign, 'completed');
  await account.api.post(SEND_MESSAGE, { contact_phone: answered, message_type: 'text', message: 'Yes' });
  return { silent, first, second, answered, campaign };
}

describe('the list of conversations', () => {
  it('tells who has written, who waits, and in which order', async () => {
    const { silent, first, second, answered } = await inbox();
    expect(await list('?has_inbound=true')).toMatchObject({ total: 3 });
    expect(await phones('?has_inbound=true')).toEqual([answered, first, second]);
    expect(await phones('?has_inbound=false')).toEqual([silent]);
    expect(await phones('?waiting=true&order=created')).toEqual(
      expect.arrayContaining([first, second]) as unknown as string[],
    );
    expect(await list('?waiting=true')).toMatchObject({ total: 2 });
    expect((await phones('?waiting=false')).toSorted()).toEqual([silent, answered].toSorted());
    expect(await phones('?order=last_inbound')).toEqual([second, first, answered]);
    expect(await phones('?order=longest_waiting')).toEqual([first, second]);
    expect(await phones('?order=longest_waiting&limit=1&page=2')).toEqual([second]);
    expect(await list('?order=longest_waiting&status=resolved')).toMatchObject({ total: 0, conversations: [] });
  });

  it('combines these with status and assignee', async () => {
    const { first, second, answered } = await inbox();
    const ada = await enrol(world, account, 'Ada Agent');
    await act(account, 'assign', second, { user_id: ada });
    await act(account, 'resolve', answered);
    expect(await phones(`?has_inbound=true&assigned_to=${ada}`)).toEqual([second]);
    expect(await phones('?waiting=true&unassigned=true')).toEqual([first]);
    expect(await phones('?order=last_inbound&status=open')).toEqual([second, first]);
    expect(await phones('?order=last_inbound&status=resolved&unassigned=true')).toEqual([answered]);
    expect(await phones(`?order=longest_waiting&unassigned=false`)).toEqual([second]);
  });

  it('finds people by name, number and user id, and not by e-mail address', async () => {
    // Nothing was sent to this person, so no report tells another user id.
    const { second } = await inbox();
    const contactId = (await conversationOf(account, second)).contact_id;
    const fields = { first_name: 'Åsa', last_name: 'Lindgrove', email: 'somebody@lighthouse.test' };
    await account.api.patch(`/api/v1/contacts/${contactId}`, fields);
    const userId = `US.${uniqueDigits()}7`;
    await world.unitOfWork.autocommit.affected('UPDATE contacts SET user_id = $3 WHERE account_id = $1 AND id = $2', [
      account.accountId,
      contactId,
      userId,
    ]);
    for (const text of ['lindgrove', 'asa lind', 'ÅSA', second.slice(-6), `+${second}`, second, userId]) {
      expect([text, await phones(`?search=${encodeURIComponent(text)}`)]).toEqual([text, [second]]);
    }
    expect(await list('?search=lighthouse')).toMatchObject({ total: 0 });
    expect(await phones(`?search=${second}&has_inbound=true&waiting=true`)).toEqual([second]);
    expect(await phones(`?search=${second}&has_inbound=false`)).toEqual([]);
    expect((await list('?search=%20')).total).toBeGreaterThan(3);
  });

  it('finds the conversations of a campaign and of a business phone', async () => {
    const { silent, first, second, campaign } = await inbox();
    expect((await phones(`?campaign_id=${campaign}`)).toSorted()).toEqual([silent, first].toSorted());
    expect(await phones(`?campaign_id=${campaign}&has_inbound=true`)).toEqual([first]);
    expect(await phones(`?campaign_id=${campaign}&order=longest_waiting`)).toEqual([first]);
    expect(await list(`?campaign_id=${account.accountId}`)).toMatchObject({ total: 0 });
    const other = await anotherPhone(world, account);
    await manyMessages(world, account, second, { count: 1, businessPhoneId: other });
    expect(await phones(`?waba_phone_id=${other}`)).toEqual([second]);
    expect((await list(`?waba_phone_id=${account.phone.id}`)).total).toBe(4);
    // The campaign was sent with the account's first phone only.
    await manyMessages(world, account, first, { count: 1, businessPhoneId: other });
    expect((await list(`?campaign_id=${campaign}`)).total).toBe(2);
    const foreign = (await world.account()).phone.id;
    expect((await ask(`?waba_phone_id=${foreign}`)).status).toBe(403);
  });

  it('walks every order with cursors', async () => {
    const numbers = Array.from({ length: 7 }, uniquePhone);
    for (const [index, phone] of numbers.entries()) {
      await receive(world, account, phone, { at: minutesAgo(60 - index) });
    }
    for (const query of ['order=last_inbound', 'order=longest_waiting', 'has_inbound=true', 'waiting=true&search=49']) {
      const whole = await phones(`?${query}`);
      const walked: (string | null)[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: ConversationsResponse = await list(`?${query}&limit=2&cursor=${cursor}`);
        walked.push(...page.conversations.map(({ phone_number }) => phone_number));
        cursor = page.next_cursor ?? null;
      }
      expect(walked).toEqual(whole);
    }
  });

  it.each([
    ['has_inbound=yes', 'has_inbound must be one of true, false (got yes)'],
    ['waiting=1', 'waiting must be one of true, false (got 1)'],
    ['order=longest', 'order must be one of active, created, last_inbound, longest_waiting'],
    ['order=last_inbound&has_inbound=false', 'order=last_inbound and has_inbound=false exclude each other'],
    ['order=longest_waiting&waiting=false', 'order=longest_waiting and waiting=false exclude each other'],
    ['campaign_id=x', 'campaign_id must be an id (got x)'],
    [`search=${'x'.repeat(257)}`, 'search must be at most 256 characters (got 257)'],
  ])('refuses %s (400)', async (query, message) => {
    expect(await ask(`?${query}`)).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
  });

  it('counts filtered lists to 10,000, and others exactly', async () => {
    const insert = `WITH contact AS (
         INSERT INTO contacts (account_id, id, phone_number, first_name, source)
         SELECT $1, new_record_id(), '4917' || lpad(i::text, 9, '0'), 'Grace', 'import' FROM generate_series(1, 10002) AS i
         RETURNING id
       )
       INSERT INTO conversations (account_id, contact_id, business_phone_id, last_message_at, last_inbound_at, waiting_since)
       SELECT $1, id, $2, now(), now(), now() FROM contact`;
    await world.unitOfWork.transaction((tx) => tx.affected(insert, [account.accountId, account.phone.id]), {
      statementMs: STATEMENT_MS,
    });
    const capped = { total: 10_000, total_is_capped: true };
    for (const query of ['has_inbound=true', 'waiting=true', 'order=last_inbound', 'search=grace']) {
      expect(await list(`?${query}&limit=1`)).toMatchObject(capped);
    }
    expect((await list('?order=longest_waiting&limit=3&page=3334')).conversations).toHaveLength(3);
    const all = await list('?limit=1');
    expect(all).toMatchObject({ total: 10_002 });
    expect(all).not.toHaveProperty('total_is_capped');
  });
});

describe('a conversation', () => {
  it('is read by its address, with its last message', async () => {
    const { silent, answered, first } = await inbox();
    // By default the network reports that they were read, last.
    for (const phone of [first, answered]) {
      await until('all reports are in', async () => {
        return (await conversationOf(account, phone)).last_message_status === 'read';
      });
    }
    expect(await conversationOf(account, first)).toEqual((await list(`?search=${first}`)).conversations[0]);
    expect(await conversationOf(account, silent)).toMatchObject({ last_message_direction: 'out', waiting_since: null });
    const inbound = { phone_number_id: account.phone.phoneNumberId, from: answered, type: 'text', text: 'Hi' };
    await world.simulator.inbound(inbound);
    expect(await conversationOf(account, answered)).toMatchObject({
      last_message_direction: 'in',
      last_message_status: 'received',
    });
  });

  it('is 404 without one, and of another account', async () => {
    const phone = uniquePhone();
    const path = `/api/v1/conversations/${phone}`;
    expect(await account.api.get(path)).toMatchObject({ status: 404, body: { error: 'not_found' } });
    await act(account, 'resolve', phone);
    expect((await account.api.get(path)).status).toBe(200);
    expect((await (await world.account()).api.get(path)).status).toBe(404);
  });
});
