import { OrganisationsService } from '../../src/accounts/organisations.service.js';
import { deliver } from '../inbound/inbound.js';
import { crowdOf } from '../support/crowd.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { subscribe } from '../webhooks/events.js';
import { Receiver } from '../webhooks/receiver.js';
import {
  act,
  type ConversationEventBody,
  enrol,
  eventsOf,
  holdingsOf,
  receive,
  requestAction,
  stateOf,
} from './conversations.js';

let world: World;
let account: TestAccount;
let ada: string;
let phone: string;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account({ phones: 2 });
  ada = await enrol(world, account, 'Ada Agent');
  phone = uniquePhone();
});

const lastEvent = async () => (await eventsOf(world, account)).at(-1);
const write = (from: string, body = 'Hello') =>
  deliver(world, account.phone, {
    messages: [
      {
        id: `wamid.${uniqueDigits()}`,
        timestamp: `${Math.floor(Date.now() / 1000)}`,
        type: 'text',
        text: { body },
        from,
      },
    ],
  });

describe('an assignment', () => {
  it('after a release is not a reassignment: is_reassignment false, no previous assignee, no note', async () => {
    await act(account, 'assign', phone, { user_id: ada });
    await act(account, 'unassign', phone);
    const fields = { is_reassignment: false, previous_assignee_id: null, previous_assignee_name: null, note: null };
    const assigned = await act(account, 'assign', phone, { user_id: account.ownerId, note: 'not kept' });
    expect(assigned).toMatchObject({ ...fields, no_op: false });
    expect((await lastEvent())?.conversation).toMatchObject(fields);
  });

  it.each(['', ' \n', null, undefined])('has no note for the note %j', async (note) => {
    await act(account, 'assign', phone, { user_id: account.ownerId });
    expect(await act(account, 'assign', phone, { user_id: ada, note })).toMatchObject({
      is_reassignment: true,
      note: null,
    });
    expect((await lastEvent())?.conversation.note).toBeNull();
    expect((await holdingsOf(world, account)).at(-1)?.note).toBeNull();
  });

  it('shows a note of 2,000 characters unchanged in answer, event, list and history', async () => {
    const note = ` ${'é'.repeat(1995)}\t"😀 `;
    expect([...note]).toHaveLength(2000);
    await act(account, 'assign', phone, { user_id: account.ownerId });
    expect((await act(account, 'assign', phone, { user_id: ada, note })).note).toBe(note);
    expect((await lastEvent())?.conversation.note).toBe(note);
    expect((await holdingsOf(world, account)).at(-1)?.note).toBe(note);
    const { body } = await account.api.get('/api/v1/conversations/');
    expect(body.conversations).toMatchObject([{ note }]);
    const refused = await requestAction(account, 'assign', phone, { user_id: account.ownerId, note: `${note}x` });
    expect(refused).toMatchObject({
      status: 400,
      body: { message: 'note must be at most 2000 characters (got 2001)' },
    });
    expect(await stateOf(account, phone)).toMatchObject({ assigned_to: ada });
  });

  it('keeps assigned_at until the assignee changes: no-op, resolve and reply do not change it', async () => {
    const { assigned_at } = await act(account, 'assign', phone, { user_id: ada });
    expect((await act(account, 'assign', phone, { user_id: ada })).assigned_at).toBe(assigned_at);
    expect((await act(account, 'resolve', phone)).assigned_at).toBe(assigned_at);
    await receive(world, account, phone);
    expect((await stateOf(account, phone)).assigned_at).toBe(assigned_at);
    expect((await act(account, 'assign', phone, { user_id: account.ownerId })).assigned_at).not.toBe(assigned_at);
  });
});

describe('a reopen', () => {
  it('of the owner’s own conversation has no previous assignee', async () => {
    await act(account, 'assign', phone, { user_id: account.ownerId });
    await act(account, 'resolve', phone);
    await act(account, 'reopen', phone);
    expect((await lastEvent())?.conversation).toMatchObject({
      assigned_to: account.ownerId,
      is_reassignment: false,
      previous_assignee_id: null,
      previous_assignee_name: null,
    });
    expect(await holdingsOf(world, account)).toHaveLength(1);
  });

  it('of an open, unassigned conversation leaves it unassigned and emits nothing', async () => {
    await receive(world, account, phone);
    expect(await act(account, 'reopen', phone)).toMatchObject({ status: 'open', assigned_to: null });
    expect(await stateOf(account, phone)).toMatchObject({ status: 'open', assigned_to: null });
    expect(await eventsOf(world, account)).toEqual([]);
  });
});

