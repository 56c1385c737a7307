import { act, eventsOf as conversationEvents, enrol, stateOf } from '../conversations/conversations.js';
import { openWindow, SEND_MESSAGE, secondsAgo } from '../messages/messages.js';
import { crowd } from '../support/crowd.js';
import { until } from '../support/until.js';
import { type TestAccount, type TestPhone, uniquePhone, World } from '../support/world.js';

const HOURS = 3600;

describe('an inbound message', () => {
  let world: World;
  let account: TestAccount;
  let second: TestPhone;
  let contact: string;

  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account({ phones: 2 });
    second = account.phones[1] ?? account.phone;
    contact = uniquePhone();
  });

  const isOpen = async (phone: TestPhone = account.phone): Promise<boolean> => {
    const { status, text } = await account.api.post(SEND_MESSAGE, {
      contact_phone: contact,
      message_type: 'text',
      message: 'Hi',
      waba_phone_id: phone.id,
    });
    if (status !== 200 && status !== 403) throw new Error(text);
    return status === 200;
  };
  const write = (more: Record<string, unknown> = {}, phone: TestPhone = account.phone) =>
    openWindow(world, phone, contact, more);
  const expiryOf = async (phone: TestPhone): Promise<unknown> => {
    const { body } = await account.api.get<{ conversations: { waba_phone_id: string; window_expires_at: string }[] }>(
      '/api/v1/conversations/',
    );
    return body.conversations.find(({ waba_phone_id }) => waba_phone_id === phone.id)?.window_expires_at;
  };

  describe('opens the 24-hour window', () => {
    it('of the business phone it was sent to, and no other', async () => {
      expect([await isOpen(), await isOpen(second)]).toEqual([false, false]);
      await write({}, second);
      expect([await isOpen(), await isOpen(second)]).toEqual([false, true]);
    });

    it('of the contact who wrote, and no other', async () => {
      await write();
      contact = uniquePhone();
      expect(await isOpen()).toBe(false);
    });

    it('from its own time; the latest one counts, whatever the order of arrival', async () => {
      const timestamp = secondsAgo(HOURS);
      await write({ timestamp });
      await write({ timestamp: secondsAgo(30 * HOURS) });
      expect(Date.parse(String(await expiryOf(account.phone)))).toBe((timestamp + 24 * HOURS) * 1000);
      expect(await isOpen()).toBe(true);
    });

    it('not when it is older than 24 hours, though it is stored and emitted', async () => {
      await write({ timestamp: secondsAgo(25 * HOURS), text: 'Long ago' });
      expect(await isOpen()).toBe(false);
      const { body } = await account.api.get<{ messages: unknown[] }>('/api/v1/messages/?direction=in');
      expect(body.messages).toMatchObject([{ content: 'Long ago' }]);
    });

    it('never from a time in the future', async () => {
      await write({ timestamp: secondsAgo(-48 * HOURS) });
      const expiry = Date.parse(String(await expiryOf(account.phone)));
      expect(expiry).toBeLessThanOrEqual(Date.now() + 24 * HOURS * 1000);
      expect(await isOpen()).toBe(true);
    });

    it('unless it is a network notice in the contact’s name', async () => {
      await write({ type: 'system', text: undefined });
      expect(await isOpen()).toBe(false);
    });
  });

  describe('has the conversation', () => {
    it('open and unassigned, one per business phone', async () => {
      await write();
      await write({}, second);
      await write();
      for (const phone of [account.phone, second]) {
        expect(await stateOf(account, contact, `?waba_phone_id=${phone.id}`)).toMatchObject({
          has_conversation: true,
          status: 'open',
          assigned_to: null,
        });
      }
      const { body } = await account.api.get<{ total: number }>('/api/v1/conversations/');
      expect(body.total).toBe(2);
    });

    it('reopened when resolved: conversation.reopened with source auto_reopen', async () => {
      await write();
      const ada = await enrol(world, account, 'Ada Agent');
      await act(account, 'assign', contact, { user_id: ada });
      await act(account, 'resolve', contact);
      await write();
      expect(await stateOf(account, contact)).toMatchObject({ status: 'open', assigned_to: ada });
      const events = await conversationEvents(world, account);
      expect(events.map(({ event }) => event)).toEqual([
        'conversation.assigned',
        'conversation.resolved',
        'conversation.reopened',
      ]);
      expect(events.at(-1)).toEqual({
        event: 'conversation.reopened',
        timestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+00:00$/),
        conversation: {
          contact_phone: contact,
          waba_phone_id: account.phone.id,
          status: 'open',
          assigned_to: ada,
          assigned_to_name: 'Ada Agent',
          previous_assignee_id: null,
          previous_assignee_name: null,
          is_reassignment: false,
          note: null,
          reason: null,
          actor: { user_id: 'system', name: 'system', source: 'auto_reopen' },
        },
      });
      await write();
      expect(await conversationEvents(world, account)).toHaveLength(3);
    });

    it('and unassigned if the former assignee is no longer active', async () => {
      await write();
      const ada = await enrol(world, account, 'Ada Agent');
      await act(account, 'assign', contact, { user_id: ada });
      await act(account, 'resolve', contact);
      await world.unitOfWork.autocommit.affected("UPDATE users SET status = 'deactivated' WHERE id = $1", [ada]);
      await write();
      expect(await stateOf(account, contact)).toMatchObject({ status: 'open', assigned_to: null, assigned_at: null });
    });

    it('assigned to the next agent and answered with a text, if the organisation has these rules', async () => {
      await world.unitOfWork.autocommit.affected(
        "UPDATE organisations SET auto_inbound = true, auto_reply = 'We are closed' WHERE id = $1",
        [account.organisationId],
      );
      await write();
      expect(await stateOf(account, contact)).toMatchObject({ status: 'open', assigned_to: account.ownerId });
      const other = uniquePhone();
      await world.unitOfWork.autocommit.affected('UPDATE organisations SET auto_inbound = false WHERE id = $1', [
        account.organisationId,
      ]);
      await openWindow(world, account.phone, other);
      await openWindow(world, account.phone, other);
      const sent = await until('the text is sent', async () => {
        const ledger = await world.simulator.ledger(account.phone.phoneNumberId);
        return ledger.length > 0 && ledger;
      });
      expect(sent).toMatchObject([{ to: other, type: 'text' }]);
      const { body } = await account.api.get<{ messages: unknown[] }>('/api/v1/messages/?direction=out');
      expect(body.messages).toMatchObject([{ contact_phone: other, content: 'We are closed' }]);
    });

    it('answered once per window, however many messages open it concurrently', async () => {
      await world.unitOfWork.autocommit.affected(
        "UPDATE organisations SET auto_reply = 'We are closed' WHERE id = $1",
        [account.organisationId],
      );
      await crowd(10, () => write());
      const sent = await until('the text is sent', async () => {
        const { body } = await account.api.get<{ messages: { status: string }[] }>('/api/v1/messages/?direction=out');
        return body.messages.length > 0 && body.messages.every(({ status }) => status === 'sent') && body.messages;
      });
      expect(sent).toHaveLength(1);
      expect(await world.simulator.ledger(account.phone.phoneNumberId)).toHaveLength(1);
    });

    it('not reopened by messages we send', async () => {
      await write();
      await act(account, 'resolve', contact);
      expect(await isOpen()).toBe(true);
      expect(await stateOf(account, contact)).toMatchObject({ status: 'resolved' });
    });
  });
});
