import { text } from 'node:stream/consumers';
import { ConsentLedger } from '../../src/consent/consent-ledger.js';
import { ensureContacts } from '../../src/people/ensured-contacts.queries.js';
import { LearnedIdentitiesService } from '../../src/people/learned-identities.service.js';
import { learnNumber } from '../../src/people/learning.js';
import { started, untilCampaign } from '../campaigns/campaigns.js';
import { openWindow } from '../messages/messages.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { approvedTemplate } from '../support/templates.js';
import { eventually, until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { upload } from './consent.js';

interface Contact {
  readonly id: string;
  readonly opted_in: boolean;
}

describe('a number that the network spells differently', () => {
  let world: World;
  let account: TestAccount;
  let ours: string;
  let theirs: string;

  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    ours = uniquePhone();
    theirs = uniquePhone();
  });

  const CONTACTS = '/api/v1/contacts/';
  const create = async (phone_number: string): Promise<Contact> =>
    (await account.api.post<{ contact: Contact }>(CONTACTS, { phone_number, first_name: 'Ada' })).body.contact;
  const optedIn = async ({ id }: Contact): Promise<boolean> =>
    (await account.api.get<{ contact: Contact }>(CONTACTS + id)).body.contact.opted_in;
  const say = (text: string, from: string) => openWindow(world, account.phone, from, { text });
  /** What the network's answer to a send teaches. */
  const learned = ({ id }: Contact) =>
    world.unitOfWork.transaction((tx) => learnNumber(account.accountId, id, theirs, tx));
  const all = async () => (await account.api.get<{ contacts: Contact[] }>(CONTACTS)).body.contacts;

  it('is the contact’s number too, and no other contact’s', async () => {
    const contact = await create(ours);
    await learned(contact);
    const { status, body } = await account.api.post(CONTACTS, { phone_number: theirs, first_name: 'Ada' });
    expect({ status, body }).toMatchObject({ status: 409, body: { message: expect.stringContaining(contact.id) } });
    await say('STOP', theirs);
    expect(await optedIn(contact)).toBe(false);
    await say('START', theirs);
    expect(await optedIn(contact)).toBe(true);
    expect(await all()).toMatchObject([{ id: contact.id, phone_number: ours }]);
  });

  it.each(['ours', 'theirs'])('makes two contacts one, opted out if either was, by %s', async (which) => {
    const [contact] = [await create(ours), await create(theirs)];
    await say('STOP', which === 'ours' ? ours : theirs);
    await learned(contact);
    expect(await all()).toMatchObject([{ id: contact.id, phone_number: ours, opted_in: false }]);
    await account.api.patch(CONTACTS + contact.id, { opted_in: true });
    await say('STOP', theirs);
    expect(await all()).toMatchObject([{ id: contact.id, opted_in: false }]);
  });

  it('keeps what a person decided when the account opted one of the contacts out too', async () => {
    const [contact] = [await create(ours), await create(theirs)];
    await account.api.patch(CONTACTS + contact.id, { opted_in: false });
    await say('STOP', theirs);
    await learned(contact);
    await upload(account, `phone_number,first_name,opted_in\n${ours},Ada,true\n`);
    expect(await optedIn(contact)).toBe(false);
  });

  describe('is decided about by a file', () => {
    const importOf = (...rows: string[]) => upload(account, ['phone_number,first_name,opted_in', ...rows].join('\n'));

    it('by either number, and as the last line about the person says', async () => {
      const contact = await create(ours);
      await learned(contact);
      await importOf(`${theirs},Ada,false`);
      expect(await optedIn(contact)).toBe(false);
      await importOf(`${ours},Ada,true`);
      expect(await optedIn(contact)).toBe(true);
      await importOf(`${theirs},Ada,true`, `${ours},Ada,false`);
      expect(await optedIn(contact)).toBe(false);
      const { body } = await importOf(`${theirs},Ada,false`, `${ours},Ada,true`);
      expect(body).toMatchObject({ created: 0 });
      expect(await optedIn(contact)).toBe(true);
      expect(await all()).toHaveLength(1);
    });

    it('but does not lift what the person decided', async () => {
      const contact = await create(ours);
      await learned(contact);
      await say('STOP', theirs);
      const { body } = await importOf(`${ours},Ada,true`);
      expect(body['warnings']).toMatchObject([{ line: 2, phone_number: ours }]);
      expect(await optedIn(contact)).toBe(false);
    });
  });

  it('changes no other contact and no other account', async () => {
    const tenant = await world.account();
    const { body } = await tenant.api.post<{ contact: Contact }>(CONTACTS, { phone_number: theirs, first_name: 'Ada' });
    const [contact, stranger] = [await create(ours), await create(uniquePhone())];
    await learned(contact);
    await say('STOP', theirs);
    expect(await optedIn(stranger)).toBe(true);
    const theirOwn = await tenant.api.get<{ contact: Contact }>(CONTACTS + body.contact.id);
    expect(theirOwn.body.contact.opted_in).toBe(true);
  });
});