describe('a release', () => {
  it('of a resolved conversation emits once, with status resolved', async () => {
    await act(account, 'assign', phone, { user_id: ada });
    await act(account, 'resolve', phone);
    await act(account, 'unassign', phone);
    await act(account, 'unassign', phone);
    const emitted = (await eventsOf(world, account)).slice(2);
    expect(emitted).toMatchObject([
      {
        event: 'conversation.unassigned',
        conversation: {
          status: 'resolved',
          assigned_to: null,
          assigned_to_name: null,
          previous_assignee_id: ada,
          previous_assignee_name: 'Ada Agent',
          is_reassignment: false,
          reason: null,
        },
      },
    ]);
  });

  it('on a business phone without a conversation creates nothing and answers that phone', async () => {
    await act(account, 'assign', phone, { user_id: ada });
    const second = account.phones[1]?.id;
    expect(await act(account, 'unassign', phone, { waba_phone_id: second })).toMatchObject({ waba_phone_id: second });
    expect(await stateOf(account, phone, `?waba_phone_id=${second}`)).toMatchObject({ has_conversation: false });
    expect(await stateOf(account, phone)).toMatchObject({ assigned_to: ada });
  });
});

describe('a resolution', () => {
  it('accepts a reason of 2,000 characters and emits it; a blank one counts as none', async () => {
    const reason = '😀'.repeat(2000);
    await act(account, 'resolve', phone, { reason });
    expect((await lastEvent())?.conversation).toMatchObject({ reason, note: null });
    await act(account, 'reopen', phone);
    expect((await lastEvent())?.conversation.reason).toBeNull();
    await act(account, 'resolve', phone, { reason: ' ' });
    expect((await lastEvent())?.conversation.reason).toBeNull();
    expect(await requestAction(account, 'resolve', phone, { reason: 7 })).toMatchObject({
      status: 400,
      body: { message: 'reason must be a string, not a number (7)' },
    });
  });
});

it('keeps a separate conversation per business phone, each with its own state and events', async () => {
  const [first, second] = account.phones.map(({ id }) => id);
  await act(account, 'assign', phone, { user_id: ada, waba_phone_id: first });
  await act(account, 'resolve', phone, { waba_phone_id: second });
  expect(await stateOf(account, phone, `?waba_phone_id=${first}`)).toMatchObject({ status: 'open', assigned_to: ada });
  expect(await stateOf(account, phone, `?waba_phone_id=${second}`)).toMatchObject({ status: 'resolved' });
  await write(phone);
  expect(await stateOf(account, phone, `?waba_phone_id=${second}`)).toMatchObject({ status: 'resolved' });
  const emitted = (await eventsOf(world, account)).map(({ event, conversation }) => [
    event,
    conversation.waba_phone_id,
  ]);
  expect(emitted).toEqual([
    ['conversation.assigned', first],
    ['conversation.resolved', second],
  ]);
  const { body } = await account.api.get<{ total: number }>('/api/v1/contacts/');
  expect(body.total).toBe(1);
});

it('lists conversations that were active at the same moment once each, in a stable order', async () => {
  const phones = Array.from({ length: 12 }, uniquePhone);
  for (const number of phones) await receive(world, account, number);
  await world.unitOfWork.autocommit.affected('UPDATE conversations SET last_message_at = now() WHERE account_id = $1', [
    account.accountId,
  ]);
  const pages = await Promise.all(
    [1, 2, 3].map((page) =>
      account.api.get<{ conversations: { phone_number: string }[] }>(`/api/v1/conversations/?limit=5&page=${page}`),
    ),
  );
  const listed = pages.flatMap(({ body }) => body.conversations.map(({ phone_number }) => phone_number));
  expect(listed.toSorted()).toEqual(phones.toSorted());
});

