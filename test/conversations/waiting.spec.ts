import { IndexInboxes1790000000111 } from '../../migrations/0111-index-inboxes.js';
import { OrganisationsService } from '../../src/accounts/organisations.service.js';
import { started, untilCampaign } from '../campaigns/campaigns.js';
import { changeOf } from '../inbound/inbound.js';
import { report, SEND, SEND_MESSAGE, secondsAgo, untilStatus } from '../messages/messages.js';
import { createContact, merge } from '../people/merging.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { act, receive } from './conversations.js';
import { anotherPhone, conversationOf } from './threads.js';

let world: World;
let account: TestAccount;
let phone: string;
beforeAll(async () => {
  world = await World.start();
  // Answers are neither delivered nor read, so that they may fail.
  await world.simulator.behave({ statuses: [] });
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account();
  phone = uniquePhone();
});

const since = async (of = phone) => (await conversationOf(account, of)).waiting_since;
const iso = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('Z', '+00:00');

/** The contact sends something; returns the network's id. */
async function write(more: Record<string, unknown> = {}): Promise<string> {
  const message = { phone_number_id: account.phone.phoneNumberId, from: phone, type: 'text', text: 'Hello?', ...more };
  const { id, callback_status } = await world.simulator.inbound(message);
  expect(callback_status).toBe(200);
  return id;
}

/** The contact has waited for a minute. */
async function waits(): Promise<string> {
  const timestamp = secondsAgo(60);
  await write({ timestamp });
  expect(await since()).toBe(iso(timestamp));
  return iso(timestamp);
}

const text = () =>
  account.api.post<{ message_id: string }>(SEND_MESSAGE, {
    contact_phone: phone,
    message_type: 'text',
    message: 'Yes?',
  });

/** A text that the network has accepted. */
async function answer(): Promise<{ readonly id: string; readonly networkId: string }> {
  const { message_id } = (await text()).body;
  const { network_message_id } = await untilStatus(account, message_id, 'sent');
  return { id: message_id, networkId: String(network_message_id) };
}

/** The network reports that it could not deliver an answer. */
async function fails({ id, networkId }: { readonly id: string; readonly networkId: string }): Promise<void> {
  const errors = [{ code: 131026, title: 'x', error_data: { details: 'Gone.' } }];
  expect(await report(world, account.phone.phoneNumberId, { id: networkId, status: 'failed', errors })).toBe(200);
  await untilStatus(account, id, 'failed');
}

/** The business sends something with the phone app. */
async function echo(timestamp: number, more: Record<string, unknown> = {}): Promise<void> {
  const message = { from: '15550000000', to: phone, id: `wamid.${uniqueDigits()}`, timestamp: String(timestamp) };
  const echoed = { ...message, type: 'text', text: { body: 'Hi' }, ...more };
  const { callback_status } = await world.simulator.callback(
    'smb_message_echoes',
    changeOf(account.phone, { message_echoes: [echoed] }),
  );
  expect(callback_status).toBe(200);
}

