import { LearnedIdentitiesService } from '../../src/people/learned-identities.service.js';
import { preference } from '../consent/consent.js';
import { deliver } from '../inbound/inbound.js';
import { SEND } from '../messages/messages.js';
import type { LedgerEntry } from '../support/simulator-control.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';

interface Contact {
  readonly id: string;
  readonly phone_number: string | null;
  readonly user_id?: string;
  readonly opted_in: boolean;
}

/** What a message or a notice names its sender by, and when it was written. */
interface Sender {
  readonly from?: string;
  readonly from_user_id?: string;
  readonly minutesAgo?: number;
}

const CONTACTS = '/api/v1/contacts/';
const OK = 200;

let world: World;
let account: TestAccount;
let template: { name: string };
let numbers: readonly [string, string, string];
let users: readonly [string, string, string];

beforeAll(async () => {
  world = await World.start();
  await world.simulator.behave({ statuses: [] });
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account();
  template = await approvedTemplate(world, account);
  numbers = [uniquePhone(), uniquePhone(), uniquePhone()];
  users = [`DE.${uniqueDigits()}`, `DE.${uniqueDigits()}`, `DE.${uniqueDigits()}`];
});

const contacts = async (): Promise<Contact[]> =>
  (await account.api.get<{ contacts: Contact[] }>(CONTACTS)).body.contacts;
const contactOf = async (number: string): Promise<Contact | undefined> =>
  (await contacts()).find(({ phone_number }) => phone_number === number);

const deliverOne = async ({ minutesAgo = 0, ...sender }: Sender, message: Record<string, unknown>): Promise<void> => {
  const timestamp = String(Math.floor(Date.now() / 1000) - minutesAgo * 60);
  const given = { ...sender, id: `wamid.${uniqueDigits()}`, timestamp, ...message };
  expect(await deliver(world, account.phone, { messages: [given] })).toBe(OK);
};
const say = (text: string, sender: Sender) => deliverOne(sender, { type: 'text', text: { body: text } });
const notice = (sender: Sender, system: Record<string, unknown>) => deliverOne(sender, { type: 'system', system });
const movesTo = (from: string, to: string, minutesAgo: number, more: Record<string, unknown> = {}) =>
  notice({ from, minutesAgo }, { type: 'user_changed_number', wa_id: to, ...more });
const renamedTo = (previous_user_id: string, user_id: string, minutesAgo: number) =>
  notice({ minutesAgo }, { type: 'user_changed_user_id', user_id, previous_user_id });

const send = async (contact_phone: string): Promise<LedgerEntry> => {
  const { status, text } = await account.api.post(SEND, { template_name: template.name, contact_phone });
  if (status !== OK) throw new Error(text);
  const entry = (await world.simulator.ledger(account.phone.phoneNumberId)).at(-1);
  if (entry === undefined) throw new Error('nothing was sent');
  return entry;
};

