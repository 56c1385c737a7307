import type { ContactRecord } from '../../src/contacts/dto/contact.dto.js';
import type { ContactResponse, ContactsResponse } from '../../src/contacts/dto/contact-responses.dto.js';
import { GroupsService } from '../../src/groups/groups.service.js';
import { learnIdentity } from '../../src/people/learning.js';
import type { UserId } from '../../src/values/user-id.js';
import { act, stateOf } from '../conversations/conversations.js';
import { deliver, receivedBy } from '../inbound/inbound.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account();
});

const PATH = '/api/v1/contacts/';
const write = (from: string, body: string, more: Record<string, unknown> = {}) =>
  deliver(world, account.phone, {
    messages: [
      {
        id: `wamid.${uniqueDigits()}`,
        timestamp: `${Math.floor(Date.now() / 1000)}`,
        type: 'text',
        text: { body },
        from,
      },
    ],
    ...more,
  });
const listed = async () => (await account.api.get<ContactsResponse>(`${PATH}?limit=100`)).body.contacts;
const create = async (phone_number = uniquePhone()) => {
  const { body } = await account.api.post<ContactResponse>(PATH, { phone_number, first_name: 'Ada' });
  return body.contact as ContactRecord & { phone_number: string };
};
const total = async (path: string) => (await account.api.get<{ total: number }>(path)).body.total;

describe('the number of a deleted contact', () => {
  const change = (id: string, phone_number: string) => account.api.patch<ContactResponse>(PATH + id, { phone_number });

  it('can be given to another contact, which goes on with its history and opt-out', async () => {
    const phone = uniquePhone();
    await write(phone, 'Hello?');
    const [former] = await listed();
    await account.api.patch(PATH + former?.id, { opted_in: false });
    await account.api.delete(PATH + former?.id);
    const heir = await create();
    const { status, body } = await change(heir.id, phone);
    expect([status, body.contact]).toMatchObject([200, { id: heir.id, phone_number: phone, opted_in: false }]);
    expect(await listed()).toMatchObject([{ id: heir.id, phone_number: phone }]);
    expect(await total(`/api/v1/conversations/${phone}/messages`)).toBe(1);
    const restored = await account.api.post(PATH, { phone_number: phone, first_name: 'Ada' });
    expect(restored).toMatchObject({ status: 409, body: { message: expect.stringContaining(heir.id) } });
    expect((await account.api.get<ContactResponse>(PATH + former?.id)).body.contact).toMatchObject({ id: heir.id });
  });

  it('is refused only while a living contact has it (409), and creating with it restores the deleted one', async () => {
    const [former, other] = [await create(), await create()];
    expect(await change(other.id, former.phone_number)).toMatchObject({
      status: 409,
      body: { message: `contact ${former.id} already has the phone_number ${former.phone_number}` },
    });
    await account.api.delete(PATH + former.id);
    expect(await create(former.phone_number)).toMatchObject({ id: former.id });
    expect((await change(other.id, former.phone_number)).status).toBe(409);
  });
});

describe('a deleted contact', () => {
  it('is deactivated, not removed: its messages, conversation and assignee stay', async () => {
    const phone = uniquePhone();
    await write(phone, 'Hello?');
    await act(account, 'assign', phone, { user_id: account.ownerId });
    const [before, state] = [await receivedBy(account), await stateOf(account, phone)];
    const [contact] = await listed();
    expect((await account.api.delete(PATH + contact?.id)).status).toBe(200);
    expect(await listed()).toEqual([]);
    expect(await receivedBy(account)).toEqual(before);
    expect(await stateOf(account, phone)).toEqual(state);
    expect(await total('/api/v1/conversations/')).toBe(1);
    expect(await total(`/api/v1/conversations/${phone}/messages`)).toBe(1);
  });

  it('stays deleted on an action on its conversation, and is revived under its id when it writes', async () => {
    const phone = uniquePhone();
    await write(phone, 'Hello?');
    const [contact] = await listed();
    await account.api.delete(PATH + contact?.id);
    await act(account, 'resolve', phone);
    expect(await listed()).toEqual([]);
    await write(phone, 'Still there?');
    expect(await listed()).toEqual([contact]);
    expect(await stateOf(account, phone)).toMatchObject({ status: 'open' });
  });

  it('is revived under its id by a send', async () => {
    const contact = await create();
    const { name } = await approvedTemplate(world, account);
    await account.api.delete(PATH + contact.id);
    const sent = await account.api.post('/api/v1/messages/send', {
      template_name: name,
      contact_phone: contact.phone_number,
    });
    expect(sent).toMatchObject({ status: 200, body: { contact_id: contact.id } });
    // Reports may have told the user id by now.
    expect(await listed()).toMatchObject([contact]);
  });

  it('is not a recipient of campaigns to its former groups', async () => {
    const [stays, goes] = [await create(), await create()];
    const { body } = await account.api.post('/api/v1/groups/', { name: 'VIP', contact_ids: [stays.id, goes.id] });
    const { id } = body.group as { id: string };
    await account.api.delete(PATH + goes.id);
    const reached = async () => {
      const groups = world.parley.app.get(GroupsService);
      const { members } = await groups.recipients(account.accountId, [id], 10, world.unitOfWork.autocommit);
      return members.map((member) => member.id);
    };
    expect(await reached()).toEqual([stays.id]);
    await create(goes.phone_number);
    expect(await reached()).toEqual([stays.id]);
  });

  it('gets nothing from a campaign created before the deletion', async () => {
    const [stays, goes] = [await create(), await create()];
    const { name } = await approvedTemplate(world, account);
    const made = await account.api.post('/api/v1/campaigns/', {
      name: 'Spring',
      template_name: name,
      contacts: [{ phone: stays.phone_number }, { phone: goes.phone_number }],
    });
    await account.api.delete(PATH + goes.id);
    await account.api.post(`/api/v1/campaigns/${made.body.campaign_id}/send`);
    await until('the campaign is completed', async () => {
      const { body } = await account.api.get(`/api/v1/campaigns/${made.body.campaign_id}/stats`);
      return body.campaign_status === 'completed';
    });
    const ledger = await world.simulator.ledger(account.phone.phoneNumberId);
    expect(ledger.map(({ to }) => to)).toEqual([stays.phone_number]);
    expect(await listed()).toMatchObject([stays]);
  });
});

