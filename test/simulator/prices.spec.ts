import { until } from '../support/until.js';
import type { CallbackReceiver, ReceivedStatus } from './callback-receiver.js';
import { CUSTOMER, PHONE, SimulatedNetwork } from './simulated-network.js';

const BODY = [{ type: 'BODY', text: 'Hello' }];
const HOUR = 3600;

describe('prices in the reports of the simulated network', () => {
  let network: SimulatedNetwork;
  let receiver: CallbackReceiver;
  let customers = 4_915_112_340_000;

  beforeAll(async () => {
    network = await SimulatedNetwork.start();
    receiver = network.receiver;
    await network.approved('plain', BODY);
    await network.approved('useful', BODY, { category: 'UTILITY' });
  });
  afterAll(() => network.stop());
  beforeEach(() => network.reset());

  const template = (name: string): object => ({ type: 'template', template: { name, language: { code: 'en_US' } } });
  const TEXT = { type: 'text', text: { body: 'hi' } };
  const pricing = (category: string, type = 'regular'): object => ({
    billable: type === 'regular',
    pricing_model: 'PMP',
    category,
    type,
  });
  const newCustomer = (): string => {
    customers += 1;
    return String(customers);
  };
  /** The reports of a message as soon as there are `count`. */
  const reportsOf = async (message: object, count: number): Promise<ReceivedStatus[]> => {
    const id = await network.send(message);
    await until(`there are ${count} reports`, () => receiver.statusesOf(id).length >= count);
    return receiver.statuses.filter((status) => status.id === id);
  };
  /** The pricing in each report of a message. */
  const pricesOf = async (message: object, count: number): Promise<object[]> =>
    (await reportsOf(message, count)).map((report) => ({ [report.status]: report.pricing }));
  const priceOf = async (to: string, message: object) => (await reportsOf({ to, ...message }, 1))[0]?.pricing;
  /** A message that a person wrote after a click on an ad, some hours ago. */
  const click = (from: string, hoursAgo = 0) => {
    const timestamp = Math.floor(Date.now() / 1000) - hoursAgo * HOUR;
    return network.inbound(from, { referral: { source_type: 'ad', source_id: '1' }, timestamp });
  };

  it('come with sent, and with the first of delivered and read', async () => {
    const sent = { sent: pricing('marketing') };
    const message = { to: CUSTOMER, ...template('plain') };
    expect(await pricesOf(message, 3)).toEqual([sent, { delivered: pricing('marketing') }, { read: undefined }]);
    const readOnly = await pricesOf({ ...message, to: '49159990009' }, 2);
    expect(readOnly).toEqual([sent, { read: pricing('marketing') }]);
    expect(await pricesOf({ ...message, to: '49159990001' }, 2)).toEqual([sent, { failed: undefined }]);
  });

  it('since October 2026 are regular for replies and utility templates inside a window, too', async () => {
    const to = newCustomer();
    await network.inbound(to);
    expect(await priceOf(to, TEXT)).toEqual(pricing('service'));
    expect(await priceOf(to, template('useful'))).toEqual(pricing('utility'));
    expect(await priceOf(to, template('plain'))).toEqual(pricing('marketing'));
  });

  it('were nothing for these before (billing_since_2026_10)', async () => {
    await network.behave({ billing_since_2026_10: false });
    const to = newCustomer();
    expect(await priceOf(to, template('useful'))).toEqual(pricing('utility'));
    await network.inbound(to);
    expect(await priceOf(to, TEXT)).toEqual(pricing('service', 'free_customer_service'));
    expect(await priceOf(to, template('useful'))).toEqual(pricing('utility', 'free_customer_service'));
    expect(await priceOf(to, template('plain'))).toEqual(pricing('marketing'));
  });

  it('are nothing for 72 hours after the answer to a click on an ad, whatever is sent', async () => {
    const [to, other] = [newCustomer(), newCustomer()];
    const free = pricing('referral_conversion', 'free_entry_point');
    await network.inbound(other);
    await click(to, 23);
    for (const message of [TEXT, template('useful'), template('plain')]) {
      expect(await priceOf(to, message)).toEqual(free);
      expect(await priceOf(other, message)).not.toEqual(free);
    }
    await network.restart();
    expect(await priceOf(to, template('plain'))).toEqual(free);
  });

  it('are regular when nobody answered the click within 24 hours', async () => {
    const to = newCustomer();
    await click(to, 25);
    expect(await priceOf(to, template('plain'))).toEqual(pricing('marketing'));
  });

  it('stay nothing for a person who gets another number', async () => {
    const [number, to] = [newCustomer(), newCustomer()];
    await click(number);
    await reportsOf({ to: number, ...TEXT }, 1);
    await network.call('POST', '/_sim/people', { number, event: 'change_number', to, phone_number_id: PHONE });
    expect(await priceOf(to, TEXT)).toEqual(pricing('referral_conversion', 'free_entry_point'));
  });

  it.each([
    ['v23', true],
    ['v24', false],
  ])('come with a conversation in version %s: %s; in a free entry point they always do', async (version, has) => {
    await network.behave({ network_version: version });
    const to = newCustomer();
    const [usual] = await reportsOf({ to, ...template('plain') }, 1);
    expect(usual?.conversation).toEqual(has ? { id: expect.any(String), origin: { type: 'marketing' } } : undefined);
    await click(to);
    const [free] = await reportsOf({ to, ...TEXT }, 1);
    expect(free?.conversation).toMatchObject({ origin: { type: 'referral_conversion' } });
  });
});
