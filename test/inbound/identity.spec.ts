import { userIdOf } from '../../simulator/callbacks/user-ids.js';
import type { ContactRecord } from '../../src/contacts/dto/contact.dto.js';
import { act, eventsOf as conversationEventsOf, enrol } from '../conversations/conversations.js';
import { eventsOf, kindsOf, openWindow, report, SEND_MESSAGE, sentUpstream } from '../messages/messages.js';
import { crowd } from '../support/crowd.js';
import { ForeignSession } from '../support/foreign-session.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { deliver, receivedBy, unhandledOf } from './inbound.js';

describe('a person who hides their number', () => {
  let world: World;
  let account: TestAccount;
  let userId: string;
  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    userId = `US.${uniqueDigits()}`;
  });

  const writes = (fields: Record<string, unknown> = {}) =>
    world.simulator.inbound({
      phone_number_id: account.phone.phoneNumberId,
      from_user_id: userId,
      type: 'text',
      text: 'Hi',
      ...fields,
    });
  const contacts = async (): Promise<ContactRecord[]> =>
    (await account.api.get<{ contacts: ContactRecord[] }>('/api/v1/contacts/')).body.contacts;
  const payloadOf = async (kind: string) => (await eventsOf(world, account)).find(({ event }) => event === kind);
  const reply = async (fields: Record<string, unknown> = {}): Promise<string> => {
    const body = { contact_user_id: userId, message_type: 'text', message: 'Hello', ...fields };
    const response = await account.api.post<{ message_id: string }>(SEND_MESSAGE, body);
    if (response.status !== 200) throw new Error(response.text);
    return response.body.message_id;
  };

  it('becomes a contact without a number, named by the profile', async () => {
    expect(await writes({ name: 'Ada Lindgrove', username: 'ada' })).toMatchObject({ callback_status: 200 });
    const [contact] = await contacts();
    expect(contact).toEqual({
      id: expect.any(String),
      first_name: 'Ada',
      last_name: 'Lindgrove',
      phone_number: null,
      user_id: userId,
      username: 'ada',
      email: null,
      company: null,
      tags: [],
      opted_in: true,
      source: 'inbound',
      created_at: expect.any(String),
    } satisfies ContactRecord);
    expect(await account.api.get(`/api/v1/contacts/${contact?.id}`)).toMatchObject({ body: { contact } });
    expect(await unhandledOf(world, account.accountId)).toEqual([]);
  });

  it('is called User # and six digits without a profile, and has username null without one', async () => {
    await deliver(world, account.phone, {
      messages: [{ id: `wamid.${uniqueDigits()}`, from_user_id: userId, type: 'text', text: { body: 'Hi' } }],
    });
    expect(await contacts()).toMatchObject([{ first_name: expect.stringMatching(/^User #\d{6}$/), username: null }]);
    await writes({ name: 'Ada', username: 'ada' });
    expect(await contacts()).toMatchObject([{ first_name: 'Ada', username: 'ada' }]);
  });

  it('is one contact, however many messages arrive concurrently', async () => {
    await crowd(10, () => writes());
    expect(await contacts()).toHaveLength(1);
    const received = await receivedBy(account);
    expect(received).toHaveLength(10);
    expect(new Set(received.map(({ contact_id }) => contact_id)).size).toBe(1);
  });

  it('is named by the user id in message.received, with contact_phone null', async () => {
    await writes({ name: 'Ada' });
    expect(await payloadOf('message.received')).toMatchObject({
      message: { contact_phone: null, contact_user_id: userId, contact_name: 'Ada', content: 'Hi' },
    });
  });

  it('is named by the user id in events and records of replies and button taps', async () => {
    await writes();
    const buttons = { type: 'reply', reply_buttons: [{ id: 'yes', title: 'Yes' }] };
    const messageId = await reply({ buttons });
    const [entry] = await world.simulator.ledger(account.phone.phoneNumberId);
    await writes({ type: 'button_reply', text: undefined, button_id: 'yes', title: 'Yes', context_id: entry?.id });
    const who = { contact_phone: null, contact_user_id: userId };
    expect(await payloadOf('message.reply')).toMatchObject({
      original_message: { message_id: messageId, ...who },
      reply: { content: 'Yes', ...who },
    });
    expect(await payloadOf('button.clicked')).toMatchObject({ message: { message_id: messageId, ...who } });
    const { body } = await account.api.get(`/api/v1/messages/?contact_user_id=${userId}`);
    expect(body).toMatchObject({ total: 3, messages: [who, who, who] });
  });

  it('is named in status events from reports that carry only the user id', async () => {
    await writes();
    const id = await reply();
    const [entry] = await world.simulator.ledger(account.phone.phoneNumberId);
    const mine = { id: String(entry?.id), recipient_id: undefined, recipient_user_id: userId };
    await report(world, account.phone.phoneNumberId, { ...mine, status: 'delivered', biz_opaque_callback_data: id });
    await report(world, account.phone.phoneNumberId, { ...mine, status: 'read' });
    expect(await kindsOf(world, account)).toEqual(
      expect.arrayContaining(['message.sent', 'message.delivered', 'message.read']),
    );
    for (const kind of ['message.sent', 'message.delivered', 'message.read']) {
      expect(await payloadOf(kind)).toMatchObject({ message: { contact_phone: null, contact_user_id: userId } });
    }
    expect(await contacts()).toMatchObject([{ phone_number: null, user_id: userId }]);
  });

  it('opts out and in by keyword', async () => {
    await writes({ text: 'STOP' });
    expect(await contacts()).toMatchObject([{ opted_in: false }]);
    await writes({ text: 'start' });
    expect(await contacts()).toMatchObject([{ opted_in: true }]);
  });

  it('is auto-assigned and gets the auto-reply', async () => {
    const agent = await enrol(world, account, 'Ada Agent');
    await world.unitOfWork.autocommit.affected(
      'UPDATE organisations SET auto_reply = $2, auto_reply_user_id = $3 WHERE id = $1',
      [account.organisationId, 'We will be with you', agent],
    );
    await writes();
    await until('the reply is sent', async () => (await sentUpstream(world, account.phone)).length > 0);
    const [sent] = await sentUpstream(world, account.phone);
    expect(sent).toMatchObject({ recipient: userId, text: { body: 'We will be with you' } });
    expect(sent).not.toHaveProperty('to');
    expect(await conversationEventsOf(world, account)).toMatchObject([
      { conversation: { contact_phone: null, contact_user_id: userId, assigned_to: agent } },
    ]);
  });

  it('is found again when deleted and writing once more', async () => {
    await writes({ name: 'Ada' });
    const [contact] = await contacts();
    await account.api.delete(`/api/v1/contacts/${contact?.id}`);
    await writes();
    expect(await contacts()).toMatchObject([{ id: contact?.id, first_name: 'Ada' }]);
  });

  it('can be given a number, and keeps user id and thread', async () => {
    await writes({ name: 'Ada', username: 'ada' });
    const [contact] = await contacts();
    const phone_number = uniquePhone();
    expect((await account.api.patch(`/api/v1/contacts/${contact?.id}`, { phone_number })).status).toBe(200);
    await writes();
    expect(await contacts()).toMatchObject([{ id: contact?.id, phone_number, user_id: userId, username: 'ada' }]);
    expect(await receivedBy(account)).toMatchObject([{ contact_phone: phone_number }, { contact_phone: phone_number }]);
    expect((await account.api.get(`/api/v1/conversations/${phone_number}/messages`)).body).toMatchObject({ total: 2 });
  });

  it('is a different contact in another account', async () => {
    await writes();
    const other = await world.account();
    await openWindow(world, other.phone, uniquePhone());
    expect((await other.api.get(`/api/v1/messages/?contact_user_id=${userId}`)).body).toMatchObject({ total: 0 });
  });

  it('without a well-formed user id is stored raw', async () => {
    const message = { id: `wamid.${uniqueDigits()}`, from_user_id: 'nobody', type: 'text', text: { body: 'Hi' } };
    expect(await deliver(world, account.phone, { messages: [message] })).toBe(200);
    expect(await contacts()).toEqual([]);
    expect(await unhandledOf(world, account.accountId)).toHaveLength(1);
  });
});

describe('a person whose number comes with a user id', () => {
  let world: World;
  let account: TestAccount;
  let phone: string;
  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    phone = uniquePhone();
  });

  const contacts = async (): Promise<ContactRecord[]> =>
    (await account.api.get<{ contacts: ContactRecord[] }>('/api/v1/contacts/')).body.contacts;
  const writes = (sender: Record<string, unknown>) =>
    world.simulator.inbound({ phone_number_id: account.phone.phoneNumberId, type: 'text', text: 'Hi', ...sender });
  const send = async (contact_phone = phone): Promise<{ id: string; networkId: string }> => {
    const body = { contact_phone, message_type: 'text', message: 'Hello' };
    const { body: sent } = await account.api.post<{ message_id: string }>(SEND_MESSAGE, body);
    const ledger = await world.simulator.ledger(account.phone.phoneNumberId);
    return { id: sent.message_id, networkId: ledger.at(-1)?.id ?? '' };
  };

  /** Waits for a contact to match; reports are answered before the ids in them are stored. */
  const untilKnownAs = (person: Record<string, string>) =>
    until(`the contact is ${JSON.stringify(person)}`, async () => {
      const known: Record<string, unknown>[] = (await contacts()).map((contact) => ({ ...contact }));
      return known.some((contact) => Object.entries(person).every(([name, value]) => contact[name] === value));
    });

  it('is known by both from then on', async () => {
    await writes({ from: phone, username: 'ada' });
    expect(await contacts()).toMatchObject([{ phone_number: phone, user_id: userIdOf(phone), username: 'ada' }]);
    await writes({ from_user_id: userIdOf(phone) });
    expect(await contacts()).toHaveLength(1);
    expect(await receivedBy(account)).toMatchObject([{ contact_phone: phone }, { contact_phone: phone }]);
  });

  it('has events without a user id, as before', async () => {
    await writes({ from: phone });
    await writes({ from_user_id: userIdOf(phone) });
    await act(account, 'resolve', userIdOf(phone));
    const events = await eventsOf(world, account);
    expect(events.map(({ event }) => event)).toEqual(['message.received', 'message.received', 'conversation.resolved']);
    expect(JSON.stringify(events)).not.toContain('user_id":"US.');
    expect(events[1]).toMatchObject({ message: { contact_phone: phone } });
    for (const record of await receivedBy(account)) expect(record).not.toHaveProperty('contact_user_id');
  });

  it('may reveal the number later: the contact gets it', async () => {
    await writes({ from_user_id: userIdOf(phone), name: 'Ada' });
    const [before] = await contacts();
    await writes({ from: phone });
    expect(await contacts()).toMatchObject([{ id: before?.id, first_name: 'Ada', phone_number: phone }]);
  });

  it('is identified by a report, with the username', async () => {
    const message = { from: phone, id: `wamid.${uniqueDigits()}`, type: 'text', text: { body: 'Hi' } };
    await deliver(world, account.phone, { messages: [message] });
    expect((await contacts())[0]).not.toHaveProperty('user_id');
    const { id, networkId } = await send();
    const user_id = `DE.${uniqueDigits()}`;
    await deliver(world, account.phone, {
      contacts: [{ wa_id: phone, user_id, profile: { username: 'ada' } }],
      statuses: [
        {
          id: networkId,
          status: 'delivered',
          recipient_id: phone,
          recipient_user_id: user_id,
          biz_opaque_callback_data: id,
        },
      ],
    });
    await untilKnownAs({ phone_number: phone, user_id, username: 'ada' });
  });

  it('is identified by a report matched only by the network’s id', async () => {
    const message = { from: phone, id: `wamid.${uniqueDigits()}`, type: 'text', text: { body: 'Hi' } };
    await deliver(world, account.phone, { messages: [message] });
    const { networkId } = await send();
    const recipient_user_id = `DE.${uniqueDigits()}`;
    await deliver(world, account.phone, {
      statuses: [{ id: networkId, status: 'delivered', recipient_id: phone, recipient_user_id }],
    });
    await untilKnownAs({ phone_number: phone, user_id: recipient_user_id });
  });

  it('is identified by a later report when the contact is locked: reports do not wait', async () => {
    const other = uniquePhone();
    const user_id = `DE.${uniqueDigits()}`;
    const idOfOther = `DE.${uniqueDigits()}`;
    const messageTo = async (from: string): Promise<string> => {
      const message = { from, id: `wamid.${uniqueDigits()}`, type: 'text', text: { body: 'Hi' } };
      await deliver(world, account.phone, { messages: [message] });
      return (await send(from)).networkId;
    };
    const reported = (id: string, status: string, recipient_user_id: string) =>
      deliver(world, account.phone, { statuses: [{ id, status, recipient_user_id }] });
    const [message, messageToOther] = [await messageTo(phone), await messageTo(other)];
    const session = await ForeignSession.open(world.environment.databaseUrl);
    try {
      await session.query('BEGIN');
      await session.query('SELECT 1 FROM contacts WHERE account_id = $1 AND phone_number = $2 FOR NO KEY UPDATE', [
        account.accountId,
        phone,
      ]);
      expect(await reported(message, 'delivered', user_id)).toBe(200);
      expect(await reported(messageToOther, 'delivered', idOfOther)).toBe(200);
      await untilKnownAs({ phone_number: other, user_id: idOfOther });
      expect((await contacts()).find(({ phone_number }) => phone_number === phone)).not.toHaveProperty('user_id');
    } finally {
      await session.close();
    }
    await reported(message, 'read', user_id);
    await untilKnownAs({ phone_number: phone, user_id });
  });

  it('may reveal the number in a report about a message to the user id', async () => {
    const user_id = userIdOf(phone);
    await writes({ from_user_id: user_id });
    const fields = { contact_user_id: user_id, message_type: 'text', message: 'Hello' };
    const { body } = await account.api.post(SEND_MESSAGE, fields);
    const [entry] = await world.simulator.ledger(account.phone.phoneNumberId);
    const reportFields = { recipient_id: phone, recipient_user_id: user_id, biz_opaque_callback_data: body.message_id };
    await deliver(world, account.phone, { statuses: [{ id: entry?.id, status: 'delivered', ...reportFields }] });
    await untilKnownAs({ phone_number: phone, user_id });
    expect(await contacts()).toHaveLength(1);
  });

  it('keeps the user id when a notice says that the number has changed', async () => {
    await writes({ from: phone });
    const moved = uniquePhone();
    const system = { type: 'user_changed_number', body: 'Ada changed numbers', wa_id: moved };
    const message = { from: phone, from_user_id: 'US.5', id: `wamid.${uniqueDigits()}`, type: 'system', system };
    await deliver(world, account.phone, { messages: [message] });
    expect(await contacts()).toMatchObject([{ phone_number: moved, user_id: userIdOf(phone) }]);
    expect(await receivedBy(account)).toHaveLength(2);
  });
});
