import { deliver, receivedBy } from '../inbound/inbound.js';
import { openWindow, recordOf, SEND_MESSAGE, secondsAgo } from '../messages/messages.js';
import { erase } from '../personal-data/erasing.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { CONTACTS, createContact, lookForStragglers, merge, mexicanPhone, rowsOf, untilMoved } from './merging.js';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account();
});

const shown = async (id: string) =>
  (await account.api.get<{ contact: Record<string, unknown> }>(CONTACTS + id)).body.contact;
const total = async () => (await account.api.get(CONTACTS)).body.total;
const numbers = (id: string) =>
  rowsOf(
    world,
    account,
    'SELECT phone_number, merged_into, is_duplicate FROM contacts WHERE account_id = $1 AND id = $2',
    id,
  );
const write = (from: string, body: string, timestamp = secondsAgo(0)) =>
  deliver(world, account.phone, {
    messages: [
      {
        id: `wamid.${uniqueDigits()}`,
        timestamp: `${timestamp}`,
        type: 'text',
        text: { body },
        from,
      },
    ],
  });

describe('two contacts with numbers that are merged', () => {
  it('become the older one, whichever is named first, and it keeps its number', async () => {
    for (const isFirst of [true, false]) {
      const older = await createContact(account);
      const younger = await createContact(account);
      const pair = isFirst ? [older.id, younger.id] : [younger.id, older.id];
      expect(await merge(world, account, pair[0] ?? '', pair[1] ?? '')).toBe(older.id);
      expect(await shown(older.id)).toMatchObject({ phone_number: older.phone_number });
      expect(await numbers(younger.id)).toEqual([
        { phoneNumber: younger.phone_number, mergedInto: older.id, isDuplicate: false },
      ]);
    }
    expect(await total()).toBe(2);
  });

  it('fill the gaps of the one that stays', async () => {
    const older = await createContact(account, { email: 'grace@example.com' });
    const younger = await createContact(account, {
      first_name: 'Ada',
      company: 'Analytical',
      tags: ['vip'],
      email: 'ada@example.com',
    });
    await merge(world, account, older.id, younger.id);
    expect(await shown(older.id)).toMatchObject({
      first_name: 'Grace',
      email: 'grace@example.com',
      company: 'Analytical',
      tags: ['vip'],
    });
  });

  it('are opted out if either was, and the ledger tells why', async () => {
    for (const place of [0, 1]) {
      const pair = [await createContact(account), await createContact(account)] as const;
      await account.api.patch(CONTACTS + pair[place as 0 | 1].id, { opted_in: false });
      await merge(world, account, pair[0].id, pair[1].id);
      expect(await shown(pair[1].id)).toMatchObject({ id: pair[0].id, opted_in: false });
      const { body } = await account.api.get<{ consent: unknown[] }>(`${CONTACTS}${pair[1].id}/consent`);
      expect(body.consent[0]).toMatchObject({ decision: 'out', evidence: { kind: 'merge', id: pair[1].id } });
    }
  });

  it('live if either did', async () => {
    const [older, younger] = [await createContact(account), await createContact(account)];
    await account.api.delete(CONTACTS + older.id);
    await merge(world, account, older.id, younger.id);
    expect(await shown(younger.id)).toMatchObject({ id: older.id });
    expect(await total()).toBe(1);
  });

  it('stay merged when one of them is merged again, and every id and number leads to the last', async () => {
    const all = [await createContact(account), await createContact(account), await createContact(account)] as const;
    await merge(world, account, all[1].id, all[2].id);
    expect(await merge(world, account, all[2].id, all[0].id)).toBe(all[0].id);
    for (const { id, phone_number } of all.slice(1)) {
      expect(await shown(id)).toMatchObject({ id: all[0].id });
      expect(await numbers(id)).toEqual([{ phoneNumber: phone_number, mergedInto: all[0].id, isDuplicate: false }]);
    }
    expect(await merge(world, account, all[1].id, all[2].id)).toBe(all[0].id);
    expect(await total()).toBe(1);
  });

  it('leave erased ones alone', async () => {
    const [older, younger] = [await createContact(account), await createContact(account)];
    await erase(account, older.id);
    expect(await merge(world, account, older.id, younger.id)).toBe(younger.id);
    expect(await shown(younger.id)).toMatchObject({ id: younger.id, phone_number: younger.phone_number });
  });

  it('share one thread, one window and the history of both', async () => {
    const [older, younger] = [await createContact(account), await createContact(account)];
    await write(older.phone_number, 'From the older', secondsAgo(60));
    await write(younger.phone_number, 'From the younger');
    await merge(world, account, older.id, younger.id);
    const { body } = await account.api.get<{ conversations: unknown[] }>('/api/v1/conversations/');
    expect(body.conversations).toMatchObject([
      { phone_number: older.phone_number, last_message_preview: 'From the younger' },
    ]);
    for (const number of [older.phone_number, younger.phone_number]) {
      const thread = await account.api.get(`/api/v1/conversations/${number}/messages`);
      expect(thread.body).toMatchObject({ total: 2 });
    }
    expect((await receivedBy(account)).map(({ contact_id }) => contact_id)).toEqual([older.id, older.id]);
  });

  it('are listed by any of their numbers together with the user id', async () => {
    const userId = `MX.${uniqueDigits()}`;
    const given = [uniquePhone(), uniquePhone()];
    for (const from of given) {
      const message = { from, from_user_id: userId, id: `wamid.${uniqueDigits()}`, type: 'text', text: { body: 'Hi' } };
      await deliver(world, account.phone, { messages: [message] });
    }
    for (const number of given) {
      const { body } = await account.api.get(`/api/v1/messages/?contact_phone=${number}&contact_user_id=${userId}`);
      expect(body).toMatchObject({ total: 2 });
    }
  });
});

