import type { ContactRecord } from '../../src/contacts/dto/contact.dto.js';
import { deliver } from '../inbound/inbound.js';
import { secondsAgo } from '../messages/messages.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { CONTACTS } from './merging.js';

let world: World;
let account: TestAccount;
/** The number and user id that one person has left. */
let number: string;
let former: string;
/** The number and user id that this person has now. */
let newNumber: string;
let current: string;

beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account();
  [number, newNumber] = [uniquePhone(), uniquePhone()];
  [former, current] = [`DE.${uniqueDigits()}`, `DE.${uniqueDigits()}`];
  expect(await message(number, former)).toBe(200);
  const system = { type: 'user_changed_number', body: 'moved', wa_id: newNumber, user_id: current };
  const notice = { from: number, from_user_id: former, id: `wamid.${uniqueDigits()}`, type: 'system', system };
  expect(await deliver(world, account.phone, { messages: [{ ...notice, timestamp: secondsAgo(0) }] })).toBe(200);
});

/** The status with which a message is answered. */
const message = (from: string, user_id: string) =>
  deliver(world, account.phone, {
    contacts: [{ wa_id: from, user_id }],
    messages: [{ from, from_user_id: user_id, id: `wamid.${uniqueDigits()}`, type: 'text', text: { body: 'Hello' } }],
  });
const identities = async () =>
  (await account.api.get<{ contacts: ContactRecord[] }>(CONTACTS)).body.contacts
    .map(({ phone_number, user_id }) => ({ phone_number, user_id }))
    .toSorted((one, other) => String(one.phone_number).localeCompare(String(other.phone_number)));
const sorted = (...all: { phone_number: string; user_id: string }[]) =>
  all.toSorted((one, other) => one.phone_number.localeCompare(other.phone_number));

describe('a user id that a person has left', () => {
  it('changes nobody who is known by another one when it comes with their number', async () => {
    const [other, own] = [uniquePhone(), `DE.${uniqueDigits()}`];
    expect(await message(other, own)).toBe(200);
    expect(await message(other, former)).toBe(200);
    expect(await identities()).toEqual(
      sorted({ phone_number: newNumber, user_id: current }, { phone_number: other, user_id: own }),
    );
  });

  it('may come with a number that nobody has', async () => {
    expect(await message(uniquePhone(), former)).toBe(200);
    expect(await message(newNumber, current)).toBe(200);
  });

  it('may come with a number that a contact without user id has', async () => {
    const other = uniquePhone();
    expect((await account.api.post(CONTACTS, { phone_number: other, first_name: 'Ada' })).status).toBe(201);
    expect(await message(other, former)).toBe(200);
  });

  it('may become the person’s own again', async () => {
    const system = { type: 'user_changed_user_id', body: 'changed', user_id: former, previous_user_id: current };
    const notice = { from_user_id: current, id: `wamid.${uniqueDigits()}`, type: 'system', system };
    expect(await deliver(world, account.phone, { messages: [{ ...notice, timestamp: secondsAgo(0) }] })).toBe(200);
    expect(await identities()).toEqual([{ phone_number: newNumber, user_id: former }]);
  });
});