describe('somebody waits', () => {
  it('from the first message that nobody has answered, by its own time, and later messages change nothing', async () => {
    const first = await waits();
    await write({ text: 'Anybody?' });
    expect(await since()).toBe(first);
  });

  it('again from the first message after an answer', async () => {
    await waits();
    await account.api.post(SEND_MESSAGE, { contact_phone: phone, message_type: 'text', message: 'Yes?' });
    expect(await since()).toBeNull();
    const timestamp = secondsAgo(0);
    await write({ timestamp });
    expect(await since()).toBe(iso(timestamp));
  });

  it('not because of a reaction, which ends nothing either', async () => {
    const id = await write();
    await account.api.post(SEND_MESSAGE, { contact_phone: phone, message_type: 'text', message: 'Yes?' });
    await write({ type: 'reaction', context_id: id, emoji: '👍' });
    expect(await since()).toBeNull();
    const timestamp = secondsAgo(0);
    await write({ timestamp });
    await write({ type: 'reaction', context_id: id, emoji: '👍' });
    expect(await since()).toBe(iso(timestamp));
  });

  it.each([
    ['a file', { type: 'image' }],
    ['a place', { type: 'location' }],
    ['a message that this version does not know', { type: 'unsupported' }],
  ])('because of %s', async (_, more) => {
    await write(more);
    expect(await since()).not.toBeNull();
  });

  it('again, as long as before, when the answer fails, now or later', async () => {
    const waiting = await waits();
    const first = await answer();
    await write({ type: 'reaction', context_id: first.networkId, emoji: '👍' });
    expect(await since()).toBeNull();
    await fails(first);
    expect(await since()).toBe(waiting);
    await world.simulator.behave({ error: { code: 131026, rate: 1 } });
    const { status } = await text();
    await world.simulator.behave({ error: null });
    expect(status).toBe(400);
    expect(await since()).toBe(waiting);
  });

  it('when all answers have failed, in any order', async () => {
    const waiting = await waits();
    const answers = [await answer(), await answer(), await answer()] as const;
    await fails(answers[0]);
    expect(await since()).toBeNull();
    await fails(answers[2]);
    expect(await since()).toBeNull();
    await fails(answers[1]);
    expect(await since()).toBe(waiting);
  });

  it('not when the answer that had failed arrives after all, unless they have written since', async () => {
    const waiting = await waits();
    const first = await answer();
    const arrives = async ({ networkId }: { readonly networkId: string }): Promise<void> => {
      const delivered = { id: networkId, status: 'delivered' };
      expect(await report(world, account.phone.phoneNumberId, delivered)).toBe(200);
    };
    await fails(first);
    expect(await since()).toBe(waiting);
    await arrives(first);
    await until('nobody waits', async () => (await since()) === null);
    await write();
    const second = await answer();
    await fails(second);
    const again = await since();
    await write({ text: 'Anybody?' });
    await arrives(second);
    await untilStatus(account, second.id, 'delivered');
    expect(await since()).toBe(again);
  });

  it('in a conversation that a message reopens', async () => {
    await waits();
    await act(account, 'resolve', phone);
    const timestamp = secondsAgo(0);
    await write({ timestamp });
    expect(await conversationOf(account, phone)).toMatchObject({ status: 'open', waiting_since: iso(timestamp) });
  });
});

describe('nobody waits any more', () => {
  it('after a text of a key, or a template', async () => {
    await waits();
    await account.api.post(SEND_MESSAGE, { contact_phone: phone, message_type: 'text', message: 'Yes?' });
    expect(await since()).toBeNull();
    await write();
    const { name } = await approvedTemplate(world, account);
    await account.api.post(SEND, { template_name: name, contact_phone: phone });
    expect(await since()).toBeNull();
    await write();
    const options = { headers: { 'idempotency-key': uniqueDigits() } };
    await account.api.post(SEND, { template_name: name, contact_phone: phone }, options);
    expect(await since()).toBeNull();
  });

  it('after a message of the phone app, unless the contact wrote only after it', async () => {
    const waiting = await waits();
    await echo(Date.parse(waiting) / 1000 - 30);
    expect(await since()).toBe(waiting);
    await echo(Date.parse(waiting) / 1000 + 30);
    expect(await since()).toBeNull();
  });

  it('in the conversation with another phone: there the contact still waits', async () => {
    const waiting = await waits();
    const other = await anotherPhone(world, account);
    const { name } = await approvedTemplate(world, account);
    await world.unitOfWork.autocommit.affected(
      `INSERT INTO conversations (account_id, contact_id, business_phone_id, waiting_since)
       SELECT account_id, contact_id, $2, waiting_since FROM conversations WHERE account_id = $1`,
      [account.accountId, other],
    );
    await account.api.post(SEND, { template_name: name, contact_phone: phone, waba_phone_id: account.phone.id });
    expect((await conversationOf(account, phone, `?waba_phone_id=${other}`)).waiting_since).toBe(waiting);
    expect((await conversationOf(account, phone, `?waba_phone_id=${account.phone.id}`)).waiting_since).toBeNull();
  });

  it.each(['another answer arrives', 'somebody resolves the conversation', 'the contact opts out'])(
    'when the answer fails after %s',
    async (event) => {
      await waits();
      const first = await answer();
      if (event === 'another answer arrives') await answer();
      else if (event === 'the contact opts out') await write({ text: 'STOP' });
      else await act(account, 'resolve', phone);
      await fails(first);
      expect(await since()).toBeNull();
    },
  );

  it('because of a message that fails long after another was the answer', async () => {
    await waits();
    await answer();
    await fails(await answer());
    expect(await since()).toBeNull();
  });

  it('when the conversation is resolved', async () => {
    await waits();
    await act(account, 'resolve', phone);
    expect(await since()).toBeNull();
  });

  it('when the contact opts out, also by an edit', async () => {
    await waits();
    await write({ text: 'STOP' });
    expect(await since()).toBeNull();
    const id = await write({ text: 'stpo' });
    expect(await since()).not.toBeNull();
    await write({ type: 'edit', original_message_id: id, text: 'stop' });
    expect(await since()).toBeNull();
  });
});

