import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { type MessageRecord, openWindow, recordOf, report, SEND, SEND_MESSAGE } from './messages.js';

const PRICING = { category: 'utility', pricing_model: 'PMP', billable: true, type: 'regular' };

describe('the price of a message', () => {
  let world: World;
  let account: TestAccount;

  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    await world.simulator.behave({ statuses: [], status_delay_ms: 10 });
    account = await world.account({ phones: 2 });
  });

  /** Sends a message that the network accepts, and reports on it. */
  async function sent() {
    const contact = uniquePhone();
    const { name } = await approvedTemplate(world, account);
    const { body } = await account.api.post(SEND, { template_name: name, contact_phone: contact });
    const id = String(body['message_id']);
    const [accepted] = (await world.simulator.ledger(account.phone.phoneNumberId)).slice(-1);
    const reportStatus = (status: string, pricing?: unknown, { phoneNumberId } = account.phone) =>
      report(world, phoneNumberId, { id: String(accepted?.id), biz_opaque_callback_data: id, status, pricing });
    return { id, contact, reportStatus };
  }
  const pricingOf = async (id: string) => (await recordOf(account, id)).pricing;
  /** The pricing of a message once a report with it has come; the reports of a message overtake one another. */
  const chargedFor = (id: unknown) => until('it has a pricing', async () => (await recordOf(account, id)).pricing);
  /** The row version, which changes with each write. */
  const writeOf = async (id: string) =>
    (
      await world.unitOfWork.autocommit.row<{ xmin: string }>(
        'SELECT xmin::text AS xmin FROM messages WHERE account_id = $1 AND id = $2',
        [account.accountId, id],
      )
    )?.xmin;

  it('is null until the first report sets it, in the record, the list and the thread', async () => {
    const { id, contact, reportStatus } = await sent();
    expect(await pricingOf(id)).toBeNull();
    await reportStatus('sent', PRICING);
    expect(await pricingOf(id)).toEqual(PRICING);
    for (const path of ['/api/v1/messages/', `/api/v1/conversations/${contact}/messages`]) {
      const { body } = await account.api.get<{ messages: MessageRecord[] }>(path);
      expect(body.messages).toMatchObject([{ message_id: id, pricing: PRICING }]);
    }
  });

  it('is kept by later reports that omit it, and updated by those that change it', async () => {
    const { id, reportStatus } = await sent();
    await reportStatus('sent', PRICING);
    await reportStatus('delivered');
    expect(await recordOf(account, id)).toMatchObject({ status: 'delivered', pricing: PRICING });
    const free = { ...PRICING, billable: false, type: 'free_customer_service' };
    await reportStatus('read', free);
    expect(await recordOf(account, id)).toMatchObject({ status: 'read', pricing: free });
  });

  it('is stored once when a repeated report is the first to carry it', async () => {
    const { id, reportStatus } = await sent();
    await reportStatus('sent');
    expect(await pricingOf(id)).toBeNull();
    await reportStatus('sent', PRICING);
    expect(await pricingOf(id)).toEqual(PRICING);
    const written = await writeOf(id);
    await reportStatus('sent', PRICING);
    await reportStatus('sent', { ...PRICING, extra: 1 });
    expect(await writeOf(id)).toBe(written);
  });

  it.each<[unknown, unknown]>([
    [{ ...PRICING, extra: { a: 1 } }, PRICING],
    [{ category: 'marketing' }, { category: 'marketing', pricing_model: null, billable: null, type: null }],
    [{ billable: false }, { category: null, pricing_model: null, billable: false, type: null }],
    [{ category: 7, pricing_model: null, billable: 'yes', type: ['x'] }, null],
    [
      { ...PRICING, type: 'a\u0000b\ud800', billable: 1 },
      { ...PRICING, type: 'ab\ufffd', billable: null },
    ],
    [[], null],
    ['free', null],
    [null, null],
  ])('has only its four fields, with valid types: %j', async (pricing, kept) => {
    const { id, reportStatus } = await sent();
    expect(await reportStatus('delivered', pricing)).toBe(200);
    expect(await recordOf(account, id)).toMatchObject({ status: 'delivered' });
    expect(await pricingOf(id)).toEqual(kept);
  });

  it('is not taken from a report that names another business phone', async () => {
    const { id, reportStatus } = await sent();
    await reportStatus('sent', PRICING, account.phones[1]);
    expect(await pricingOf(id)).toBeNull();
  });

  it('matches what the network charges: for a reply within the service window, too', async () => {
    await world.simulator.behave({ statuses: ['sent', 'delivered', 'read'] });
    const contact = uniquePhone();
    const { name } = await approvedTemplate(world, account);
    const template = await account.api.post(SEND, { template_name: name, contact_phone: contact });
    await openWindow(world, account.phone, contact);
    const fields = { contact_phone: contact, message_type: 'text', message: 'Hello' };
    const text = await account.api.post(SEND_MESSAGE, fields);
    expect(await chargedFor(template.body['message_id'])).toMatchObject({
      pricing_model: 'PMP',
      billable: true,
      type: 'regular',
    });
    expect(await chargedFor(text.body['message_id'])).toEqual({
      category: 'service',
      pricing_model: 'PMP',
      billable: true,
      type: 'regular',
    });
  });
});
