import {
  AgentsService,
  byNumber,
  type Caller,
  ContactsService,
  ConversationsService,
  GroupsService,
  MessageHistoryService,
  offsetOf,
  type RecordId,
  readNumber,
  UnitOfWork,
} from '../../src/extension-api.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';

// As extensions call the services of the core. A line that has to change here breaks extensions: the changelog then says
// what they have to do.

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await World.start();
  account = await world.account();
});
afterAll(() => world.stop());

const numberOf = (digits: string) => {
  const reading = readNumber(digits, null);
  if (reading.number === null) throw new Error(digits);
  return reading.number;
};
const given = { firstName: 'Ada', lastName: null, email: null, company: null, tags: ['new'] };
const unchanged = {
  phoneNumber: undefined,
  firstName: undefined,
  lastName: undefined,
  email: undefined,
  company: undefined,
  tags: undefined,
};

describe('an extension', () => {
  it('creates, changes and deletes contacts, and decides for the account', async () => {
    const contacts = world.parley.app.get(ContactsService);
    const phoneNumber = numberOf(uniquePhone());
    const created: { readonly id: RecordId; readonly optedIn: boolean } = await contacts.create(
      account.accountId,
      { phoneNumber, ...given },
      false,
    );
    expect(created.optedIn).toBe(false);
    // A plain decision is the account's own, which lifts.
    expect(await contacts.change(account.accountId, created.id, { ...unchanged, firstName: 'Bo' }, true)).toMatchObject(
      {
        firstName: 'Bo',
        optedIn: true,
      },
    );
    expect(await contacts.get(account.accountId, created.id)).toMatchObject({ optedIn: true });
    expect(await contacts.delete(account.accountId, created.id)).toBe(created.id);
  });

  it('changes conversations for its caller, with the caller alone', async () => {
    const conversations = world.parley.app.get(ConversationsService);
    const { accountId, organisationId, ownerId } = account;
    const caller: Pick<Caller, 'accountId' | 'organisationId' | 'userId' | 'source'> = {
      accountId,
      organisationId,
      userId: ownerId,
      source: 'api',
    };
    const choice = { contact: byNumber(numberOf(uniquePhone())), wabaPhoneId: null };
    const assigned = await conversations.assign(caller, choice, { userId: ownerId, note: null });
    expect(assigned.changed).toBe(true);
    expect((await conversations.resolve(caller, choice, { reason: null })).changed).toBe(true);
    expect((await conversations.reopen(caller, choice)).changed).toBe(true);
    expect((await conversations.unassign(caller, choice)).changed).toBe(true);
  });

  it('reads groups, agents and messages', async () => {
    const { accountId, organisationId } = account;
    const page = { page: 1, limit: 10 };
    const groups = world.parley.app.get(GroupsService);
    const { id } = await groups.create(accountId, { name: 'Readers', description: null, tags: [] }, []);
    const { members, names } = await groups.recipients(
      accountId,
      [id],
      10,
      world.parley.app.get(UnitOfWork).reads(accountId),
    );
    expect([members, names]).toEqual([[], ['Readers']]);
    expect(offsetOf(page)).toBe(0);
    const agents = await world.parley.app.get(AgentsService).list(organisationId ?? '', { status: 'active' }, page);
    expect(agents.rows.map(({ userId }) => userId)).toEqual([account.ownerId]);
    expect(world.parley.app.get(MessageHistoryService)).toBeDefined();
  });
});
