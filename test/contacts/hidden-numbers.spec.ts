import type { ContactResponse, ContactsResponse } from '../../src/contacts/dto/contact-responses.dto.js';
import type { GroupResponse } from '../../src/groups/dto/group-responses.dto.js';
import { Contact } from '../../src/people/contact.entity.js';
import { findByIdentity } from '../../src/people/contact-identity.queries.js';
import { newRecordId } from '../../src/values/record-id.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';

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
/** Creates a contact known only by user id. */
const hidden = async (fields: Partial<Contact> = {}): Promise<string> => {
  const id = newRecordId();
  const person = {
    userId: `DE.${uniqueDigits()}`,
    firstName: 'Ada',
    lastName: 'Lindgrove',
    source: 'inbound' as const,
  };
  await world.unitOfWork.autocommit.manager.insert(Contact, { accountId: account.accountId, id, ...person, ...fields });
  return id;
};
const create = async (): Promise<string> => {
  const body = { phone_number: uniquePhone(), first_name: 'Grace' };
  return (await account.api.post<ContactResponse>(PATH, body)).body.contact.id;
};
const find = async (userId: string) =>
  (await findByIdentity(account.accountId, null, userId, world.unitOfWork.autocommit)).ofUser;

describe('a contact without a phone number', () => {
  it('is read, listed and exported with phone_number null', async () => {
    const id = await hidden();
    const { contact } = (await account.api.get<ContactResponse>(PATH + id)).body;
    expect(contact).toMatchObject({ id, phone_number: null, first_name: 'Ada', source: 'inbound' });
    expect((await account.api.get<ContactsResponse>(PATH)).body).toMatchObject({ contacts: [contact], total: 1 });
    const { text } = await account.api.get(`${PATH}export`);
    expect(text.split('\n')[1]).toMatch(`${id},Ada,Lindgrove,,`);
  });

  it.each(['Ada', 'a l', 'GROVE', 'lind@ex', 'd'])('is found by searching %j', async (search) => {
    const id = await hidden({ email: 'ada.lind@example.com' });
    await create();
    const { body } = await account.api.get<ContactsResponse>(`${PATH}?search=${encodeURIComponent(search)}`);
    expect(body.contacts.map((contact) => contact.id)).toContain(id);
  });

  it('can be a member of groups', async () => {
    const id = await hidden();
    const { body } = await account.api.post<GroupResponse>('/api/v1/groups/', { name: 'VIP', contact_ids: [id] });
    const members = await account.api.get<ContactsResponse>(`/api/v1/groups/${body.group.id}/contacts`);
    expect(members.body).toMatchObject({ contacts: [{ id, phone_number: null }], total: 1 });
  });

  it('keeps its business-scoped id when it is given a number', async () => {
    const userId = `DE.${uniqueDigits()}`;
    const id = await hidden({ userId });
    await account.api.patch(PATH + id, { phone_number: uniquePhone() });
    expect(await find(userId)).toMatchObject({ id });
  });
});
