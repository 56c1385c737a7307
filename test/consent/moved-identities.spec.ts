import { deliver } from '../inbound/inbound.js';
import { SEND } from '../messages/messages.js';
import { ForeignSession } from '../support/foreign-session.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { preference, upload } from './consent.js';

interface Contact {
  readonly id: string;
  readonly phone_number: string | null;
  readonly opted_in: boolean;
}

describe('a person who opted out', () => {
  let world: World;
  let account: TestAccount;
  let phone: string;
  let other: string;
  let userId: string;

  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    phone = uniquePhone();
    other = uniquePhone();
    userId = `US.${uniqueDigits()}`;
  });

  const CONTACTS = '/api/v1/contacts/';
  const create = async (phone_number: string): Promise<Contact> =>
    (await account.api.post<{ contact: Contact }>(CONTACTS, { phone_number, first_name: 'Ada' })).body.contact;
  const found = async (search: string): Promise<Contact | undefined> =>
    (await account.api.get<{ contacts: Contact[] }>(`${CONTACTS}?search=${search}`)).body.contacts[0];
  const all = async (): Promise<Contact[]> => (await account.api.get<{ contacts: Contact[] }>(CONTACTS)).body.contacts;
  const patch = async (id: string, changes: Record<string, unknown>): Promise<void> => {
    const { status, text } = await account.api.patch(CONTACTS + id, changes);
    if (status !== 200) throw new Error(text);
  };
  const say = (text: string, from: string | null = phone, from_user_id: string | null = null) =>
    deliver(world, account.phone, {
      messages: [
        {
          ...(from === null ? {} : { from }),
          ...(from_user_id === null ? {} : { from_user_id }),
          id: `wamid.${uniqueDigits()}`,
          type: 'text',
          text: { body: text },
        },
      ],
    });

  describe('and whose contact is given another number, stays opted out at the old one', () => {
    beforeEach(async () => {
      const { id } = await create(phone);
      await say('STOP');
      await patch(id, { phone_number: other });
    });

    it('when it is created again', async () => {
      expect(await create(phone)).toMatchObject({ opted_in: false });
      expect(await found(other)).toMatchObject({ opted_in: false });
    });

    it('when it is imported, or writes', async () => {
      await upload(account, `phone_number,first_name,opted_in\n${phone},Ada,true\n`);
      expect(await found(phone)).toMatchObject({ opted_in: false });
      await say('Hello');
      expect(await found(phone)).toMatchObject({ opted_in: false });
    });

    it('when it is sent marketing', async () => {
      const { name: template_name } = await approvedTemplate(world, account, {
        category: 'MARKETING',
        body: { text: 'Sale' },
      });
      const { status } = await account.api.post(SEND, { template_name, contact_phone: phone });
      expect(status).not.toBe(200);
      expect(await world.simulator.ledger(account.phone.phoneNumberId)).toEqual([]);
    });

    it('until they opt in there', async () => {
      await say('START');
      expect(await found(phone)).toMatchObject({ opted_in: true });
      expect(await found(other)).toMatchObject({ opted_in: false });
    });
  });

  it.each(['the person', 'the account'])(
    'and whose number %s opted out is given to a contact that opted in later opts that contact out, until a call says otherwise',
    async (by) => {
      const { id } = await create(phone);
      if (by === 'the person') await say('STOP');
      else await patch(id, { opted_in: false });
      await patch(id, { phone_number: other });
      const third = uniquePhone();
      const later = await create(third);
      // Both an opt-in of the account and one of a person, made under another number.
      if (by === 'the account') await patch(later.id, { opted_in: true });
      await say('START', third);
      await patch(later.id, { phone_number: phone });
      expect(await found(phone)).toMatchObject({ id: later.id, opted_in: false });
      const { name: template_name } = await approvedTemplate(world, account, {
        category: 'MARKETING',
        body: { text: 'Sale' },
      });
      const { status } = await account.api.post(SEND, { template_name, contact_phone: phone });
      expect(status).toBe(400);
      await patch(later.id, { opted_in: true });
      expect(await found(phone)).toMatchObject({ opted_in: true });
    },
  );

  it('is opted out at the number they wrote from when their contact is given another one at that moment', async () => {
    const { id } = await create(phone);
    const session = await ForeignSession.open(world.environment.databaseUrl);
    try {
      await session.lock('contacts', 'account_id = $1 AND id = $2', [account.accountId, id]);
      // Another process changes the number.
      await session.query('UPDATE contacts SET phone_number = $3 WHERE account_id = $1 AND id = $2', [
        account.accountId,
        id,
        other,
      ]);
      const said = say('STOP');
      await until('the message waits for the contact', async () => {
        const rows = await session.query(
          'SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))',
        );
        return rows.length > 0;
      });
      await session.query('COMMIT');
      await said;
    } finally {
      await session.release();
      await session.close();
    }
    expect(await found(phone)).toMatchObject({ opted_in: false });
  });

  it('stays so under a user id that a change of the number took from the contact', async () => {
    await say('STOP', phone, userId);
    const contact = await found(phone);
    await patch(contact?.id ?? '', { phone_number: other });
    await say('Hello', null, userId);
    const all = await account.api.get<{ contacts: Contact[] }>(CONTACTS);
    expect(all.body.contacts).toHaveLength(2);
    expect(all.body.contacts.map(({ opted_in }) => opted_in)).toEqual([false, false]);
  });

  it('stays so under their user id when their contact gets the number of a deleted one with another user id', async () => {
    await say('STOP', phone, userId);
    const contact = await found(phone);
    await say('Hello', other, `US.${uniqueDigits()}`);
    await account.api.delete(`${CONTACTS}${(await found(other))?.id}`);
    await patch(contact?.id ?? '', { phone_number: other });
    await say('Hello', null, userId);
    const all = await account.api.get<{ contacts: Contact[] }>(CONTACTS);
    expect(all.body.contacts.map(({ opted_in }) => opted_in)).toEqual([false, false]);
  });

  it('stays so under a user id that was replaced by another one', async () => {
    await say('STOP', phone, userId);
    await say('Hello', phone, `US.${uniqueDigits()}`);
    await say('Hello', null, userId);
    const all = await account.api.get<{ contacts: Contact[] }>(CONTACTS);
    expect(all.body.contacts.map(({ opted_in }) => opted_in)).toEqual([false, false]);
  });

  it('is opted out at the number to which their user id moves', async () => {
    await say('STOP', phone, userId);
    await create(other);
    await say('Hello', other, userId);
    expect(await all()).toMatchObject([{ phone_number: phone, opted_in: false }]);
  });

  it('is opted out at a number that the network’s notice names with their user id', async () => {
    await say('Hello', phone, userId);
    await preference(world, account.phone, { wa_id: other, user_id: userId, value: 'stop' });
    expect(await all()).toMatchObject([{ phone_number: phone, opted_in: false }]);
    expect((await account.api.post(CONTACTS, { phone_number: other, first_name: 'Ada' })).status).toBe(409);
  });

  describe('and whose number or user id changes, by a notice of the network', () => {
    const notice = (system: Record<string, unknown>, more: Record<string, unknown> = { from: phone }) =>
      deliver(world, account.phone, {
        messages: [{ ...more, id: `wamid.${uniqueDigits()}`, type: 'system', system }],
      });
    const changedNumber = () => notice({ type: 'user_changed_number', wa_id: other, user_id: userId });
    /** A STOP that the network delivers late. */
    const saidStop = (minutesAgo: number) => {
      const timestamp = String(Math.floor(Date.now() / 1000) - minutesAgo * 60);
      const message = { from: phone, id: `wamid.${uniqueDigits()}`, timestamp, type: 'text', text: { body: 'STOP' } };
      return deliver(world, account.phone, { messages: [message] });
    };

    it('stays opted out under the new number, whoever has it', async () => {
      const [old, fresh] = [await create(phone), await create(other)];
      await say('STOP');
      await changedNumber();
      expect(await all()).toMatchObject([{ id: old.id, phone_number: other, user_id: userId, opted_in: false }]);
      const { body } = await account.api.get<{ consent: unknown[] }>(`${CONTACTS}${fresh.id}/consent`);
      expect(body.consent).toMatchObject([
        { decision: 'out', by: 'person', evidence: { kind: 'merge', id: fresh.id } },
        { decision: 'out', by: 'person', evidence: { kind: 'message' } },
      ]);
    });

    it('is the same contact by the new number and user id', async () => {
      await say('STOP');
      const contact = await found(phone);
      await changedNumber();
      await say('Hello', null, userId);
      await say('Hello', other);
      expect(await all()).toMatchObject([{ id: contact?.id, phone_number: other, user_id: userId, opted_in: false }]);
    });

    it('stays opted out without ever having been a contact, at each number in turn', async () => {
      await preference(world, account.phone, { wa_id: phone, value: 'stop', timestamp: Math.floor(Date.now() / 1000) });
      await notice({ type: 'customer_changed_number', new_wa_id: other });
      const third = uniquePhone();
      await notice({ type: 'user_changed_number', wa_id: third }, { from: other });
      expect(await all()).toMatchObject([{ phone_number: third, opted_in: false }]);
    });

    it('stays opted out under a new user id while hiding the number', async () => {
      const before = `US.${uniqueDigits()}`;
      await say('STOP', null, before);
      await notice({ type: 'user_changed_user_id', user_id: userId, previous_user_id: before }, {});
      await say('Hello', null, userId);
      expect(await found('')).toMatchObject({ phone_number: null, opted_in: false });
    });

    it('is opted out by a message from before the notice that arrives after it', async () => {
      await changedNumber();
      await saidStop(5);
      expect(await all()).toMatchObject([{ phone_number: other, opted_in: false }]);
    });

    it('is opted out by a message under the former user id that arrives late', async () => {
      const before = `US.${uniqueDigits()}`;
      await say('Hello', phone, before);
      await notice({ type: 'user_changed_user_id', user_id: userId, previous_user_id: before }, {});
      await say('STOP', null, before);
      expect(await all()).toMatchObject([{ phone_number: phone, user_id: userId, opted_in: false }]);
    });

    it('is not opted out by the next owner of the old number, nor the old number by the new one', async () => {
      await say('Hello');
      const seconds = String(Math.floor(Date.now() / 1000) - 600);
      await notice({ type: 'user_changed_number', wa_id: other }, { from: phone, timestamp: seconds });
      await saidStop(5);
      expect(await found(other)).toMatchObject({ opted_in: true });
      expect(await found(phone)).toMatchObject({ opted_in: false });
      await say('START');
      await say('STOP', other);
      expect(await found(phone)).toMatchObject({ opted_in: true });
      expect(await all()).toHaveLength(2);
    });

    it('leaves the old number to a contact that is created with it', async () => {
      await say('Hello');
      await changedNumber();
      await create(phone);
      expect((await all()).map(({ phone_number }) => phone_number).toSorted()).toEqual([phone, other].toSorted());
    });
  });
});
