import { userIdOf } from '../../simulator/callbacks/user-ids.js';
import type { ContactRecord } from '../../src/contacts/dto/contact.dto.js';
import type { ConversationsResponse } from '../../src/conversations/dto/conversation-responses.dto.js';
import { act, enrol, holdingsOf, stateOf } from '../conversations/conversations.js';
import { deliver, receivedBy } from '../inbound/inbound.js';
import { recordOf, SEND_MESSAGE, secondsAgo } from '../messages/messages.js';
import { holdAnswers, lookForStragglers } from '../people/merging.js';
import { crowd } from '../support/crowd.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';

describe('two contacts found to be one person', () => {
  let world: World;
  let account: TestAccount;
  let phone: string;
  let userId: string;
  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(() => world.stop());
  afterEach(() => world.simulator.behave({ error: null }));
  beforeEach(async () => {
    account = await world.account({ phones: 2 });
    phone = uniquePhone();
    userId = userIdOf(phone);
  });

  const PATH = '/api/v1/contacts/';
  const contacts = async (): Promise<ContactRecord[]> =>
    (await account.api.get<{ contacts: ContactRecord[]; total: number }>(PATH)).body.contacts;
  const total = async (): Promise<unknown> => (await account.api.get(PATH)).body.total;
  const create = async (fields: Record<string, unknown> = {}): Promise<string> => {
    const body = { phone_number: phone, first_name: 'Grace', ...fields };
    return (await account.api.post<{ contact: ContactRecord }>(PATH, body)).body.contact.id;
  };
  /** Receives a message with a hidden number, and returns the id of the contact that it creates. */
  const hidden = async (fields: Record<string, unknown> = {}, at = account.phone): Promise<string> => {
    const sender = { phone_number_id: at.phoneNumberId, from_user_id: userId };
    await world.simulator.inbound({ type: 'text', text: 'Hidden', ...sender, ...fields });
    return (await receivedBy(account)).at(-1)?.contact_id ?? '';
  };
  /** Receives a message that shows both the number and the user id. */
  const revealed = (fields: Record<string, unknown> = {}) =>
    world.simulator.inbound({
      phone_number_id: account.phone.phoneNumberId,
      from: phone,
      type: 'text',
      text: 'Revealed',
      ...fields,
    });
  const conversations = async () =>
    (await account.api.get<ConversationsResponse>('/api/v1/conversations/')).body.conversations;
  const sql = (text: string, ...more: unknown[]) =>
    world.unitOfWork.autocommit.rows<Record<string, unknown>>(text, [account.accountId, ...more]);

  it('become the one with the number, which takes over user id, username and messages', async () => {
    const kept = await create({ email: 'grace@example.com' });
    const gone = await hidden({ name: 'Ada', username: 'ada' });
    expect(gone).not.toBe(kept);
    await revealed({ name: 'Ada' });
    expect(await contacts()).toMatchObject([
      {
        id: kept,
        phone_number: phone,
        user_id: userId,
        username: 'ada',
        first_name: 'Grace',
        email: 'grace@example.com',
      },
    ]);
    expect(await total()).toBe(1);
    expect((await account.api.get(PATH + gone)).body).toMatchObject({ contact: { id: kept } });
    const received = await receivedBy(account);
    expect(received.map(({ content, contact_id, contact_phone }) => [content, contact_id, contact_phone])).toEqual([
      ['Hidden', kept, phone],
      ['Revealed', kept, phone],
    ]);
    await hidden();
    expect((await receivedBy(account)).map(({ contact_id }) => contact_id)).toEqual([kept, kept, kept]);
  });

  it('leave no personal data in the merged row', async () => {
    const kept = await create();
    const gone = await hidden({ name: 'Ada Lindgrove', username: 'ada' });
    await account.api.patch(PATH + gone, { email: 'ada@example.com', company: 'Analytical', tags: ['vip'] });
    await revealed();
    const [row] = await sql('SELECT to_jsonb(c) AS row FROM contacts c WHERE account_id = $1 AND id = $2', gone);
    expect(row?.['row']).toMatchObject({ merged_into: kept, phone_number: null, user_id: null, username: null });
    expect(row?.['row']).toMatchObject({ first_name: '', last_name: null, email: null, company: null, tags: [] });
    expect(await contacts()).toMatchObject([{ email: 'ada@example.com', company: 'Analytical', tags: ['vip'] }]);
  });

  it('keep whichever name was given', async () => {
    const { body } = await account.api.post('/api/v1/messages/send', {
      template_name: (await approvedTemplate(world, account)).name,
      contact_phone: phone,
    });
    await hidden({ name: 'Ada Lindgrove' });
    await revealed();
    expect(await contacts()).toMatchObject([{ id: body.contact_id, first_name: 'Ada', last_name: 'Lindgrove' }]);
  });

  it('keep the groups of both', async () => {
    const [kept, gone] = [await create(), await hidden()];
    const group = async (name: string, contact_ids: string[]): Promise<string> =>
      (await account.api.post<{ group: { id: string } }>('/api/v1/groups/', { name, contact_ids })).body.group.id;
    const ids = [await group('Both', [kept, gone]), await group('Hidden', [gone])];
    await revealed();
    for (const id of ids) {
      const { body } = await account.api.get(`/api/v1/groups/${id}/contacts`);
      expect(body).toMatchObject({ total: 1, contacts: [{ id: kept }] });
      expect((await account.api.get(`/api/v1/groups/${id}`)).body).toMatchObject({ group: { contact_count: 1 } });
    }
  });

  describe('consent', () => {
    it('is an opt-out if either had opted out', async () => {
      await create();
      await hidden({ text: 'STOP' });
      await revealed();
      expect(await contacts()).toMatchObject([{ opted_in: false }]);
    });

    it('is an opt-out even if the other has opted in since', async () => {
      const kept = await create();
      await account.api.patch(PATH + kept, { opted_in: false });
      const gone = await hidden({ text: 'STOP', timestamp: secondsAgo(100) });
      await hidden({ text: 'START' });
      expect((await account.api.get(PATH + gone)).body).toMatchObject({ contact: { opted_in: true } });
      await revealed();
      expect(await contacts()).toMatchObject([{ id: kept, opted_in: false }]);
    });

    it('is an opt-in if both had opted in', async () => {
      const kept = await create();
      await account.api.patch(PATH + kept, { opted_in: true });
      await hidden({ text: 'STOP', timestamp: secondsAgo(100) });
      await hidden({ text: 'START' });
      await revealed();
      expect(await contacts()).toMatchObject([{ id: kept, opted_in: true }]);
    });
  });

  describe('a conversation', () => {
    it('goes over with its assignee, its history and its window', async () => {
      await create();
      const ada = await enrol(world, account, 'Ada Agent');
      const bob = await enrol(world, account, 'Bob Agent');
      await hidden({ timestamp: secondsAgo(60) });
      await act(account, 'assign', userId, { user_id: ada });
      await act(account, 'assign', userId, { user_id: bob, note: 'yours' });
      await revealed({ timestamp: secondsAgo(3600 * 30) });
      expect(await conversations()).toMatchObject([
        { phone_number: phone, assigned_to: bob, previous_assignee_id: ada, note: 'yours' },
      ]);
      expect(await stateOf(account, phone)).toEqual(await stateOf(account, userId));
      const send = { contact_phone: phone, message_type: 'text', message: 'Hello' };
      expect((await account.api.post(SEND_MESSAGE, send)).status).toBe(200);
      expect((await holdingsOf(world, account)).map((held) => held.userId)).toEqual([ada, bob]);
    });

    it.each([
      ['hidden', 600, 60],
      ['known', 60, 600],
    ])(
      'with the same business phone is one: that of the %s contact, being the more recently active',
      async (which, known, unknown) => {
        const [ada, bob] = [await enrol(world, account, 'Ada Agent'), await enrol(world, account, 'Bob Agent')];
        const [wroteKnown, wroteHidden] = [secondsAgo(known), secondsAgo(unknown)];
        const from = { id: `wamid.${uniqueDigits()}`, from: phone, type: 'text', text: { body: 'Known' } };
        await deliver(world, account.phone, { messages: [{ ...from, timestamp: String(wroteKnown) }] });
        await act(account, 'assign', phone, { user_id: ada });
        await hidden({ timestamp: wroteHidden });
        await act(account, 'assign', userId, { user_id: bob });
        await revealed({ timestamp: secondsAgo(3600 * 30) });
        const [conversation, ...others] = await conversations();
        expect(others).toEqual([]);
        expect(conversation).toMatchObject({
          phone_number: phone,
          status: 'open',
          assigned_to: which === 'hidden' ? bob : ada,
          last_message_preview: which === 'hidden' ? 'Hidden' : 'Known',
        });
        expect(Date.parse(conversation?.window_expires_at ?? '')).toBe(
          (Math.max(wroteKnown, wroteHidden) + 86_400) * 1000,
        );
        const { body } = await account.api.get('/api/v1/conversations/?unassigned=false');
        expect(body.total).toBe(1);
        expect((await account.api.get(`/api/v1/conversations/${phone}/messages`)).body.total).toBe(3);
        const holdings = await holdingsOf(world, account);
        expect(holdings.map((held) => held.userId).sort()).toEqual([ada, bob].sort());
        expect(holdings.filter(({ heldUntil }) => heldUntil === null)).toHaveLength(1);
      },
    );

    it('with another business phone stays separate', async () => {
      await create();
      await hidden({}, account.phones[1]);
      await revealed();
      expect((await conversations()).map(({ waba_phone_id }) => waba_phone_id).sort()).toEqual(
        account.phones.map(({ id }) => id).sort(),
      );
    });
  });

  describe('a campaign', () => {
    const campaign = async (phones: string[]): Promise<string> => {
      const { name } = await approvedTemplate(world, account);
      const body = { name: 'Spring', template_name: name, contacts: phones.map((each) => ({ phone: each })) };
      return (await account.api.post<{ campaign_id: string }>('/api/v1/campaigns/', body)).body.campaign_id;
    };
    const includeHidden = (id: string, stranger: string, gone: string) =>
      sql(
        `UPDATE campaign_recipients SET contact_id = $4
         WHERE account_id = $1 AND campaign_id = $2
           AND contact_id = (SELECT id FROM contacts WHERE account_id = $1 AND phone_number = $3)`,
        id,
        stranger,
        gone,
      );
    const finish = async (id: string) => {
      await account.api.post(`/api/v1/campaigns/${id}/send`);
      return until('the campaign is completed', async () => {
        const { body } = await account.api.get(`/api/v1/campaigns/${id}/stats`);
        return body['campaign_status'] === 'completed' && body;
      });
    };

    it('that is not sent yet goes to the number', async () => {
      const stranger = uniquePhone();
      const id = await campaign([stranger]);
      await create();
      await includeHidden(id, stranger, await hidden());
      await revealed();
      expect(await finish(id)).toMatchObject({ sent_count: 1, failed_count: 0 });
      expect(await world.simulator.ledger(account.phone.phoneNumberId)).toMatchObject([{ to: phone }]);
    });

    it('that was sent keeps its recipient and counts reports and replies', async () => {
      const stranger = uniquePhone();
      const id = await campaign([stranger]);
      await create();
      await includeHidden(id, stranger, await hidden());
      await finish(id);
      await revealed();
      expect((await account.api.get(`/api/v1/campaigns/${id}/stats`)).body).toMatchObject({ replied_count: 1 });
      const [entry] = await world.simulator.ledger(account.phone.phoneNumberId);
      expect(await recordOf(account, entry?.biz_opaque_callback_data)).toMatchObject({ contact_phone: phone });
    });

    it('that is in flight retries after a temporary refusal', async () => {
      const stranger = uniquePhone();
      const id = await campaign([stranger]);
      await create();
      await includeHidden(id, stranger, await hidden());
      await world.simulator.behave({ error: { code: 131016, rate: 1 } });
      const answers = holdAnswers(world);
      try {
        await account.api.post(`/api/v1/campaigns/${id}/send`);
        await until('it is in flight', () => answers.held >= 1);
        await revealed();
        // The merged contact and the stranger.
        expect(await total()).toBe(2);
        await world.simulator.behave({ error: null });
      } finally {
        answers.release();
      }
      expect(await finish(id)).toMatchObject({ sent_count: 1, failed_count: 0 });
      expect(await world.simulator.ledger(account.phone.phoneNumberId)).toMatchObject([{ to: phone }]);
    });

    it('that contains both is sent to the person once', async () => {
      const stranger = uniquePhone();
      const id = await campaign([phone, stranger]);
      await includeHidden(id, stranger, await hidden());
      await revealed();
      expect(await finish(id)).toMatchObject({ total_contacts: 2, sent_count: 1, failed_count: 0 });
      const { body } = await account.api.get<{ recipients: { status: string }[] }>(
        `/api/v1/campaigns/${id}/recipients`,
      );
      expect(body.recipients.map(({ status }) => status)).toEqual(['sent', 'cancelled']);
      expect(await world.simulator.ledger(account.phone.phoneNumberId)).toMatchObject([{ to: phone }]);
    });
  });

  it('are also merged by a report', async () => {
    const kept = await create();
    await deliver(world, account.phone, {
      messages: [{ from: phone, id: `wamid.${uniqueDigits()}`, type: 'text', text: { body: 'Hi' } }],
    });
    await hidden();
    const { body } = await account.api.post(SEND_MESSAGE, {
      contact_phone: phone,
      message_type: 'text',
      message: 'Hello',
    });
    const [entry] = await world.simulator.ledger(account.phone.phoneNumberId);
    const report = { recipient_id: phone, recipient_user_id: userId, biz_opaque_callback_data: body.message_id };
    await deliver(world, account.phone, { statuses: [{ id: entry?.id, status: 'delivered', ...report }] });
    await until('they are merged', async () => (await total()) === 1);
    expect(await contacts()).toMatchObject([{ id: kept, user_id: userId }]);
    expect(await conversations()).toHaveLength(1);
  });

  it('are merged when the deleted one writes', async () => {
    const kept = await create();
    await account.api.delete(PATH + kept);
    await hidden();
    await revealed();
    expect(await contacts()).toMatchObject([{ id: kept, user_id: userId }]);
    expect(await total()).toBe(1);
  });

  it('are merged when the network names the user id of one with the number of the other', async () => {
    const other = uniquePhone();
    const write = (from: string, from_user_id: string, text: string) =>
      deliver(world, account.phone, {
        messages: [{ from, from_user_id, id: `wamid.${uniqueDigits()}`, type: 'text', text: { body: text } }],
      });
    await write(other, userId, 'A');
    await create();
    await revealed();
    expect(await contacts()).toMatchObject([{ phone_number: other, user_id: userId }]);
  });

  it('stay separate if a user id of its own says that the other number is somebody else’s', async () => {
    const other = uniquePhone();
    const write = (from: string, from_user_id: string) =>
      deliver(world, account.phone, {
        messages: [{ from, from_user_id, id: `wamid.${uniqueDigits()}`, type: 'text', text: { body: 'A' } }],
      });
    await write(other, userId);
    await write(phone, `US.${uniqueDigits()}`);
    await write(phone, userId);
    const found = await contacts();
    expect(found).toMatchObject([{ phone_number: phone, user_id: userId }, { phone_number: other }]);
    expect(found[1]).not.toHaveProperty('user_id');
  });

  it('do not affect other accounts', async () => {
    await create();
    const gone = await hidden();
    const other = await world.account();
    await world.simulator.inbound({
      phone_number_id: other.phone.phoneNumberId,
      from: phone,
      type: 'text',
      text: 'Hi',
    });
    expect((await account.api.get(PATH + gone)).status).toBe(200);
    expect(await contacts()).toHaveLength(2);
  });

  it('are merged with every message when everything arrives in parallel', async () => {
    for (let round = 0; round < 5; round += 1) {
      account = await world.account();
      phone = uniquePhone();
      userId = userIdOf(phone);
      if (round % 2 === 0) await create();
      if (round > 1) await hidden();
      const before = (await receivedBy(account)).length;
      const unrevealed = () =>
        world.simulator.inbound({
          phone_number_id: account.phone.phoneNumberId,
          from_user_id: userId,
          type: 'text',
          text: 'Hidden',
        });
      const fields = { contact_user_id: userId, message_type: 'text', message: 'Hello' };
      const [callbacks, sends, actions] = await Promise.all([
        crowd(12, (index) => (index % 2 === 0 ? revealed() : unrevealed()), 6),
        crowd(6, () => account.api.post(SEND_MESSAGE, fields), 4),
        crowd(4, () => account.api.post(`/api/v1/conversations/${userId}/reopen`), 2),
      ]);
      expect(callbacks.map(({ callback_status }) => callback_status)).toEqual(Array(12).fill(200));
      expect(actions.map(({ status }) => status)).toEqual(Array(4).fill(200));
      for (const { status } of sends) expect([200, 403]).toContain(status);
      // What was just being stored for the one that goes follows.
      await lookForStragglers(world, account);
      const [contact, ...others] = await contacts();
      expect(others).toEqual([]);
      expect(contact).toMatchObject({ phone_number: phone, user_id: userId });
      const received = await receivedBy(account);
      expect(received).toHaveLength(before + 12);
      const messages = await sql('SELECT DISTINCT contact_id FROM messages WHERE account_id = $1');
      expect(messages).toEqual([{ contactId: contact?.id }]);
      expect(await conversations()).toHaveLength(1);
      expect(await sql('SELECT contact_id FROM conversations WHERE account_id = $1')).toEqual([
        { contactId: contact?.id },
      ]);
    }
  });
});