it('rejects reading the assignment on a business phone of a sibling account (403)', async () => {
  const sibling = await world.account();
  await world.unitOfWork.autocommit.affected('UPDATE accounts SET organisation_id = $2 WHERE id = $1', [
    sibling.accountId,
    account.organisationId,
  ]);
  await act(sibling, 'assign', phone, { user_id: ada });
  for (const path of ['assignment', 'messages']) {
    const query = `?waba_phone_id=${sibling.phone.id}`;
    expect(await account.api.get(`/api/v1/conversations/${phone}/${path}${query}`)).toMatchObject({
      status: 403,
      body: { error: 'forbidden', message: `no access to business phone ${sibling.phone.id}` },
    });
  }
  expect(await stateOf(account, phone)).toMatchObject({ has_conversation: false });
});

it('creates an open, unassigned conversation for an outgoing message without emitting an event', async () => {
  const { name } = await approvedTemplate(world, account);
  const sent = await account.api.post('/api/v1/messages/send', { template_name: name, contact_phone: phone });
  expect(sent.status).toBe(200);
  expect(await stateOf(account, phone)).toMatchObject({ has_conversation: true, status: 'open', assigned_to: null });
  await act(account, 'resolve', phone);
  await account.api.post('/api/v1/messages/send', { template_name: name, contact_phone: phone });
  expect(await stateOf(account, phone)).toMatchObject({ status: 'resolved' });
  expect(await eventsOf(world, account)).toHaveLength(1);
});

describe('conversation events reach webhooks', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await Receiver.listen();
  });
  afterEach(() => receiver.close());
  /** The events that have come. On a busy machine one may come again, with the same id. */
  const delivered = async (count: number) => {
    const all = await until(`${count} events have come`, () => {
      const byId = new Map(receiver.received.map(({ headers, body }) => [headers['webhook-id'], body]));
      return byId.size >= count && [...byId.values()];
    });
    return all
      .map((body) => JSON.parse(body.toString('utf8')) as ConversationEventBody)
      .sort((one, other) => one.timestamp.localeCompare(other.timestamp));
  };

  it('with exactly the documented fields, one per change', async () => {
    await subscribe(account, { url: receiver.url() });
    await act(account, 'assign', phone, { user_id: ada });
    await act(account, 'assign', phone, { user_id: ada });
    await act(account, 'assign', phone, { user_id: account.ownerId, note: 'yours' });
    await act(account, 'resolve', phone, { reason: 'done' });
    await act(account, 'reopen', phone);
    await act(account, 'unassign', phone);
    const events = await delivered(5);
    expect(events.map(({ event }) => event)).toEqual(
      ['assigned', 'assigned', 'resolved', 'reopened', 'unassigned'].map((kind) => `conversation.${kind}`),
    );
    const owner = { user_id: account.ownerId, name: 'Olive Owner' };
    expect(events[1]).toEqual({
      event: 'conversation.assigned',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
      conversation: {
        contact_phone: phone,
        waba_phone_id: account.phone.id,
        status: 'open',
        assigned_to: owner.user_id,
        assigned_to_name: owner.name,
        previous_assignee_id: ada,
        previous_assignee_name: 'Ada Agent',
        is_reassignment: true,
        note: 'yours',
        reason: null,
        actor: { ...owner, source: 'api' },
      },
    });
    for (const { conversation } of events) {
      expect(Object.keys(conversation).sort()).toEqual(Object.keys(events[1]?.conversation ?? {}).sort());
    }
  });

  it('of automatic rules with the actor system, to endpoints subscribed to that kind only', async () => {
    await world.parley.app.get(OrganisationsService).set(String(account.organisationId), { autoInbound: true });
    await subscribe(account, { url: receiver.url(), subscribed_events: ['conversation.assigned'] });
    const phones = Array.from({ length: 20 }, uniquePhone);
    await crowdOf(phones, (from) => write(from));
    const events = await delivered(20);
    expect(events.map(({ conversation }) => conversation.contact_phone).sort()).toEqual(phones.sort());
    for (const { event, conversation } of events) {
      expect(event).toBe('conversation.assigned');
      expect(conversation.actor).toEqual({ user_id: 'system', name: 'system', source: 'auto_inbound' });
    }
    const shares = [ada, account.ownerId].map(
      (id) => events.filter(({ conversation }) => conversation.assigned_to === id).length,
    );
    expect(shares).toEqual([10, 10]);
  });
});
