import { eventsOf, kindsOf, report, secondsAgo } from '../messages/messages.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { changeOf, unhandledOf } from './inbound.js';

describe('what the business sends with the phone app', () => {
  let world: World;
  let account: TestAccount;
  let contact: string;

  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    contact = uniquePhone();
  });

  const callback = async (field: string, content: Record<string, unknown>): Promise<void> => {
    const { callback_status } = await world.simulator.callback(field, changeOf(account.phone, content));
    expect(callback_status).toBe(200);
  };
  const echo = async (fields: Record<string, unknown>): Promise<string> => {
    const message = {
      from: '15550000000',
      to: contact,
      id: `wamid.${uniqueDigits()}`,
      timestamp: String(secondsAgo(5)),
      ...fields,
    };
    await callback('smb_message_echoes', { message_echoes: [message] });
    return message.id;
  };
  const write = (text: string, more: Record<string, unknown> = {}) =>
    world.simulator.inbound({
      phone_number_id: account.phone.phoneNumberId,
      from: contact,
      type: 'text',
      text,
      ...more,
    });
  const all = async (): Promise<Record<string, unknown>[]> =>
    (await account.api.get<{ messages: Record<string, unknown>[] }>('/api/v1/messages/')).body.messages;

  it('is a sent message of the thread, told by no event, with its parts', async () => {
    const fields = { id: `wamid.${uniqueDigits()}`, type: 'location', location: { latitude: 1, longitude: 2 } };
    await echo(fields);
    await echo(fields);
    expect(await all()).toMatchObject([
      {
        direction: 'out',
        status: 'sent',
        contact_phone: contact,
        location: { latitude: 1, longitude: 2 },
        sent_by: { user_id: null, name: null, source: 'phone_app' },
        timeline: [{ status: 'sent' }],
      },
    ]);
    expect(await eventsOf(world, account)).toEqual([]);
    const { body } = await account.api.get<{ conversations: unknown[] }>('/api/v1/conversations/');
    expect(body.conversations).toMatchObject([{ last_message_preview: 'Location', window_expires_at: null }]);
  });

  it('uses up the automatic reply of the window', async () => {
    await write('Long ago', { timestamp: secondsAgo(3600) });
    await world.unitOfWork.autocommit.affected("UPDATE organisations SET auto_reply = 'We are closed' WHERE id = $1", [
      account.organisationId,
    ]);
    await echo({ type: 'text', text: { body: 'Hello, this is Ada' } });
    await write('Hi');
    expect((await all()).map(({ content }) => content)).toEqual(['Hi', 'Hello, this is Ada', 'Long ago']);
  });

  it('follows its status reports, also one that comes first, without events', async () => {
    const id = await echo({ type: 'text', text: { body: 'Hi' } });
    await report(world, account.phone.phoneNumberId, { id, status: 'read' });
    await until('it is read', async () => (await all())[0]?.['status'] === 'read');
    const early = `wamid.${uniqueDigits()}`;
    await report(world, account.phone.phoneNumberId, { id: early, status: 'delivered' });
    await echo({ id: early, type: 'text', text: { body: 'Second' } });
    await until('the early report is applied', async () =>
      (await all()).some(({ network_message_id, status }) => network_message_id === early && status === 'delivered'),
    );
    expect(await kindsOf(world, account)).toEqual([]);
  });

  it('can be edited and revoked', async () => {
    const original_message_id = await echo({ type: 'text', text: { body: 'Helo' } });
    await echo({ type: 'edit', edit: { original_message_id, message: { type: 'text', text: { body: 'Hello' } } } });
    expect(await all()).toMatchObject([{ content: 'Hello', edited_at: expect.any(String) }]);
    await echo({ type: 'revoke', revoke: { original_message_id } });
    expect(await all()).toMatchObject([{ content: '', revoked_at: expect.any(String) }]);
    expect(await kindsOf(world, account)).toEqual([]);
  });

  it('is answered by a message that quotes it', async () => {
    const id = await echo({ type: 'text', text: { body: 'Shall we?' } });
    await write('Yes', { context_id: id });
    expect(await kindsOf(world, account)).toEqual(['message.received', 'message.reply']);
  });

  it('histories and address books are acknowledged and not kept', async () => {
    await callback('history', { history: [{ threads: [{ id: contact, messages: [] }] }] });
    await callback('smb_app_state_sync', { state_sync: [{ type: 'contact', contact: { phone_number: contact } }] });
    expect(await unhandledOf(world, account.accountId)).toEqual([]);
    const { body } = await account.api.get<{ total: number }>('/api/v1/contacts/');
    expect(body.total).toBe(0);
  });
});