it('gives a contact created by a campaign the source campaign and a normalised number', async () => {
  const { name } = await approvedTemplate(world, account);
  const phone = uniquePhone();
  const contacts = [{ phone: `+${phone.slice(0, 2)} (${phone.slice(2, 5)}) ${phone.slice(5)}`, name: 'Grace Harbour' }];
  await account.api.post('/api/v1/campaigns/', { name: 'Spring', template_name: name, contacts });
  expect(await listed()).toMatchObject([
    { phone_number: phone, first_name: 'Grace', last_name: 'Harbour', source: 'campaign', opted_in: true },
  ]);
});

describe('a contact whose number changes', () => {
  /** Stores the identities that the network's answers and callbacks would. */
  const storeIdentity = (contactId: string, number: string, userId: string) =>
    world.unitOfWork.transaction((tx) =>
      learnIdentity(account.accountId, contactId, { number, user: { userId: userId as UserId, username: null } }, tx),
    );

  it('is no longer matched by the old number or its network ids', async () => {
    const { id } = await create();
    const [waId, user_id] = [uniquePhone(), `DE.${uniqueDigits()}`];
    await storeIdentity(id, waId, user_id);
    await account.api.patch(PATH + id, { phone_number: uniquePhone() });
    await write(waId, 'I have this number now');
    const [received] = await receivedBy(account);
    expect(received).toMatchObject({ contact_phone: waId });
    expect(received?.contact_id).not.toBe(id);
    await deliver(world, account.phone, {
      contacts: [{ user_id }],
      messages: [
        { id: `wamid.${uniqueDigits()}`, from_user_id: user_id, type: 'text', text: { body: 'And who is this?' } },
      ],
    });
    const [, stranger] = await receivedBy(account);
    expect(stranger).toMatchObject({ contact_phone: null, contact_user_id: user_id });
    expect(stranger?.contact_id).not.toBe(id);
  });

  it('keeps its conversation under the new number only', async () => {
    const phone = uniquePhone();
    await write(phone, 'Hello?');
    await act(account, 'assign', phone, { user_id: account.ownerId });
    const [contact] = await listed();
    const moved = uniquePhone();
    await account.api.patch(PATH + contact?.id, { phone_number: moved });
    expect(await stateOf(account, moved)).toMatchObject({ has_conversation: true, assigned_to: account.ownerId });
    expect(await stateOf(account, phone)).toMatchObject({ has_conversation: false });
    await write(phone, 'Somebody else');
    expect(await stateOf(account, phone)).toMatchObject({ has_conversation: true, assigned_to: null });
  });

  it('keeps its network ids when the number does not change', async () => {
    const { id, phone_number } = await create();
    const waId = uniquePhone();
    await storeIdentity(id, waId, `DE.${uniqueDigits()}`);
    expect((await account.api.patch(PATH + id, { phone_number, first_name: 'Grace' })).status).toBe(200);
    await write(waId, 'Hello?');
    expect(await receivedBy(account)).toMatchObject([{ contact_id: id, contact_phone: phone_number }]);
  });
});
