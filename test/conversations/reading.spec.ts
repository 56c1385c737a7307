import type { ConversationRecord } from '../../src/conversations/dto/conversation.dto.js';
import type { ConversationsResponse } from '../../src/conversations/dto/conversation-responses.dto.js';
import { newRecordId } from '../../src/values/record-id.js';
import { crowd } from '../support/crowd.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { act, enrol, receive, stateOf } from './conversations.js';

let world: World;
let account: TestAccount;
let ada: string;
beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account();
  ada = await enrol(world, account, 'Ada Agent');
});

const list = async ({ api }: TestAccount, query = '') => {
  const { status, body } = await api.get<ConversationsResponse>(`/api/v1/conversations/${query}`);
  expect(status).toBe(200);
  return body;
};
const phones = ({ conversations }: ConversationsResponse) => conversations.map(({ phone_number }) => phone_number);

describe('get assignment state', () => {
  it('answers has_conversation false and nulls when there is no conversation, never 404', async () => {
    const phone = uniquePhone();
    expect(await stateOf(account, phone)).toEqual({
      phone_number: phone,
      waba_phone_id: account.phone.id,
      has_conversation: false,
      status: null,
      assigned_to: null,
      assigned_to_name: null,
      assigned_at: null,
    });
  });

  it('answers status and assignee of the conversation', async () => {
    const phone = uniquePhone();
    const { assigned_at } = await act(account, 'assign', phone, { user_id: ada });
    expect(await stateOf(account, phone)).toEqual({
      phone_number: phone,
      waba_phone_id: account.phone.id,
      has_conversation: true,
      status: 'open',
      assigned_to: ada,
      assigned_to_name: 'Ada Agent',
      assigned_at,
    });
  });

  it('finds a conversation created by a message', async () => {
    const phone = uniquePhone();
    await receive(world, account, phone);
    expect(await stateOf(account, phone)).toMatchObject({ has_conversation: true, status: 'open', assigned_to: null });
  });

  it('answers for an account without a business number', async () => {
    const phoneless = await world.account();
    await world.unitOfWork.autocommit.affected('DELETE FROM business_phones WHERE account_id = $1', [
      phoneless.accountId,
    ]);
    expect(await stateOf(phoneless, uniquePhone())).toMatchObject({ waba_phone_id: null, has_conversation: false });
  });

  it('never shows conversations of another account', async () => {
    const other = await world.account();
    const phone = uniquePhone();
    await act(other, 'assign', phone, { user_id: other.ownerId });
    expect(await stateOf(account, phone)).toMatchObject({ has_conversation: false, assigned_to: null });
    expect((await list(account)).total).toBe(0);
  });

  it.each([
    ['+4915112345678', '', 400],
    ['123456', '', 400],
    ['4915112345678', '?waba_phone_id=x', 400],
    ['4915112345678', `?waba_phone_id=${newRecordId()}`, 403],
  ])('answers %s%s with %i', async (phone, query, status) => {
    const refused = await account.api.get(`/api/v1/conversations/${phone}/assignment${query}`);
    expect(refused.status).toBe(status);
    expect(Object.keys(refused.body).sort()).toEqual(['error', 'message']);
  });

  it('requires the scope conversations:read, and works while the account is suspended', async () => {
    const writing = await world.account({ scopes: ['conversations:write'] });
    const path = `/api/v1/conversations/${uniquePhone()}/assignment`;
    expect((await writing.api.get(path)).status).toBe(403);
    await world.unitOfWork.autocommit.affected("UPDATE accounts SET status = 'suspended' WHERE id = $1", [
      account.accountId,
    ]);
    expect((await account.api.get(path)).status).toBe(200);
  });
});

