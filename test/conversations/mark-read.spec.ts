import { openWindow, SEND_MESSAGE, secondsAgo } from '../messages/messages.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';

const DAY_S = 24 * 60 * 60;

describe('marking a conversation as read', () => {
  let world: World;
  let account: TestAccount;
  let contact: string;

  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account({ phones: 2 });
    contact = uniquePhone();
  });
  afterEach(() => world.simulator.behave({ error: null }));

  const read = (fields: Record<string, unknown> = {}, who = contact) =>
    account.api.post<Record<string, unknown>>(`/api/v1/conversations/${who}/read`, fields);
  const write = (more: Record<string, unknown> = {}, phone = account.phone) => openWindow(world, phone, contact, more);
  const second = () => account.phones[1] ?? account.phone;
  const idOf = async (network: string): Promise<unknown> =>
    (
      await account.api.get<{ messages: { message_id: string; network_message_id: string }[] }>('/api/v1/messages/')
    ).body.messages.find(({ network_message_id }) => network_message_id === network)?.message_id;
  /** The receipts that the network saw, oldest first. */
  const receipts = async (phone = account.phone) =>
    (await world.simulator.requests(phone.phoneNumberId))
      .filter(({ name }) => name !== null)
      .map(({ name, body }) => ({ name, body: JSON.parse(String(body)) as unknown }))
      .reverse();

  it('tells the network that the newest message was read, and nothing else', async () => {
    await write({ timestamp: secondsAgo(60) });
    const newest = await write();
    const message_id = await idOf(newest);
    expect(await read()).toMatchObject({
      status: 200,
      body: { status: 'success', message: 'Conversation marked as read', message_id },
    });
    const body = { messaging_product: 'whatsapp', status: 'read', message_id: newest };
    expect(await receipts()).toEqual([{ name: 'read', body }]);
  });

  it('shows that an answer is being written', async () => {
    const newest = await write();
    expect((await read({ typing: true })).status).toBe(200);
    const body = { messaging_product: 'whatsapp', status: 'read', message_id: newest };
    expect(await receipts()).toEqual([{ name: 'typing', body: { ...body, typing_indicator: { type: 'text' } } }]);
    expect((await read({ typing: false })).status).toBe(200);
    expect((await receipts()).at(-1)).toEqual({ name: 'read', body });
  });

  it('is about the phone that the contact wrote to last, or the one that is named', async () => {
    const here = await write({ timestamp: secondsAgo(60) });
    const there = await write({}, second());
    expect((await read()).body['message_id']).toBe(await idOf(there));
    expect((await read({ waba_phone_id: account.phone.id })).body['message_id']).toBe(await idOf(here));
    expect([await receipts(), await receipts(second())].map((each) => each.length)).toEqual([1, 1]);
  });

  it('passes over reactions and deleted messages', async () => {
    const text = await write({ timestamp: secondsAgo(60) });
    const deleted = await write({ timestamp: secondsAgo(50) });
    await write({ type: 'revoke', original_message_id: deleted, timestamp: secondsAgo(40) });
    await write({ type: 'reaction', context_id: text, emoji: '👍' });
    expect((await read()).body['message_id']).toBe(await idOf(text));
  });

  it('finds a contact by user id', async () => {
    await write();
    const { body } = await account.api.get<{ contacts: { user_id: string | null }[] }>('/api/v1/contacts/');
    const userId = body.contacts[0]?.user_id;
    expect((await read({}, String(userId))).status).toBe(200);
  });

  it('is 400 without a message of the last 30 days, and calls nobody', async () => {
    const nothing = {
      status: 400,
      body: {
        error: 'bad_request',
        message: `contact ${contact} has sent no message in the last 30 days that could be marked as read`,
      },
    };
    expect(await read()).toMatchObject(nothing);
    await write({ timestamp: secondsAgo(30 * DAY_S + 60) });
    expect(await read()).toMatchObject(nothing);
    expect(await receipts()).toEqual([]);
    await write({ timestamp: secondsAgo(30 * DAY_S - 3600) });
    expect((await read()).status).toBe(200);
    expect(await read({ waba_phone_id: second().id })).toMatchObject(nothing);
  });

  it('is 403 for a foreign phone, and 400 for wrong fields', async () => {
    const other = await world.account();
    expect((await read({ waba_phone_id: other.phone.id })).status).toBe(403);
    expect(await read({ typing: 'yes' })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('typing must be') },
    });
  });

  it('is refused as the network refuses it, and names the reason', async () => {
    await write();
    await world.simulator.behave({ error: { code: 131009, rate: 1 } });
    expect(await read()).toMatchObject({
      status: 400,
      body: { error: 'network_rejected', message: expect.stringMatching(/^the message was not marked as read: /) },
    });
  });

  it('is 503 with Retry-After while the network says to come back later', async () => {
    await write();
    await world.simulator.behave({ error: { code: 131057, rate: 1 } });
    const { status, body, headers } = await read();
    expect({ status, body }).toMatchObject({ status: 503, body: { error: 'network_unavailable' } });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('opens no window and needs none, and takes no part in what is sent', async () => {
    await write({ timestamp: secondsAgo(25 * 60 * 60) });
    expect((await read({ typing: true })).status).toBe(200);
    const late = await account.api.post(SEND_MESSAGE, { contact_phone: contact, message_type: 'text', message: 'Hi' });
    expect(late.status).toBe(403);
    const { body } = await account.api.get<{ messages: unknown[] }>('/api/v1/messages/');
    expect(body.messages).toHaveLength(1);
  });

  it('needs the scope conversations:write', async () => {
    await write();
    const reader = await world.account({ scopes: ['conversations:read', 'messages:write'] });
    expect((await reader.api.post(`/api/v1/conversations/${contact}/read`, {})).status).toBe(403);
  });
});
