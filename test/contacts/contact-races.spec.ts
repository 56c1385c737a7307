import type { ContactResponse, ContactsResponse } from '../../src/contacts/dto/contact-responses.dto.js';
import type { ApiResponse } from '../support/api-client.js';
import { crowd, crowdOf } from '../support/crowd.js';
import { ForeignSession } from '../support/foreign-session.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account();
});

const PATH = '/api/v1/contacts/';
const create = async (phone_number = uniquePhone(), first_name = 'Ada') => {
  const { body } = await account.api.post<ContactResponse>(PATH, { phone_number, first_name });
  return body.contact;
};
const listed = async () => (await account.api.get<ContactsResponse>(`${PATH}?limit=100`)).body;
const waits = (statement: string) =>
  world.unitOfWork.autocommit.row(
    `SELECT 1 FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND position($1 in query) > 0`,
    [statement],
  );

describe('contacts under parallel requests', () => {
  it('let one of 20 take a number that all are changed to, and answer 409 naming it to the others', async () => {
    const contacts = await crowd(20, () => create());
    const phone_number = uniquePhone();
    const answers = await crowdOf(contacts, ({ id }) => account.api.patch(PATH + id, { phone_number }));
    const winner = contacts[answers.findIndex(({ status }) => status === 200)];
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
    for (const { body } of answers.filter(({ status }) => status === 409)) {
      expect(body.message).toContain(String(winner?.id));
    }
    expect((await listed()).contacts.filter((contact) => contact.phone_number === phone_number)).toHaveLength(1);
  });

  it('only answer 200 or 409 naming another contact while numbers are passed around', async () => {
    const phones = [uniquePhone(), uniquePhone(), uniquePhone()];
    const contacts = [await create(phones[0]), await create(phones[1])];
    const answers = await crowd(600, async (index) => {
      const id = contacts[index % 2]?.id;
      const phone_number = phones[Math.floor(index / 2) % 3];
      return { id, ...(await account.api.patch(PATH + id, { phone_number })) };
    });
    for (const { id, status, body } of answers.filter((answer) => answer.status !== 200)) {
      expect({ status, error: body.error }).toEqual({ status: 409, error: 'conflict' });
      expect(body.message).not.toContain(String(id));
    }
  });

  it('revive a deleted contact once under its id for 50 parallel creates', async () => {
    const { id, phone_number } = await create();
    await account.api.delete(PATH + id);
    const answers = await crowd(50, () => account.api.post(PATH, { phone_number, first_name: 'Grace' }));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(49).fill(409)]);
    expect(await listed()).toMatchObject({ contacts: [{ id, first_name: 'Grace' }], total: 1 });
  });

  it('keep the total exact while the same contacts are repeatedly created and deleted', async () => {
    const contacts = await crowd(5, () => create());
    const answers = await crowd(200, (index) => {
      const contact = contacts[index % contacts.length];
      return index % 2
        ? account.api.delete(PATH + contact?.id)
        : account.api.post(PATH, { phone_number: contact?.phone_number, first_name: 'Ada' });
    });
    expect(answers.filter(({ status }) => ![200, 201, 404, 409].includes(status))).toEqual([]);
    const { contacts: left, total } = await listed();
    expect(total).toBe(left.length);
    const [made, gone] = [201, 200].map((code) => answers.filter(({ status }) => status === code).length);
    expect(total).toBe(5 + Number(made) - Number(gone));
  });

  it('keep every change of parallel PATCHes to different fields', async () => {
    const { id } = await create();
    const fields = { first_name: 'Grace', last_name: 'Harbour', email: 'g@example.com', company: 'Yard', tags: ['x'] };
    await Promise.all(Object.entries(fields).map(([field, value]) => account.api.patch(PATH + id, { [field]: value })));
    expect((await account.api.get<ContactResponse>(PATH + id)).body.contact).toMatchObject(fields);
  });

  it('never create a nameless contact from an import row when the number changes hands in the meantime', async () => {
    const [low, high] = [uniquePhone(), uniquePhone()].sort() as [string, string];
    const [held, nameless] = [await create(low), await create(high)];
    const file = `phone_number,first_name,company\n${low},Ada,Yard\n${high},,Yard`;
    const session = await ForeignSession.open(world.environment.databaseUrl);
    const answers: Promise<ApiResponse>[] = [];
    try {
      // The import has read all rows and now waits for the lock on the first.
      await session.lock('contacts', 'account_id = $1 AND id = $2', [account.accountId, held.id]);
      const options = { raw: file, headers: { 'content-type': 'text/csv' } };
      answers.push(account.api.post(`${PATH}import`, undefined, options));
      await until('the import waits', () => waits('INSERT INTO contacts'));
      let isChanged = false;
      const changing = account.api.patch(PATH + nameless.id, { phone_number: uniquePhone() });
      answers.push(
        changing.finally(() => {
          isChanged = true;
        }),
      );
      await until('the change is done or waits', async () => isChanged || (await waits('UPDATE contacts')) !== null);
    } finally {
      await session.close();
    }
    const [imported, patched] = await Promise.all(answers);
    expect(imported).toMatchObject({ status: 200, body: { created: 0, updated: 1, failed: 1 } });
    expect(patched?.status).toBe(200);
    const { contacts, total } = await listed();
    expect({ total, names: contacts.map(({ first_name }) => first_name) }).toEqual({ total: 2, names: ['Ada', 'Ada'] });
  });
});
