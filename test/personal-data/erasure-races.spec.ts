import { userIdOf } from '../../simulator/callbacks/user-ids.js';
import { newRecordId } from '../../src/values/record-id.js';
import { campaignOf, draft, recipientsOf, untilCampaign } from '../campaigns/campaigns.js';
import { deliver, receivedBy } from '../inbound/inbound.js';
import { eventsOf, openWindow, recordOf, report, SEND, SEND_MESSAGE } from '../messages/messages.js';
import { crowd, crowdOf } from '../support/crowd.js';
import { freshDatabase } from '../support/database.js';
import { ForeignSession } from '../support/foreign-session.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { Receiver } from '../webhooks/receiver.js';
import { columnsWith, dumpOf } from './database-dump.js';
import { age, erase, untilPass } from './erasing.js';
import { leaveTraces } from './traces.js';

describe('an erasure with concurrent or later activity', () => {
  let databaseUrl: string;
  let world: World;
  let account: TestAccount;
  let phone: string;
  /** The person's name and one of their texts. */
  let name: string;
  let text: string;

  beforeAll(async () => {
    databaseUrl = await freshDatabase();
    world = await World.start({ databaseUrl });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    await world.simulator.behave({ statuses: [], latency_ms: 0 });
    account = await world.account();
    phone = uniquePhone();
    name = `Quill${uniqueDigits()}`;
    text = `secret${uniqueDigits()}`;
  });

  const found = async () => columnsWith(await dumpOf(databaseUrl), [phone, name, text, userIdOf(phone)]);
  const contacts = async (search = '') =>
    (await account.api.get<{ contacts: { id: string }[] }>(`/api/v1/contacts/?search=${search}`)).body.contacts;
  const create = async (): Promise<string> => {
    const body = { phone_number: phone, first_name: name };
    return (await account.api.post<{ contact: { id: string } }>('/api/v1/contacts/', body)).body.contact.id;
  };
  const say = (more: Record<string, unknown> = {}) => openWindow(world, account.phone, phone, { text, name, ...more });
  const waits = (statement: string, isOver: () => boolean) =>
    until(
      `somebody waits with ${statement}`,
      async () =>
        isOver() ||
        world.unitOfWork.autocommit.row(
          `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND position($1 in query) > 0`,
          [statement],
        ),
    );
  const template = () =>
    approvedTemplate(world, account, { body: { text: 'Hello {{1}}, welcome.', examples: { '1': 'Ada' } } });
  /** Waits until the erasure is complete, including its second pass. */
  const untilErased = async (contactId: string): Promise<void> => {
    await untilPass(world, account, contactId, 1);
    await age(world, account, 5);
    await untilPass(world, account, contactId, 2);
  };

  it('creates no contact from an old message that the network repeats', async () => {
    const contactId = await create();
    const message = {
      contacts: [{ wa_id: phone, profile: { name } }],
      messages: [{ id: `wamid.${uniqueDigits()}`, from: phone, type: 'text', text: { body: text } }],
    };
    await deliver(world, account.phone, message);
    await erase(account, contactId);
    await untilPass(world, account, contactId, 1);
    expect(await deliver(world, account.phone, message)).toBe(200);
    expect(await contacts()).toEqual([]);
    expect(await receivedBy(account)).toHaveLength(1);
    expect(await found()).toEqual([]);
  });

  it('creates a new contact from a new message, with no data of the old one', async () => {
    const contactId = await create();
    await say();
    await erase(account, contactId);
    await say({ text: 'Here again', name: 'Somebody else' });
    const [now, ...others] = await contacts();
    expect(others).toEqual([]);
    expect(now).toMatchObject({ phone_number: phone, first_name: 'Somebody', last_name: 'else' });
    expect(now?.id).not.toBe(contactId);
    const thread = await account.api.get<{ messages: { content: string }[] }>(
      `/api/v1/conversations/${phone}/messages`,
    );
    expect(thread.body.messages.map(({ content }) => content)).toEqual(['Here again']);
    await untilErased(contactId);
    const after = await account.api.get<{ messages: { content: string }[] }>(`/api/v1/conversations/${phone}/messages`);
    expect(after.body.messages.map(({ content }) => content)).toEqual(['Here again']);
  });

  it('moves a message that was being stored for the old contact to a new one', async () => {
    const contactId = await until('the erasure goes first', async () => {
      account = await world.account();
      phone = uniquePhone();
      const id = await create();
      await say();
      const foreign = await ForeignSession.open(databaseUrl);
      try {
        await foreign.lock('contacts', 'account_id = $1 AND id = $2', [account.accountId, id]);
        let isOver = false;
        const erasing = account.api.impatient.delete(`/api/v1/contacts/${id}?erase=true`).finally(() => {
          isOver = true;
        });
        await waits('"Contact"', () => isOver);
        const saying = say({ text: 'In between' });
        await waits('SELECT phone_number FROM contacts', () => isOver);
        await foreign.release();
        const [{ status }] = await Promise.all([erasing, saying]);
        // On a busy machine it may have waited longer than the service lets it.
        return status === 200 && id;
      } finally {
        await foreign.close();
      }
    });
    const [now] = await contacts();
    expect(now?.id).not.toBe(contactId);
    expect((await receivedBy(account)).map(({ contact_id, content }) => ({ contact_id, content }))).toEqual([
      { contact_id: contactId, content: '' },
      { contact_id: now?.id, content: 'In between' },
    ]);
  });

  it('counts later reports, even those with only the network’s id', async () => {
    const contactId = await create();
    const { name: templateName } = await template();
    const id = await draft(account, templateName, [phone], { body_data: { '1': 'friend' } });
    await account.api.post(`/api/v1/campaigns/${id}/send`);
    await untilCampaign(account, id, 'completed');
    const [ledger] = await world.simulator.ledger(account.phone.phoneNumberId);
    await erase(account, contactId);
    await untilPass(world, account, contactId, 1);

    const networkId = ledger?.id ?? '';
    await report(world, account.phone.phoneNumberId, { id: networkId, status: 'delivered' });
    const opaque = ledger?.biz_opaque_callback_data ?? '';
    const read = { id: networkId, status: 'read', biz_opaque_callback_data: opaque };
    await report(world, account.phone.phoneNumberId, {
      ...read,
      recipient_id: phone,
      recipient_user_id: userIdOf(phone),
    } as typeof read);
    await until('both are counted', async () => {
      const { delivered_count, read_count } = await campaignOf(account, id);
      return delivered_count === 1 && read_count === 1;
    });
    const told = (await eventsOf(world, account)).filter(({ event }) => event === 'message.read');
    expect(told).toMatchObject([{ message: { message_id: opaque, contact_phone: null, contact_name: '' } }]);
    expect(await found()).toEqual([]);
  });

  it('removes the data of a concurrent send in its second pass', async () => {
    const contactId = await create();
    const { name: templateName } = await template();
    await world.simulator.behave({ latency_ms: 1500 });
    const sending = account.api.post(SEND, {
      template_name: templateName,
      contact_phone: phone,
      body_data: { '1': name },
    });
    await until('the message is stored', async () =>
      world.unitOfWork.autocommit.row('SELECT 1 FROM messages WHERE account_id = $1', [account.accountId]),
    );
    await erase(account, contactId);
    await untilPass(world, account, contactId, 1);
    const { status, body } = await sending;
    expect(status).toBe(200);
    expect(await recordOf(account, body['message_id'])).toMatchObject({
      status: 'sent',
      content: '',
      contact_phone: null,
      contact_name: '',
      network_message_id: null,
    });
    await untilErased(contactId);
    expect(await found()).toEqual([]);
  });

  it('removes data stored by statements that had read the contact before', async () => {
    const contactId = await create();
    await erase(account, contactId);
    await untilPass(world, account, contactId, 1);
    const { accountId, phone: from } = account;
    const body = JSON.stringify({ event: 'message.sent', message: { contact_phone: phone, contact_name: name } });
    await world.unitOfWork.transaction(async (tx) => {
      await tx.affected(
        `INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, content, status)
         VALUES ($1, new_record_id(), 'out', $2, $3, 'text', $4, 'pending')`,
        [accountId, contactId, from.id, text],
      );
      await tx.affected(
        `INSERT INTO conversations (account_id, contact_id, business_phone_id, last_message_at, last_message_preview)
         VALUES ($1, $2, $3, now(), $4)`,
        [accountId, contactId, from.id, text],
      );
      await tx.affected(
        `INSERT INTO events (account_id, id, occurred_at, kind, contact_id, body)
         VALUES ($1, new_record_id(), now(), 'message.sent', $2, $3)`,
        [accountId, contactId, body],
      );
    });
    for (const path of ['messages', 'conversations']) {
      expect((await account.api.get(`/api/v1/${path}/`)).text).not.toContain(text);
    }
    await untilErased(contactId);
    expect(await found()).toEqual([]);
    expect((await account.api.get('/api/v1/conversations/')).body).toMatchObject({ total: 0 });
  });

  it('sends nothing more to the contact in a campaign, and completes it', async () => {
    const contactId = await create();
    const { name: templateName } = await template();
    const other = uniquePhone();
    const id = await draft(account, templateName, [phone, other], { body_data: { '1': 'friend' } });
    await erase(account, contactId);
    await account.api.post(`/api/v1/campaigns/${id}/send`);
    await untilCampaign(account, id, 'completed');
    expect((await recipientsOf(account, id)).map(({ contact_phone, status }) => ({ contact_phone, status }))).toEqual([
      { contact_phone: null, status: 'failed' },
      { contact_phone: other, status: 'sent' },
    ]);
    expect((await world.simulator.ledger(account.phone.phoneNumberId)).map(({ to }) => to)).toEqual([other]);
  });

  it('covers a contact that was merged into the erased one, under either id', async () => {
    const hidden = { phone_number_id: account.phone.phoneNumberId, from_user_id: userIdOf(phone), type: 'text', text };
    const kept = await create();
    await world.simulator.inbound(hidden);
    const gone = (await receivedBy(account)).at(-1)?.contact_id ?? '';
    const { name: templateName } = await template();
    await draft(account, templateName, [phone], { contacts: [{ phone, body_data: { '1': text } }] });
    await say();
    expect((await contacts()).map(({ id }) => id)).toEqual([kept]);

    const exported = await account.api.get<Record<string, unknown[]>>(`/api/v1/contacts/${gone}/export`);
    expect(exported.body).toMatchObject({ contact: { id: kept }, merged_contacts: [{ id: gone, merged_into: kept }] });
    expect(exported.body['messages']).toHaveLength(2);
    await erase(account, gone);
    await untilErased(kept);
    await untilErased(gone);
    expect(await found()).toEqual([]);
  });

  it('finds events logged before they recorded their contact', async () => {
    const contactId = await create();
    const event = { event: 'message.sent', message: { contact_phone: phone, contact_name: name } };
    const other = { event: 'message.sent', message: { contact_phone: uniquePhone(), contact_name: 'Bo' } };
    for (const body of [event, other]) {
      await world.unitOfWork.autocommit.affected(
        `INSERT INTO events (account_id, id, occurred_at, kind, body)
         VALUES ($1, new_record_id(), now(), 'message.sent', $2)`,
        [account.accountId, JSON.stringify(body)],
      );
    }
    await erase(account, contactId);
    await untilPass(world, account, contactId, 1);
    const redacted = { event: 'message.sent', message: { contact_phone: null, contact_name: '' } };
    const events = await eventsOf(world, account);
    expect(events).toHaveLength(2);
    expect(events).toEqual(expect.arrayContaining([redacted, other]));
  });

  it('erases a deleted contact, and many requested concurrently', async () => {
    await openWindow(world, account.phone, phone);
    const ids = await crowd(60, async (place) => {
      const number = place === 0 ? phone : uniquePhone();
      const { body } = await account.api.post<{ contact: { id: string }; message: string }>('/api/v1/contacts/', {
        phone_number: number,
        first_name: name,
      });
      const id = body.contact?.id ?? (await contacts(number))[0]?.id ?? '';
      await account.api.post(SEND_MESSAGE, { contact_phone: number, message_type: 'text', message: text });
      await account.api.delete(`/api/v1/contacts/${id}`);
      return id;
    });
    await crowdOf(ids, (id) => erase(account, id));
    for (const id of ids) await untilPass(world, account, id, 1);
    expect(await found()).toEqual([]);
  });

  it('leaves everyone else’s data unchanged, byte for byte', async () => {
    const receiver = await Receiver.listen(({ body }) => ({ status: 200, body: body.toString() }));
    try {
      const [one, other] = [await leaveTraces(world, account, receiver), await world.account()];
      const bystander = await leaveTraces(world, other, receiver);
      await account.api.post('/api/v1/contacts/', { phone_number: phone, first_name: name });
      await say();
      const theirs = async () => {
        const needles = [...bystander.needles, phone, name, text];
        return (await dumpOf(databaseUrl))
          .filter(({ column }) => !/^(?:outbox|webhook_)/.test(column))
          .filter(({ text: value }) => needles.some((needle) => value.includes(needle)))
          .map(({ column, text: value }) => `${column} ${value}`)
          .sort();
      };
      const before = await theirs();
      await erase(account, one.contactId);
      await untilPass(world, account, one.contactId, 1);
      expect(columnsWith(await dumpOf(databaseUrl), one.needles)).toEqual([]);
      expect(await theirs()).toEqual(before);
      expect(before.length).toBeGreaterThan(30);
    } finally {
      await receiver.close();
    }
  });

  it('never revives a tombstone', async () => {
    const contactId = await create();
    await erase(account, contactId);
    const revive = world.unitOfWork.autocommit.affected(
      'UPDATE contacts SET phone_number = $3, deleted_at = NULL WHERE account_id = $1 AND id = $2',
      [account.accountId, contactId, phone],
    );
    await expect(revive).rejects.toMatchObject({ constraint: 'contacts_erased_check' });
    const unknown = await account.api.delete(`/api/v1/contacts/${newRecordId()}?erase=true`);
    const foreign = await (await world.account()).api.delete(`/api/v1/contacts/${contactId}?erase=true`);
    const wrong = await account.api.delete(`/api/v1/contacts/${contactId}?erase=yes`);
    expect([unknown.status, foreign.status, wrong.status]).toEqual([404, 404, 400]);
  });
});