describe('list conversations', () => {
  it('answers the whole record: assignment data, contact, last message and window', async () => {
    const phone = uniquePhone();
    const at = new Date(Date.now() - 60_000);
    await receive(world, account, phone, { at, preview: 'Hello?' });
    await act(account, 'assign', phone, { user_id: account.ownerId });
    const { assigned_at } = await act(account, 'assign', phone, { user_id: ada, note: 'yours' });
    const body = await list(account);
    expect(body).toEqual({ status: 'success', conversations: [expect.anything()], total: 1, page: 1, limit: 20 });
    expect(body.conversations[0]).toEqual({
      phone_number: phone,
      waba_phone_id: account.phone.id,
      status: 'open',
      assigned_to: ada,
      assigned_to_name: 'Ada Agent',
      assigned_at,
      is_reassignment: true,
      previous_assignee_id: account.ownerId,
      previous_assignee_name: 'Olive Owner',
      note: 'yours',
      no_op: null,
      contact_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      contact_name: expect.stringMatching(/^User #\d{6}$/),
      last_message_at: at.toISOString().replace('Z', '+00:00'),
      last_message_preview: 'Hello?',
      last_message_direction: null,
      last_message_status: null,
      waiting_since: at.toISOString().replace('Z', '+00:00'),
      window_expires_at: new Date(at.getTime() + 86_400_000).toISOString().replace('Z', '+00:00'),
      created_at: expect.stringMatching(/\+00:00$/),
    } satisfies ConversationRecord);
  });

  it('is empty at first, and has nulls where nothing has happened yet', async () => {
    expect(await list(account)).toEqual({ status: 'success', conversations: [], total: 0, page: 1, limit: 20 });
    await act(account, 'resolve', uniquePhone());
    expect((await list(account)).conversations).toMatchObject([
      { is_reassignment: null, last_message_at: null, last_message_preview: null, window_expires_at: null },
    ]);
  });

  it('lists the most recently active first, each once across all pages', async () => {
    const numbers = Array.from({ length: 5 }, uniquePhone);
    for (const phone of numbers) await act(account, 'reopen', phone);
    expect(phones(await list(account))).toEqual([...numbers].reverse());
    const paged = await Promise.all([1, 2, 3].map((page) => list(account, `?limit=2&page=${page}`)));
    expect(paged.flatMap(phones)).toEqual([...numbers].reverse());
    expect(paged.map(({ total }) => total)).toEqual([5, 5, 5]);
    expect((await list(account, '?limit=2&page=4')).conversations).toEqual([]);
    const [oldest] = numbers;
    await receive(world, account, String(oldest));
    expect(phones(await list(account))[0]).toBe(oldest);
  });

  it('moves the conversation of an outgoing message to the top', async () => {
    const [first, second] = [uniquePhone(), uniquePhone()];
    await receive(world, account, first, { at: new Date(Date.now() - 2000) });
    await receive(world, account, second, { at: new Date(Date.now() - 1000) });
    const { name } = await approvedTemplate(world, account, { body: { text: 'Anything else?' } });
    const sent = await account.api.post('/api/v1/messages/send', { template_name: name, contact_phone: first });
    expect(sent.status).toBe(200);
    expect((await list(account)).conversations).toMatchObject([
      { phone_number: first, last_message_preview: 'Anything else?' },
      { phone_number: second },
    ]);
  });

  it('filters by status, assignee and unassigned, with matching totals', async () => {
    const [adas, adasResolved, nobodys, nobodysResolved] = [uniquePhone(), uniquePhone(), uniquePhone(), uniquePhone()];
    for (const phone of [adas, adasResolved]) await act(account, 'assign', phone, { user_id: ada });
    await receive(world, account, nobodys);
    for (const phone of [adasResolved, nobodysResolved]) await act(account, 'resolve', phone);
    const found = async (query: string) => {
      const body = await list(account, query);
      expect(body.total).toBe(body.conversations.length);
      return phones(body).sort();
    };
    expect(await found('')).toHaveLength(4);
    expect(await found('?status=open')).toEqual([adas, nobodys].sort());
    expect(await found('?status=resolved')).toEqual([adasResolved, nobodysResolved].sort());
    expect(await found(`?assigned_to=${ada}`)).toEqual([adas, adasResolved].sort());
    expect(await found(`?assigned_to=${ada}&status=open`)).toEqual([adas]);
    expect(await found('?unassigned=true')).toEqual([nobodys, nobodysResolved].sort());
    expect(await found('?unassigned=true&status=resolved')).toEqual([nobodysResolved]);
    expect(await found('?unassigned=false')).toEqual([adas, adasResolved].sort());
    expect(await found(`?unassigned=true&assigned_to=${ada}`)).toEqual([]);
    expect(await found(`?assigned_to=${newRecordId()}`)).toEqual([]);
  });

  it.each([
    ['?status=closed', 'status must be one of open, resolved (got closed)'],
    ['?assigned_to=ada', 'assigned_to must be an id (got ada)'],
    ['?unassigned=yes', 'unassigned must be one of true, false (got yes)'],
    ['?page=0', 'page must be a whole number'],
    ['?limit=101', 'limit must be a whole number from 1 to 100 (got 101)'],
    ['?status=open&status=resolved', 'status must be one of'],
  ])('rejects ?%s (400)', async (query, message) => {
    const refused = await account.api.get(`/api/v1/conversations/${query}`);
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual({ error: 'bad_request', message: expect.stringContaining(message) });
  });

  it('keeps exact totals under concurrency', async () => {
    const numbers = Array.from({ length: 11 }, uniquePhone);
    await crowd(120, (index) => {
      const action = (['assign', 'resolve', 'reopen', 'unassign'] as const)[index % 4] ?? 'assign';
      const user_id = index % 3 ? ada : account.ownerId;
      return account.api.post(`/api/v1/conversations/${numbers[index % 11]}/${action}`, { user_id });
    });
    const everything = (await list(account, '?limit=100')).conversations;
    expect(everything).toHaveLength(11);
    for (const status of ['open', 'resolved']) {
      for (const holder of [ada, account.ownerId, null]) {
        const query = holder === null ? 'unassigned=true' : `assigned_to=${holder}`;
        const { total, conversations } = await list(account, `?limit=100&status=${status}&${query}`);
        const right = everything.filter((item) => item.status === status && item.assigned_to === holder);
        expect(total).toBe(right.length);
        expect(conversations).toEqual(right);
      }
    }
  });
});
