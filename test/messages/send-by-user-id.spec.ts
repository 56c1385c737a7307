import { userIdOf } from '../../simulator/callbacks/user-ids.js';
import type { ContactRecord } from '../../src/contacts/dto/contact.dto.js';
import { crowd, crowdOf } from '../support/crowd.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { ISO, openWindow, SEND, SEND_MESSAGE, sentUpstream, UUID } from './messages.js';

describe('a message to a user id', () => {
  let world: World;
  let account: TestAccount;
  let userId: string;
  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account({ phones: 2 });
    userId = `US.${uniqueDigits()}`;
  });

  const writes = (phone = account.phone, sender: Record<string, unknown> = { from_user_id: userId }) =>
    world.simulator.inbound({ phone_number_id: phone.phoneNumberId, type: 'text', text: 'Hi', ...sender });
  const text = (fields: Record<string, unknown>, headers: Record<string, string> = {}) =>
    account.api.post(SEND_MESSAGE, { message_type: 'text', message: 'Hello', ...fields }, { headers });
  const template = async (fields: Record<string, unknown>, more: Record<string, unknown> = {}) => {
    const { name } = await approvedTemplate(world, account, more);
    return account.api.post(SEND, { template_name: name, ...fields });
  };
  const contacts = async (): Promise<ContactRecord[]> =>
    (await account.api.get<{ contacts: ContactRecord[] }>('/api/v1/contacts/')).body.contacts;

  it('goes upstream to the recipient, and is answered like any other', async () => {
    await writes();
    const { status, body } = await text({ contact_user_id: userId });
    const [contact] = await contacts();
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 'success',
        message: expect.any(String),
        message_id: expect.stringMatching(UUID),
        contact_id: contact?.id,
        message_type: 'text',
        timestamp: expect.stringMatching(ISO),
      },
    });
    const [sent] = await sentUpstream(world, account.phone);
    expect(sent).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      recipient: userId,
      type: 'text',
      text: { body: 'Hello', preview_url: false },
      biz_opaque_callback_data: body.message_id,
    });
  });

  it('may be a template to a person who has not written', async () => {
    const number = uniquePhone();
    await template({ contact_phone: number });
    const user = userIdOf(number);
    const { status, body } = await template({ contact_user_id: user, contact_name: 'Ada Lindgrove' });
    expect({ status, body }).toMatchObject({ status: 200, body: { contact_id: expect.stringMatching(UUID) } });
    const [, sent] = await sentUpstream(world, account.phone);
    expect(sent).toMatchObject({ recipient: user, type: 'template' });
    expect(sent).not.toHaveProperty('to');
  });

  it('creates a contact with source send for an unknown user id', async () => {
    const response = await template({ contact_user_id: userId, contact_name: 'Ada Lindgrove' });
    // The network does not know this user id.
    expect(response).toMatchObject({ status: 400, body: { error: 'network_rejected' } });
    expect(await contacts()).toMatchObject([
      {
        phone_number: null,
        user_id: userId,
        username: null,
        first_name: 'Ada',
        last_name: 'Lindgrove',
        source: 'send',
      },
    ]);
  });

  it.each([SEND, SEND_MESSAGE])('creates one contact when several are sent concurrently to %s', async (route) => {
    await writes();
    const { name } = await approvedTemplate(world, account);
    const body = route === SEND ? { template_name: name } : { message_type: 'text', message: 'Hello' };
    const answers = await crowd(10, (index) =>
      account.api.post(route, { ...body, contact_user_id: index === 0 ? 'US.unknown' : userId }),
    );
    expect(new Set(answers.slice(1).map(({ body: { contact_id } }) => contact_id)).size).toBe(1);
  });

  it('may be stored in one batch with messages to numbers', async () => {
    const numbers = Array.from({ length: 5 }, () => uniquePhone());
    for (const number of numbers) await openWindow(world, account.phone, number);
    await writes();
    const everybody = [
      ...numbers.map((contact_phone) => ({ contact_phone })),
      ...numbers.map(() => ({ contact_user_id: userId })),
    ];
    const answers = await crowdOf(everybody, (fields) => text(fields));
    expect(answers.map(({ status }) => status)).toEqual(everybody.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.contact_id)).size).toBe(6);
  });

  it('requires an open window between this person and this business phone', async () => {
    const closed = { status: 403, body: { detail: expect.stringContaining('window is not open') } };
    expect(await text({ contact_user_id: userId })).toMatchObject(closed);
    expect(await contacts()).toEqual([]);
    await writes(account.phones[1]);
    expect(await text({ contact_user_id: userId })).toMatchObject(closed);
    expect(await text({ contact_user_id: userId, waba_phone_id: account.phones[1]?.id })).toMatchObject({
      status: 200,
    });
  });

  it('is refused with a MARKETING template after an opt-out', async () => {
    await writes(account.phone, { from_user_id: userId, text: 'STOP' });
    const refused = await template({ contact_user_id: userId }, { category: 'MARKETING' });
    expect(refused).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(`${userId} has opted out`) },
    });
    expect(await sentUpstream(world, account.phone)).toEqual([]);
    expect(await template({ contact_user_id: userId })).toMatchObject({ status: 200 });
  });

  it('with a known number joins the number’s thread, and goes upstream to the identifier given', async () => {
    const number = uniquePhone();
    await openWindow(world, account.phone, number);
    const [byNumber, byUserId] = [
      await text({ contact_phone: number }),
      await text({ contact_user_id: userIdOf(number) }),
    ];
    expect(byUserId.body.contact_id).toBe(byNumber.body.contact_id);
    const [first, second] = await sentUpstream(world, account.phone);
    expect([first, second]).toMatchObject([{ to: `+${number}` }, { recipient: userIdOf(number) }]);
    expect(first).not.toHaveProperty('recipient');
    expect(second).not.toHaveProperty('to');
    const { body } = await account.api.get(`/api/v1/messages/${byUserId.body.message_id}`);
    expect(body.message_record).toMatchObject({ contact_phone: number });
    expect(body.message_record).not.toHaveProperty('contact_user_id');
  });

  it('is sent once under an Idempotency-Key', async () => {
    await writes();
    const headers = { 'idempotency-key': uniqueDigits() };
    const [first, second] = [
      await text({ contact_user_id: userId }, headers),
      await text({ contact_user_id: userId }, headers),
    ];
    expect(first.status).toBe(200);
    expect(second.body).toEqual(first.body);
    expect(await world.simulator.ledger(account.phone.phoneNumberId)).toHaveLength(1);
  });

  it.each([
    [{}, 'contact_phone or contact_user_id is required'],
    [{ contact_phone: null, contact_user_id: null }, 'contact_phone or contact_user_id is required'],
    [
      { contact_phone: '4915112345678', contact_user_id: 'US.1' },
      'contact_phone and contact_user_id must not be combined: send only one of them',
    ],
    [{ contact_user_id: '4915112345678' }, /^contact_user_id must be a network user id/],
    [{ contact_user_id: 'us.1' }, /^contact_user_id must be/],
    [{ contact_user_id: '', contact_phone: ' ' }, 'contact_phone or contact_user_id is required'],
    [{ contact_user_id: 5 }, /^contact_user_id must be/],
    [{ contact_user_id: `US.${'1'.repeat(148)}` }, /^contact_user_id must be/],
  ])('is refused with %j (400)', async (fields, message) => {
    const refused = {
      status: 400,
      body: { error: 'bad_request', message: typeof message === 'string' ? message : expect.stringMatching(message) },
    };
    expect(await text(fields)).toMatchObject(refused);
    expect(await account.api.post(SEND, { template_name: 'any', ...fields })).toMatchObject(refused);
  });

  it('may be a campaign’s', async () => {
    await writes();
    const [hidden] = await contacts();
    const { name } = await approvedTemplate(world, account);
    const phone = uniquePhone();
    const created = await account.api.post('/api/v1/campaigns/', {
      name: 'Spring',
      template_name: name,
      contacts: [{ phone }],
    });
    const id = created.body.campaign_id;
    await world.unitOfWork.autocommit.affected(
      'UPDATE campaign_recipients SET contact_id = $3 WHERE account_id = $1 AND campaign_id = $2',
      [account.accountId, id, hidden?.id],
    );
    await account.api.post(`/api/v1/campaigns/${id}/send`);
    await until('the campaign is completed', async () => {
      const { body } = await account.api.get(`/api/v1/campaigns/${id}/stats`);
      return body.campaign_status === 'completed' && body;
    });
    expect(await sentUpstream(world, account.phone)).toMatchObject([{ recipient: userId, type: 'template' }]);
  });
});