describe('the double of a contact', () => {
  /** A contact from before numbers had keys, with another spelling of the number of a contact that is younger or older. */
  const double = async (phoneNumber: string) => {
    const { id } = await createContact(account);
    await rowsOf(
      world,
      account,
      'UPDATE contacts SET phone_number = $3, is_duplicate = true WHERE account_id = $1 AND id = $2',
      id,
      phoneNumber,
    );
    return id;
  };
  /** Has the sweep merge a double. */
  const expectMerge = (id: string) =>
    rowsOf(
      world,
      account,
      "INSERT INTO identity_tasks (account_id, contact_id, kind) VALUES ($1, $2, 'duplicate')",
      id,
    );
  const longOf = (number: string) => `521${number.slice(2)}`;

  it('is merged into it by the sweep, and leaves no alias', async () => {
    const { id, phone_number } = await createContact(account, { phone_number: mexicanPhone() });
    const other = await double(longOf(phone_number));
    await expectMerge(other);
    await untilMoved(world, account);
    expect(await shown(other)).toMatchObject({ id, phone_number });
    expect(await numbers(other)).toEqual([{ phoneNumber: null, mergedInto: id, isDuplicate: false }]);
    await lookForStragglers(world, account);
  });

  it('takes its place when it is older', async () => {
    const other = await createContact(account);
    const number = mexicanPhone();
    const { id } = await createContact(account, { phone_number: number });
    await rowsOf(
      world,
      account,
      'UPDATE contacts SET phone_number = $3, is_duplicate = true WHERE account_id = $1 AND id = $2',
      other.id,
      longOf(number),
    );
    expect(await merge(world, account, id, other.id)).toBe(other.id);
    expect(await numbers(other.id)).toEqual([{ phoneNumber: longOf(number), mergedInto: null, isDuplicate: false }]);
  });

  it('brings the contact with its number along when it is merged with a third', async () => {
    const third = await createContact(account);
    const { id, phone_number } = await createContact(account, { phone_number: mexicanPhone() });
    const other = await double(longOf(phone_number));
    await expectMerge(other);
    expect(await merge(world, account, other, third.id)).toBe(third.id);
    expect(await shown(id)).toMatchObject({ id: third.id });
    expect(await shown(other)).toMatchObject({ id: third.id });
    expect(await total()).toBe(1);
  });

  it('is found by the number itself when the other one is gone', async () => {
    const { id, phone_number } = await createContact(account, { phone_number: mexicanPhone() });
    const other = await double(longOf(phone_number));
    await erase(account, id);
    await expectMerge(other);
    await untilMoved(world, account);
    expect(await numbers(other)).toMatchObject([{ isDuplicate: false, mergedInto: null }]);
  });
});

