import { userIdOf } from '../../simulator/callbacks/user-ids.js';
import { until } from '../support/until.js';
import type { CallbackReceiver } from './callback-receiver.js';
import { atOneMoment, CUSTOMER, PHONE, SimulatedNetwork } from './simulated-network.js';

const USER = userIdOf(CUSTOMER);
const HIDDEN = 'US.13491208655302741918';
const TEXT = { type: 'text', text: { body: 'hi' } };

describe('people of the simulated network', () => {
  let network: SimulatedNetwork;
  let receiver: CallbackReceiver;

  beforeAll(async () => {
    network = await SimulatedNetwork.start();
    receiver = network.receiver;
    await network.approved('plain', [{ type: 'BODY', text: 'Hello' }]);
    const otp = { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] };
    await network.approved('code', [{ type: 'BODY' }, otp], { category: 'AUTHENTICATION' });
  });
  afterAll(() => network.stop());
  beforeEach(() => network.reset());

  const post = (recipient: string, message: object = TEXT) => network.post({ to: undefined, recipient, ...message });
  const codeOf = async (recipient: string, message?: object) => (await post(recipient, message)).body.error?.code;
  const template = (name: string, components?: object[]): object => ({
    type: 'template',
    template: { name, language: { code: 'en_US' }, components },
  });
  /** Waits for the reports of a message and returns them. */
  const reportsOf = async (id: string | undefined, count: number) => {
    const own = () => receiver.statuses.filter((status) => status.id === id);
    await until(`there are ${count} reports`, () => own().length >= count);
    return own();
  };

  it('have one permanent user id each', () => {
    const numbers = Array.from({ length: 1000 }, (_, index) => String(4_915_100_000_000 + index * 7));
    const ids = numbers.map(userIdOf);
    expect(new Set(ids).size).toBe(1000);
    expect(ids.every((id) => /^US\.\d{20}$/.test(id))).toBe(true);
    expect(numbers.map(userIdOf)).toEqual(ids);
  });

  it('send both number and user id', async () => {
    await network.inbound(CUSTOMER, { name: 'Ada', username: 'ada' });
    expect(receiver.messages).toMatchObject([{ from: CUSTOMER, from_user_id: USER }]);
    const contact = { profile: { name: 'Ada', username: 'ada' }, wa_id: CUSTOMER, user_id: USER };
    expect(receiver.changes[0]?.value.contacts).toEqual([contact]);
  });

  it('send no number when they hide it', async () => {
    await network.inbound(HIDDEN, { username: 'ada' });
    expect(receiver.messages).toEqual([
      {
        from_user_id: HIDDEN,
        id: expect.any(String),
        timestamp: expect.stringMatching(/^\d{10}$/),
        type: 'text',
        text: { body: 'hello' },
      },
    ]);
    expect(receiver.changes[0]?.value.contacts).toEqual([{ profile: { username: 'ada' }, user_id: HIDDEN }]);
  });

  it('receive messages to their user id; answer, reports and ledger contain no number', async () => {
    await network.inbound(HIDDEN);
    const { status, body } = await post(HIDDEN, { ...TEXT, biz_opaque_callback_data: 'ours' });
    expect({ status, contacts: body.contacts }).toEqual({
      status: 200,
      contacts: [{ input: HIDDEN, user_id: HIDDEN }],
    });
    const id = body.messages[0]?.id;
    const reports = await reportsOf(id, 3);
    expect(reports.map(({ recipient_user_id }) => recipient_user_id)).toEqual([HIDDEN, HIDDEN, HIDDEN]);
    expect(receiver.callbacks.some(({ raw }) => /"(recipient_id|wa_id)"/.test(raw.toString()))).toBe(false);
    expect(receiver.changes.at(-1)?.value.contacts).toEqual([{ user_id: HIDDEN }]);
    expect((await network.ledger()).data).toEqual([
      {
        id,
        to: null,
        recipient_user_id: HIDDEN,
        phone_number_id: PHONE,
        biz_opaque_callback_data: 'ours',
        type: 'text',
        template_name: null,
        at: expect.any(String),
      },
    ]);
  });

  it('share one window under number and user id', async () => {
    await network.inbound(CUSTOMER);
    expect(await codeOf(USER)).toBeUndefined();
    await network.reset();
    await network.inbound(USER);
    await network.sendText(CUSTOMER);
  });

  it('are unknown by user id until they send or receive a message (131026)', async () => {
    expect(await codeOf(HIDDEN, template('plain'))).toBe(131026);
    expect(await codeOf(USER, template('plain'))).toBe(131026);
    await network.sendTemplate('plain');
    expect(await codeOf(USER, template('plain'))).toBeUndefined();
    expect(await codeOf(USER)).toBe(131047);
    await network.reset();
    expect(await codeOf(USER, template('plain'))).toBe(131026);
  });

  it('become known through /_sim/callback too', async () => {
    const timestamp = `${Math.floor(Date.now() / 1000)}`;
    const messages = [{ from_user_id: HIDDEN, id: 'wamid.a', timestamp, type: 'text' }];
    const value = { messaging_product: 'whatsapp', metadata: { phone_number_id: PHONE }, messages };
    await network.call('POST', '/_sim/callback', { field: 'messages', value });
    expect(await codeOf(HIDDEN)).toBeUndefined();
  });

  it('receive no AUTHENTICATION templates by user id (131062)', async () => {
    const text = (type: string, more: object = {}): object => ({
      type,
      ...more,
      parameters: [{ type: 'text', text: '123456' }],
    });
    const code = template('code', [text('body'), text('button', { sub_type: 'url', index: '0' })]);
    await network.inbound(CUSTOMER);
    expect(await codeOf(USER, code)).toBe(131062);
    expect((await network.post(code)).status).toBe(200);
  });

  it('are addressed by number when a send names both', async () => {
    await network.inbound(CUSTOMER);
    const { body } = await network.post({ ...TEXT, recipient: HIDDEN });
    expect(body.contacts).toEqual([{ input: CUSTOMER, wa_id: CUSTOMER }]);
    expect((await network.ledger()).data).toMatchObject([{ to: CUSTOMER }]);
  });

  it.each(['4915112345678', 'us.1', 'US.', 'US.1-2'])('have no user id like %s (131009)', async (recipient) => {
    expect(await codeOf(recipient)).toBe(131009);
  });

  it('are named in failure reports only by the user id of the send', async () => {
    await network.inbound(HIDDEN);
    await network.behave({ statuses: ['failed'] });
    const [byNumber] = await reportsOf((await network.sendTemplate('plain')).body.messages[0]?.id, 1);
    expect(byNumber).toMatchObject({ status: 'failed', recipient_id: CUSTOMER });
    expect(byNumber).not.toHaveProperty('recipient_user_id');
    const [byUserId] = await reportsOf((await post(HIDDEN)).body.messages[0]?.id, 1);
    expect(byUserId).toMatchObject({ status: 'failed', recipient_user_id: HIDDEN });
    expect(byUserId).not.toHaveProperty('recipient_id');
    const values = receiver.changes.map(({ value }) => value).filter(({ statuses }) => statuses);
    // With 131026 the network names the number, but no user id.
    expect(values.map(({ contacts }) => contacts)).toEqual([[{ wa_id: CUSTOMER }], undefined]);
  });

  it('are listed once in a body with several reports', async () => {
    await network.behave({ callback_batch: 4, statuses: ['sent', 'delivered'], status_delay_ms: 0 });
    await network.inbound(HIDDEN);
    // Reports go together only when they fall due within 20 ms.
    await atOneMoment(() => Promise.all([post(HIDDEN), network.sendTemplate('plain')]));
    await until('every report has come', () => receiver.statuses.length >= 4);
    const [value] = receiver.changes.map((change) => change.value).filter(({ statuses }) => statuses);
    expect(value?.statuses).toHaveLength(4);
    expect(value?.contacts).toHaveLength(2);
    expect(value?.contacts).toEqual(expect.arrayContaining([{ wa_id: CUSTOMER, user_id: USER }, { user_id: HIDDEN }]));
  });

  it('follow the magic digits of a user id as well, and reply without a number', async () => {
    const talkative = 'US.19990004';
    await network.inbound(talkative);
    receiver.callbacks.length = 0;
    await post(talkative);
    await until('they reply', () => receiver.messages.length >= 1);
    expect(receiver.messages[0]).toMatchObject({ from_user_id: talkative, text: { body: 'hello' } });
    expect(receiver.messages[0]).not.toHaveProperty('from');
  });
});