describe('a person who changes their number', () => {
  it('to one that another person has left is not that person', async () => {
    const [first, second, third] = numbers;
    await say('Hello', { from: second, minutesAgo: 30 });
    const former = await contactOf(second);
    await movesTo(second, third, 20);
    await say('Hello', { from: first, minutesAgo: 15 });
    const person = await contactOf(first);
    await movesTo(first, second, 10);
    expect(await contactOf(second)).toMatchObject({ id: person?.id });
    expect(await contactOf(third)).toMatchObject({ id: former?.id });
    await say('STOP', { from: second });
    expect(await contactOf(third)).toMatchObject({ opted_in: true });
  });

  it('to one of a contact with another user id takes it from that contact', async () => {
    const [first, second] = numbers;
    await say('Hello', { from: first, from_user_id: users[0], minutesAgo: 30 });
    await say('STOP', { from: second, from_user_id: users[1], minutesAgo: 30 });
    const person = await contactOf(first);
    const former = await contactOf(second);
    await movesTo(first, second, 10, { user_id: users[2], previous_user_id: users[0] });
    expect(await contacts()).toHaveLength(2);
    expect(await contactOf(second)).toMatchObject({ id: person?.id, user_id: users[2], opted_in: true });
    expect((await contacts()).find(({ id }) => id === former?.id)).toMatchObject({
      phone_number: null,
      user_id: users[1],
      opted_in: false,
    });
  });

  it('to one of a contact with several takes the others from it, too', async () => {
    const [first, second, third] = numbers;
    await say('Hello', { from: third, from_user_id: users[1], minutesAgo: 30 });
    await movesTo(third, second, 20);
    const former = await contactOf(second);
    await say('Hello', { from: first, from_user_id: users[0], minutesAgo: 15 });
    await movesTo(first, second, 10, { user_id: users[2], previous_user_id: users[0] });
    expect((await account.api.delete(CONTACTS + former?.id)).status).toBe(OK);
    await say('Hello', { from: third, minutesAgo: 25 });
    expect(await contactOf(third)).toBeDefined();
    await say('Hello', { from_user_id: users[1] });
    expect((await contacts()).map(({ phone_number }) => phone_number).toSorted()).toEqual(
      [second, third, null].toSorted(),
    );
  });

  it('to one that a contact is only found by takes just that one', async () => {
    const [first, second, third] = numbers;
    await say('Hello', { from: third, from_user_id: users[1], minutesAgo: 30 });
    await say('Hello', { from: second, from_user_id: users[1], minutesAgo: 25 });
    await say('Hello', { from: first, from_user_id: users[0], minutesAgo: 15 });
    await movesTo(first, second, 10, { user_id: users[2], previous_user_id: users[0] });
    expect(await contactOf(third)).toMatchObject({ user_id: users[1] });
    expect(await contactOf(second)).toMatchObject({ user_id: users[2] });
    expect((await send(third)).to).toBe(third);
  });

  it('twice has the last one, in whichever order the notices arrive', async () => {
    const [first, second, third] = numbers;
    await say('STOP', { from: first, minutesAgo: 30 });
    const person = await contactOf(first);
    await movesTo(second, third, 10);
    await movesTo(first, second, 20);
    expect(await contacts()).toMatchObject([{ id: person?.id, phone_number: third, opted_in: false }]);
    expect((await send(first)).to).toBe(third);
  });

  it('several times has the last one, opted out, when everything arrives at once', async () => {
    for (let round = 0; round < 8; round += 1) {
      account = await world.account();
      const [first, second, third] = [uniquePhone(), uniquePhone(), uniquePhone()];
      await say('Hello', { from: first, minutesAgo: 40 });
      await Promise.all([
        movesTo(second, third, 10),
        movesTo(first, second, 20),
        say('STOP', { from: first, minutesAgo: 30 }),
        say('Hello', { from: second, minutesAgo: 15 }),
        say('Hello', { from: third, minutesAgo: 5 }),
      ]);
      expect(await contacts()).toMatchObject([{ phone_number: third, opted_in: false }]);
    }
  });

  it('keeps the last one when an earlier notice comes once more', async () => {
    const [first, second, third] = numbers;
    await say('Hello', { from: first, minutesAgo: 30 });
    await movesTo(first, second, 20);
    await movesTo(second, third, 10);
    await movesTo(first, second, 20);
    expect(await contacts()).toMatchObject([{ phone_number: third }]);
  });

  it('and back has the first one again', async () => {
    const [first, second] = numbers;
    await say('Hello', { from: first, minutesAgo: 30 });
    await movesTo(first, second, 20);
    await movesTo(second, first, 10);
    expect(await contacts()).toMatchObject([{ phone_number: first }]);
    expect((await send(second)).to).toBe(first);
  });

  it('is not sent to at the old one because of a report about an earlier message', async () => {
    const [first, second] = numbers;
    const { id, biz_opaque_callback_data } = await send(first);
    await movesTo(first, second, 0);
    await deliver(world, account.phone, {
      statuses: [{ id, biz_opaque_callback_data, status: 'read', recipient_id: first, recipient_user_id: users[0] }],
    });
    await until('the report is read', async () => (await contactOf(second))?.user_id === users[0]);
    expect((await send(second)).to).toBe(second);
  });

  it('has nothing to do with what the next owner decides about marketing', async () => {
    const [first, second] = numbers;
    await say('STOP', { from: first, minutesAgo: 30 });
    await movesTo(first, second, 20);
    const timestamp = Math.floor(Date.now() / 1000);
    await preference(world, account.phone, { wa_id: first, value: 'resume', timestamp });
    expect(await contactOf(second)).toMatchObject({ opted_in: false });
  });
});

describe('a person who changes their user id', () => {
  it('twice has the last one, in whichever order the notices arrive', async () => {
    await say('STOP', { from_user_id: users[0], minutesAgo: 30 });
    await renamedTo(users[1], users[2], 10);
    await renamedTo(users[0], users[1], 20);
    expect(await contacts()).toMatchObject([{ user_id: users[2], opted_in: false }]);
    for (const user of users) await say('Hello', { from_user_id: user });
    expect(await contacts()).toHaveLength(1);
  });

  it('and back has the first one again', async () => {
    await say('Hello', { from_user_id: users[0], minutesAgo: 30 });
    await renamedTo(users[0], users[1], 20);
    await renamedTo(users[1], users[0], 10);
    expect(await contacts()).toMatchObject([{ user_id: users[0] }]);
  });

  it('is the contact with the number that their former user id comes with', async () => {
    await say('Hello', { from_user_id: users[0], minutesAgo: 30 });
    await renamedTo(users[0], users[1], 20);
    await say('Hello', { from: numbers[0], minutesAgo: 10 });
    await say('Hello', { from: numbers[0], from_user_id: users[0], minutesAgo: 5 });
    expect(await contacts()).toMatchObject([{ phone_number: numbers[0], user_id: users[1] }]);
  });
});

describe('two people with user ids', () => {
  it('stay two whatever number an answer names', async () => {
    const [first, second] = numbers;
    await say('STOP', { from: first, from_user_id: users[0] });
    await say('Hello', { from: second, from_user_id: users[1] });
    const { id, biz_opaque_callback_data } = await send(second);
    await deliver(world, account.phone, {
      statuses: [{ id, biz_opaque_callback_data, status: 'delivered', recipient_id: first }],
    });
    await world.parley.app.get(LearnedIdentitiesService).beforeApplicationShutdown();
    expect(await contacts()).toHaveLength(2);
    expect(await contactOf(second)).toMatchObject({ opted_in: true });
  });
});