describe('the id of a merged contact', () => {
  const pair = async () => {
    const [older, younger] = [await createContact(account), await createContact(account)];
    await write(younger.phone_number, 'Hello');
    await merge(world, account, older.id, younger.id);
    return { older, younger };
  };

  it('changes the one that stays', async () => {
    const { older, younger } = await pair();
    const { body } = await account.api.patch(CONTACTS + younger.id, { first_name: 'Ada', opted_in: false });
    expect(body).toMatchObject({ contact: { id: older.id, first_name: 'Ada', opted_in: false } });
  });

  it('can give it a number that led to it', async () => {
    const { older, younger } = await pair();
    const { body } = await account.api.patch(CONTACTS + older.id, { phone_number: younger.phone_number });
    expect(body).toMatchObject({ contact: { id: older.id, phone_number: younger.phone_number } });
    expect(await numbers(younger.id)).toMatchObject([{ phoneNumber: null }]);
  });

  it('keeps its number from others', async () => {
    const { older, younger } = await pair();
    const { id } = await createContact(account);
    const { status, body } = await account.api.patch(CONTACTS + id, { phone_number: younger.phone_number });
    expect({ status, message: body['message'] }).toMatchObject({
      status: 409,
      message: expect.stringContaining(older.id),
    });
  });

  it('gives its number to another contact with all that the deleted one had', async () => {
    const { older, younger } = await pair();
    await account.api.delete(CONTACTS + older.id);
    const { id } = await createContact(account);
    const { body } = await account.api.patch(CONTACTS + id, { phone_number: younger.phone_number });
    expect(body).toMatchObject({ contact: { id, phone_number: younger.phone_number } });
    expect((await receivedBy(account)).map(({ contact_id }) => contact_id)).toEqual([id]);
    for (const former of [older.id, younger.id]) expect(await shown(former)).toMatchObject({ id });
  });

  it('deletes the one that stays', async () => {
    const { older, younger } = await pair();
    const { body } = await account.api.delete(CONTACTS + younger.id);
    expect(body).toMatchObject({ contact_id: older.id });
    expect(await total()).toBe(0);
    expect((await account.api.delete(CONTACTS + younger.id)).status).toBe(404);
  });

  it('exports and erases the one that stays', async () => {
    const { older, younger } = await pair();
    const { body } = await account.api.get<Record<string, unknown[]>>(`${CONTACTS}${younger.id}/export`);
    expect(body).toMatchObject({
      contact: { id: older.id },
      merged_contacts: [{ id: younger.id }],
      messages: [{ content: 'Hello' }],
    });
    const { body: erased } = await account.api.delete(`${CONTACTS}${younger.id}?erase=true`);
    expect(erased).toMatchObject({ contact_id: older.id });
    expect((await account.api.get(CONTACTS + older.id)).status).toBe(404);
    expect(await numbers(younger.id)).toMatchObject([{ phoneNumber: null }]);
  });

  it('puts the one that stays into groups, and takes it out', async () => {
    const { older, younger } = await pair();
    const { body } = await account.api.post<{ group: { id: string } }>('/api/v1/groups/', {
      name: 'Both',
      contact_ids: [older.id, younger.id],
    });
    const path = `/api/v1/groups/${body.group.id}/contacts`;
    expect((await account.api.get(path)).body).toMatchObject({ total: 1, contacts: [{ id: older.id }] });
    expect((await account.api.delete(path, { contact_ids: [younger.id] })).status).toBe(200);
    expect((await account.api.get(path)).body).toMatchObject({ total: 0 });
    expect((await account.api.post(path, { contact_ids: [younger.id] })).status).toBe(200);
    expect((await account.api.get(path)).body).toMatchObject({ contacts: [{ id: older.id }] });
  });
});

describe('what was being stored for a contact while it was merged', () => {
  it('follows it, with its conversation and its group', async () => {
    const [older, younger] = [await createContact(account), await createContact(account)];
    await openWindow(world, account.phone, younger.phone_number, {});
    const send = { contact_phone: younger.phone_number, message_type: 'text', message: 'Late' };
    const { body } = await account.api.post(SEND_MESSAGE, send);
    await merge(world, account, older.id, younger.id);
    await untilMoved(world, account);
    // As a send leaves them that read the contact before the merge and commits after it.
    await rowsOf(
      world,
      account,
      'UPDATE messages SET contact_id = $3 WHERE account_id = $1 AND id = $2',
      body['message_id'],
      younger.id,
    );
    await rowsOf(world, account, 'UPDATE conversations SET contact_id = $2 WHERE account_id = $1', younger.id);
    expect(await recordOf(account, body['message_id'])).toMatchObject({
      contact_id: older.id,
      contact_phone: older.phone_number,
    });
    await lookForStragglers(world, account);
    expect(await rowsOf(world, account, 'SELECT DISTINCT contact_id FROM messages WHERE account_id = $1')).toEqual([
      { contactId: older.id },
    ]);
    expect(await rowsOf(world, account, 'SELECT contact_id FROM conversations WHERE account_id = $1')).toEqual([
      { contactId: older.id },
    ]);
  });

  it('is not touched after an erasure', async () => {
    const [older, younger] = [
      await createContact(account),
      await createContact(account, { phone_number: uniquePhone() }),
    ];
    await merge(world, account, older.id, younger.id);
    await erase(account, older.id);
    await lookForStragglers(world, account);
    expect(await numbers(younger.id)).toEqual([{ phoneNumber: null, mergedInto: older.id, isDuplicate: false }]);
  });
});
