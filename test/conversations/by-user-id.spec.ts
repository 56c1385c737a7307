import { userIdOf } from '../../simulator/callbacks/user-ids.js';
import type { ConversationsResponse } from '../../src/conversations/dto/conversation-responses.dto.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { act, enrol, eventsOf, requestAction, stateOf } from './conversations.js';

describe('the conversation of a contact with a hidden number', () => {
  let world: World;
  let account: TestAccount;
  let userId: string;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    userId = `US.${uniqueDigits()}`;
  });

  const writes = (sender: Record<string, unknown> = { from_user_id: userId }) =>
    world.simulator.inbound({ phone_number_id: account.phone.phoneNumberId, type: 'text', text: 'Hi', ...sender });
  const listed = async () =>
    (await account.api.get<ConversationsResponse>('/api/v1/conversations/')).body.conversations;

  it('is listed with phone_number null and the user id', async () => {
    await writes();
    expect(await listed()).toMatchObject([{ phone_number: null, user_id: userId, last_message_preview: 'Hi' }]);
  });

  it('accepts every action by user id', async () => {
    await writes();
    const agent = await enrol(world, account, 'Ada Agent');
    const who = { phone_number: null, user_id: userId };
    expect(await act(account, 'assign', userId, { user_id: agent })).toMatchObject({ ...who, assigned_to: agent });
    expect(await stateOf(account, userId)).toMatchObject({ ...who, has_conversation: true, assigned_to: agent });
    expect(await act(account, 'unassign', userId)).toMatchObject(who);
    expect(await act(account, 'resolve', userId)).toMatchObject({ ...who, status: 'resolved' });
    expect(await act(account, 'resolve', userId)).toMatchObject({ ...who, status: 'resolved' });
    expect(await act(account, 'reopen', userId)).toMatchObject({ ...who, status: 'open' });
    const events = await eventsOf(world, account);
    expect(events.map(({ event }) => event)).toEqual([
      'conversation.assigned',
      'conversation.unassigned',
      'conversation.resolved',
      'conversation.reopened',
    ]);
    for (const { conversation } of events) {
      expect(conversation).toMatchObject({ contact_phone: null, contact_user_id: userId });
    }
  });

  it('lists its messages', async () => {
    await writes();
    const { status, body } = await account.api.get(`/api/v1/conversations/${userId}/messages`);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { total: 1, messages: [{ contact_phone: null, contact_user_id: userId, content: 'Hi' }] },
    });
  });

  it('is created by an action on an unknown user id', async () => {
    expect(await stateOf(account, userId)).toMatchObject({
      phone_number: null,
      user_id: userId,
      has_conversation: false,
    });
    expect(await act(account, 'unassign', userId)).toMatchObject({ phone_number: null, user_id: userId });
    expect(await listed()).toEqual([]);
    await act(account, 'reopen', userId);
    expect(await listed()).toMatchObject([{ phone_number: null, user_id: userId, assigned_to: account.ownerId }]);
    const { body } = await account.api.get('/api/v1/contacts/');
    expect(body).toMatchObject({ contacts: [{ phone_number: null, user_id: userId, source: 'api' }] });
  });

  it('is the same under number and user id once both are known, and shows only the number', async () => {
    const phone = uniquePhone();
    await writes({ from: phone });
    const byUserId = await act(account, 'reopen', userIdOf(phone));
    expect(byUserId).toMatchObject({ phone_number: phone });
    expect(byUserId).not.toHaveProperty('user_id');
    expect(await stateOf(account, userIdOf(phone))).toEqual(await stateOf(account, phone));
    const [row] = await listed();
    expect(row).toMatchObject({ phone_number: phone });
    expect(row).not.toHaveProperty('user_id');
    const [messages, same] = [
      await account.api.get(`/api/v1/conversations/${phone}/messages`),
      await account.api.get(`/api/v1/conversations/${userIdOf(phone)}/messages`),
    ];
    expect(same.body).toEqual(messages.body);
  });

  it('shows the number even without a conversation', async () => {
    const phone = uniquePhone();
    await writes({ from: phone });
    await world.unitOfWork.autocommit.affected('DELETE FROM conversations WHERE account_id = $1', [account.accountId]);
    expect(await stateOf(account, userIdOf(phone))).toEqual({ ...(await stateOf(account, phone)) });
    expect(await act(account, 'unassign', userIdOf(phone))).toMatchObject({ phone_number: phone });
  });

  it.each(['US.', 'us.1', 'US.1-2', `US.${'1'.repeat(148)}`])('rejects the user id %s (400)', async (name) => {
    for (const action of ['assign', 'unassign', 'reopen', 'resolve'] as const) {
      expect(await requestAction(account, action, name, { user_id: account.ownerId })).toMatchObject({
        status: 400,
        body: { error: 'bad_request', message: expect.stringContaining('contact_phone') },
      });
    }
    expect((await account.api.get(`/api/v1/conversations/${name}/messages`)).status).toBe(400);
    expect((await account.api.get(`/api/v1/messages/?contact_user_id=${name}`)).status).toBe(400);
  });
});