describe('numbers that a campaign learns', () => {
  const COUNT = 1500;
  let world: World;
  let account: TestAccount;

  beforeAll(async () => {
    world = await World.start();
    account = await world.account();
  });
  afterAll(() => world.stop());

  const learnAll = async (numbers: readonly string[], spelled: (number: string) => string) => {
    const { accountId } = account;
    const entries = numbers.map((phoneNumber) => ({ phoneNumber, name: null }));
    const contacts = await ensureContacts(accountId, entries, 'campaign', world.unitOfWork.autocommit);
    const service = world.parley.app.get(LearnedIdentitiesService);
    for (const { id: contactId, phoneNumber, userId, waId } of contacts) {
      const told = { number: spelled(phoneNumber ?? ''), user: null };
      service.learn({ accountId, contactId, contact: { phoneNumber, userId }, waId }, told);
    }
    return contacts;
  };
  const stored = async (ids: readonly string[]) =>
    world.unitOfWork.autocommit.rows<{ id: string; optedIn: boolean }>(
      'SELECT id, opted_in FROM contacts WHERE account_id = $1 AND id = ANY ($2::uuid[]) AND wa_id IS NOT NULL',
      [account.accountId, ids],
    );

  it('are all stored, however many come at once', async () => {
    const numbers = Array.from({ length: COUNT }, () => `52${uniqueDigits().slice(-10)}`);
    const contacts = await learnAll(numbers, (number) => number.replace(/^52/, '521'));
    await until('all are stored', async () => (await stored(contacts.map(({ id }) => id))).length === contacts.length);
  });

  it('bring the opt-outs of their people with them', async () => {
    const numbers = Array.from({ length: 20 }, () => uniquePhone());
    const spelled = (number: string) => number.replace(/^4/, '7');
    await openWindow(world, account.phone, spelled(numbers[0] ?? ''), { text: 'STOP' });
    const decision = { optedIn: false, by: 'network', at: new Date(), evidence: null } as const;
    await world.unitOfWork.transaction((tx) =>
      ConsentLedger.decideUnknown(account.accountId, [spelled(numbers[1] ?? '')], decision, tx),
    );
    const contacts = await learnAll(numbers, spelled);
    const kept = contacts.filter(({ phoneNumber }) => phoneNumber !== numbers[0]).map(({ id }) => id);
    await until('all are stored', async () => (await stored(kept)).length === kept.length);
    await eventually(async () => {
      const { body } = await account.api.get<{ contacts: { phone_number: string; opted_in: boolean }[] }>(
        '/api/v1/contacts/?limit=100',
      );
      const optedOut = body.contacts.filter(({ opted_in }) => !opted_in).map(({ phone_number }) => phone_number);
      // The first had written from the network's number before the campaign, so that contact is the older one.
      expect(optedOut.toSorted()).toEqual([spelled(numbers[0] ?? ''), numbers[1] ?? ''].toSorted());
    });
  });
});

describe('a campaign to a number that the network spells differently', () => {
  let world: World;
  let network: LoopbackServer;

  beforeAll(async () => {
    // The simulator, except that numbers begin with 7 in its answers.
    network = await LoopbackServer.start(async (request, response) => {
      const { method = '', url = '', headers } = request;
      const { authorization = '', 'content-type': type = 'application/json' } = headers;
      const body = method === 'GET' ? null : await text(request);
      const answer = await fetch(world.simulator.url + url, {
        method,
        headers: { authorization, 'content-type': type },
        body,
      });
      const answered = await answer.text();
      response
        .writeHead(answer.status, { 'content-type': 'application/json' })
        .end(answered.replace(/"wa_id":"4/, '"wa_id":"7'));
    });
    world = await World.start({ env: { NETWORK_BASE_URL: network.url('') } });
  });
  afterAll(async () => {
    await world.stop();
    await network.stop();
  });

  it('is opted out by a message that comes from the network’s spelling', async () => {
    const account = await world.account();
    const { name } = await approvedTemplate(world, account);
    const phone = uniquePhone();
    const id = await started(account, name, [phone]);
    await untilCampaign(account, id, 'completed');
    const spelled = phone.replace(/^4/, '7');
    await until('the spelling is stored', () =>
      world.unitOfWork.autocommit.row('SELECT 1 FROM contacts WHERE account_id = $1 AND wa_id = $2', [
        account.accountId,
        spelled,
      ]),
    );
    await openWindow(world, account.phone, spelled, { text: 'STOP' });
    const { body } = await account.api.get<{ contacts: Record<string, unknown>[] }>('/api/v1/contacts/');
    expect(body.contacts).toMatchObject([{ phone_number: phone, opted_in: false }]);
  });
});
