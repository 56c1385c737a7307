import { ContactErasureService } from '../../src/contacts/erasure/contact-erasure.service.js';
import { deliver } from '../inbound/inbound.js';
import { CONTACTS, createContact, merge, rowsOf } from '../people/merging.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { standingOf } from './consent.js';

describe('a person who opted out and is found by several numbers', () => {
  let world: World;
  let account: TestAccount;
  let id: string;
  let own: string;
  let alias: string;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    const [one, two] = [await createContact(account), await createContact(account)];
    [id, own, alias] = [one.id, one.phone_number, two.phone_number];
    await merge(world, account, one.id, two.id);
    await say('STOP');
  });

  const say = (text: string, from = own) =>
    deliver(world, account.phone, {
      messages: [{ from, id: `wamid.${uniqueDigits()}`, type: 'text', text: { body: text } }],
    });
  const expectOptedOut = async (...numbers: string[]) => {
    for (const number of numbers) {
      expect(await standingOf(world, account, number)).toMatchObject({ contactId: null, optedIn: false });
    }
  };

  it('stays so at each of them after an erasure', async () => {
    expect((await account.api.delete(`${CONTACTS}${id}?erase=true`)).status).toBe(200);
    await expectOptedOut(own, alias);
    expect(await createContact(account, { phone_number: alias })).toMatchObject({ opted_in: false });
  });

  it('stays so at each of them when all contacts are erased', async () => {
    await world.parley.app.get(ContactErasureService).eraseAll(account.accountId);
    const purges = () => rowsOf(world, account, 'SELECT FROM contact_purges WHERE account_id = $1');
    await until('nobody is left', async () => (await purges()).length === 0);
    await expectOptedOut(own, alias);
  });

  it('stays so at each of them when their contact is given another one', async () => {
    expect((await account.api.patch(CONTACTS + id, { phone_number: uniquePhone() })).status).toBe(200);
    await expectOptedOut(own, alias);
  });

  it('is not opted out at one that they left for another', async () => {
    const left = own;
    const fresh = uniquePhone();
    await deliver(world, account.phone, {
      messages: [
        {
          from: left,
          id: `wamid.${uniqueDigits()}`,
          type: 'system',
          system: { type: 'user_changed_number', wa_id: fresh },
        },
      ],
    });
    expect((await account.api.delete(`${CONTACTS}${id}?erase=true`)).status).toBe(200);
    await expectOptedOut(fresh, alias);
    expect(await standingOf(world, account, left)).toMatchObject({ contactId: null, optedIn: true });
  });
});