describe('somebody goes on waiting', () => {
  it('when a campaign sends to them', async () => {
    const waiting = await waits();
    const { name } = await approvedTemplate(world, account);
    await untilCampaign(account, await started(account, name, [phone]), 'completed');
    expect(await conversationOf(account, phone)).toMatchObject({
      waiting_since: waiting,
      last_message_direction: 'out',
    });
  });

  it('after an automatic reply', async () => {
    await world.parley.app
      .get(OrganisationsService)
      .set(String(account.organisationId), { autoReply: 'We are closed' });
    const waiting = await waits();
    await until('the automatic reply is sent', async () => {
      const { last_message_direction } = await conversationOf(account, phone);
      return last_message_direction === 'out';
    });
    expect(await since()).toBe(waiting);
  });

  it('when the conversation is assigned, unassigned, or gets a note', async () => {
    const waiting = await waits();
    await act(account, 'assign', phone, { user_id: account.ownerId });
    await act(account, 'unassign', phone);
    await account.api.post(`/api/v1/conversations/${phone}/notes`, { text: 'Later' });
    expect(await since()).toBe(waiting);
  });

  it('when two people turn out to be one: since the earlier of the two, if the conversation that is left is open', async () => {
    const [one, other] = [await createContact(account), await createContact(account)];
    for (const [{ phone_number }, ago] of [[one, 90] as const, [other, 60] as const]) {
      await receive(world, account, phone_number, { at: new Date(secondsAgo(ago) * 1000) });
    }
    const first = await since(one.phone_number);
    await merge(world, account, one.id, other.id);
    expect(await since(one.phone_number)).toBe(first);
  });
});

describe('an upgrade', () => {
  it('lets those wait in open conversations who wrote last in the past 24 hours', async () => {
    const { autocommit } = world.unitOfWork;
    const at = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);
    const phones = Array.from({ length: 4 }, uniquePhone);
    const [recent, answered, old, resolved] = phones as [string, string, string, string];
    for (const [number, hours] of [
      [recent, 1],
      [answered, 1],
      [old, 25],
      [resolved, 1],
    ] as const) {
      await receive(world, account, number, { at: at(hours) });
    }
    const { name } = await approvedTemplate(world, account);
    await account.api.post(SEND, { template_name: name, contact_phone: answered });
    await act(account, 'resolve', resolved);
    await autocommit.affected('UPDATE conversations SET waiting_since = NULL WHERE account_id = $1', [
      account.accountId,
    ]);
    const statements: string[] = [];
    await new IndexInboxes1790000000111().up({ query: async (sql: string) => statements.push(sql) } as never);
    const [rule] = statements.filter((sql) => sql.includes('UPDATE conversations'));
    await autocommit.affected(`${rule} AND account_id = $1`, [account.accountId]);
    const waiting = await Promise.all(phones.map(since));
    expect(waiting.map((each) => each !== null)).toEqual([true, false, false, false]);
  });
});
