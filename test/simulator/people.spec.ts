import { numberWithUserId, userIdOf } from '../../simulator/callbacks/user-ids.js';
import { until } from '../support/until.js';
import type { CallbackReceiver } from './callback-receiver.js';
import { CUSTOMER, PHONE, SimulatedNetwork } from './simulated-network.js';

const OTHER_PHONE = '106540352242923';
const HIDDEN = 'US.13491208655302741918';
const NEW_NUMBER = '4915187654321';
const TEXT = { type: 'text', text: { body: 'hi' } };

interface Changed {
  wa_id?: string;
  user_id: string;
  ids: string[];
  callback_status: number;
  message?: string;
}

let network: SimulatedNetwork;
let receiver: CallbackReceiver;

beforeAll(async () => {
  network = await SimulatedNetwork.start();
  receiver = network.receiver;
  await network.approved('plain', [{ type: 'BODY', text: 'Hello' }]);
  const phone = { phone_number_id: OTHER_PHONE, waba_id: '900', display_phone_number: '+91 98765 43210' };
  await network.call('POST', '/_sim/phones', phone);
});
afterAll(() => network.stop());
beforeEach(() => network.reset());

const people = (input: object) => network.call<Changed>('POST', '/_sim/people', input);
const codeOf = async (recipient: string) =>
  (await network.post({ to: undefined, recipient, ...TEXT })).body.error?.code;
const notices = () => receiver.changes.filter(({ value }) => value.messages?.[0]?.type === 'system');
/** Waits for `count` reports of a message. */
const reportsOf = async (id: string | undefined, count: number) => {
  const own = () => receiver.statuses.filter((status) => status.id === id);
  await until(`there are ${count} reports`, () => own().length >= count);
  return own();
};

describe('people who change in the simulated network', () => {
  it('get another user id with another number, and the business a notice', async () => {
    await network.inbound(CUSTOMER);
    const { body } = await people({ number: CUSTOMER, event: 'change_number', to: NEW_NUMBER });
    const user_id = userIdOf(NEW_NUMBER);
    expect(body).toEqual({ wa_id: NEW_NUMBER, user_id, ids: [expect.any(String)], callback_status: 200 });
    expect(notices().map(({ value }) => value)).toEqual([
      {
        messaging_product: 'whatsapp',
        metadata: { display_phone_number: '+49 30 901820', phone_number_id: PHONE },
        messages: [
          {
            from: CUSTOMER,
            id: body.ids[0],
            timestamp: expect.stringMatching(/^\d{10}$/),
            type: 'system',
            system: {
              body: `User ${CUSTOMER} changed from ${CUSTOMER} to ${NEW_NUMBER}`,
              type: 'user_changed_number',
              wa_id: NEW_NUMBER,
              user_id,
              previous_user_id: userIdOf(CUSTOMER),
            },
          },
        ],
      },
    ]);
    await network.inbound(NEW_NUMBER);
    expect(receiver.messages.at(-1)).toMatchObject({ from: NEW_NUMBER, from_user_id: user_id });
  });

  it('keep their window with another number, while the old number and user id receive nothing (131026)', async () => {
    await network.inbound(CUSTOMER);
    await people({ number: CUSTOMER, event: 'change_number', to: NEW_NUMBER });
    await network.sendText(NEW_NUMBER);
    expect(await codeOf(userIdOf(NEW_NUMBER))).toBeUndefined();
    expect(await codeOf(userIdOf(CUSTOMER))).toBe(131026);
    for (const id of [await network.sendText(CUSTOMER), (await network.sendTemplate('plain')).body.messages[0]?.id]) {
      const reports = await reportsOf(id, 1);
      expect(reports).toMatchObject([{ status: 'failed', recipient_id: CUSTOMER, errors: [{ code: 131026 }] }]);
    }
  });

  it('stay changed across a restart', async () => {
    await network.inbound(CUSTOMER);
    await people({ number: CUSTOMER, event: 'change_number', to: NEW_NUMBER });
    await network.restart();
    await network.sendText(NEW_NUMBER);
    expect(await codeOf(userIdOf(CUSTOMER))).toBe(131026);
    expect(await reportsOf(await network.sendText(CUSTOMER), 1)).toMatchObject([{ status: 'failed' }]);
  });

  it('leave their number to somebody with a user id of their own', async () => {
    await network.inbound(CUSTOMER);
    await people({ number: CUSTOMER, event: 'change_number', to: NEW_NUMBER });
    await network.inbound(CUSTOMER);
    const stranger = receiver.messages.at(-1)?.from_user_id ?? '';
    expect([userIdOf(CUSTOMER), userIdOf(NEW_NUMBER)]).not.toContain(stranger);
    expect(await reportsOf(await network.sendText(CUSTOMER), 3)).toMatchObject([
      { status: 'sent', recipient_user_id: stranger },
      { status: 'delivered' },
      { status: 'read' },
    ]);
  });

  it('take over a number with a user id that nobody has had', async () => {
    await network.inbound(CUSTOMER);
    await network.inbound(NEW_NUMBER);
    const { body } = await people({ number: CUSTOMER, event: 'change_number', to: NEW_NUMBER });
    expect([userIdOf(CUSTOMER), userIdOf(NEW_NUMBER)]).not.toContain(body.user_id);
    expect(await codeOf(userIdOf(NEW_NUMBER))).toBe(131026);
    expect(await codeOf(body.user_id)).toBeUndefined();
    const back = await people({ number: NEW_NUMBER, event: 'change_number', to: CUSTOMER });
    expect(back.body.user_id).not.toBe(userIdOf(CUSTOMER));
  });

  it('change the number under every spelling', async () => {
    await network.behave({ wa_id_rules: ['MX', 'BR'] });
    await network.inbound('5215512345678');
    const { body } = await people({ number: '525512345678', event: 'change_number', to: '5531987654321' });
    expect(body).toMatchObject({ wa_id: '553187654321', user_id: userIdOf('553187654321') });
    expect(receiver.messages.at(-1)).toMatchObject({ from: '5215512345678', system: { wa_id: '553187654321' } });
  });

  it('can change the number unknown to the business: no previous user id', async () => {
    await people({ number: CUSTOMER, event: 'change_number', to: NEW_NUMBER });
    expect(receiver.messages[0]).toMatchObject({ from: CUSTOMER });
    expect(receiver.messages[0]).not.toHaveProperty('system.previous_user_id');
  });

  it.each([
    ['a number', CUSTOMER, { number: CUSTOMER }, userIdOf(CUSTOMER)],
    ['a user id', CUSTOMER, { user_id: userIdOf(CUSTOMER) }, userIdOf(CUSTOMER)],
    ['a user id without number', HIDDEN, { user_id: HIDDEN }, HIDDEN],
  ])('get another user id when named by %s', async (_what, sender, named, previous_user_id) => {
    await network.inbound(sender);
    const { body } = await people({ ...named, event: 'change_user_id' });
    expect(body.user_id).toMatch(/^US\.\d{20}$/);
    const [notice] = notices().flatMap(({ value }) => value.messages ?? []);
    expect(notice).toEqual({
      id: body.ids[0],
      timestamp: expect.any(String),
      type: 'system',
      system: {
        body: expect.any(String),
        type: 'user_changed_user_id',
        user_id: body.user_id,
        previous_user_id,
      },
    });
    expect(notices()[0]?.value).not.toHaveProperty('contacts');
    expect(await codeOf(previous_user_id)).toBe(131026);
    expect(await codeOf(body.user_id)).toBeUndefined();
    if (sender !== CUSTOMER) return;
    await network.inbound(CUSTOMER);
    expect(receiver.messages.at(-1)).toMatchObject({ from: CUSTOMER, from_user_id: body.user_id });
    const again = await people({ user_id: body.user_id, event: 'change_number', to: NEW_NUMBER });
    expect(again.body).toMatchObject({ wa_id: NEW_NUMBER, user_id: userIdOf(NEW_NUMBER) });
  });

  it('can be given a user id, before the first message or in a change', async () => {
    const named = { number: '201001234501', user_id: 'EG.1442000000000001' };
    expect((await people(named)).body).toEqual({ wa_id: named.number, user_id: named.user_id });
    const sent = await network.sendTemplate('plain', undefined, named.number);
    const [report] = await reportsOf(sent.body.messages[0]?.id, 1);
    expect(report).toMatchObject({ recipient_id: named.number, recipient_user_id: named.user_id });
    const { body } = await people({ user_id: named.user_id, event: 'change_user_id', to: 'EG.2' });
    expect(body).toMatchObject({ wa_id: named.number, user_id: 'EG.2' });
    await network.restart();
    await network.inbound('EG.2');
    await network.inbound(named.number);
    expect(receiver.messages.slice(-2)).toMatchObject([
      { from_user_id: 'EG.2' },
      { from: named.number, from_user_id: 'EG.2' },
    ]);
    expect(await codeOf('EG.1442000000000001')).toBe(131026);
  });

  it('notify every business phone with which they have talked, or the one in the request', async () => {
    await network.sendTemplate('plain');
    await network.inbound(CUSTOMER, { phone_number_id: OTHER_PHONE });
    const phonesNotified = () => notices().map(({ account, value }) => [account, value.metadata?.phone_number_id]);
    const first = await people({ number: CUSTOMER, event: 'change_user_id' });
    expect(first.body.ids).toHaveLength(2);
    expect(phonesNotified()).toEqual([
      [expect.any(String), PHONE],
      ['900', OTHER_PHONE],
    ]);
    receiver.callbacks.length = 0;
    await people({ number: CUSTOMER, event: 'change_user_id', phone_number_id: OTHER_PHONE });
    expect(phonesNotified()).toEqual([['900', OTHER_PHONE]]);
    receiver.answer = () => 503;
    expect((await people({ number: CUSTOMER, event: 'change_user_id' })).body.callback_status).toBe(503);
    receiver.answer = () => 200;
  });

  it.each([
    [{}, 'number'],
    [{ number: '+49' }, 'number'],
    [{ number: CUSTOMER, wa_id: 'x' }, 'wa_id'],
    [{ number: CUSTOMER, user_id: 'x' }, 'user_id'],
    [{ number: CUSTOMER, user_id: userIdOf(NEW_NUMBER) }, 'belongs to'],
    [{ number: CUSTOMER, event: 'retire' }, 'event'],
    [{ number: CUSTOMER, event: 'change_number' }, 'to'],
    [{ number: CUSTOMER, event: 'change_number', to: CUSTOMER }, 'another number'],
    [{ user_id: HIDDEN, event: 'change_number', to: NEW_NUMBER }, 'number is required'],
    [{ number: CUSTOMER, event: 'change_user_id', to: userIdOf(CUSTOMER) }, 'has been used'],
    [{ number: CUSTOMER, event: 'change_user_id', phone_number_id: 'nobody' }, 'phone_number_id'],
  ])('are not changed by %j (400)', async (input, word) => {
    const { status, body } = await people(input);
    expect({ status, message: body.message }).toEqual({ status: 400, message: expect.stringContaining(word) });
    expect(receiver.callbacks).toEqual([]);
    expect((await people({ number: CUSTOMER })).body).toEqual({ wa_id: CUSTOMER, user_id: userIdOf(CUSTOMER) });
  });

  it('are found by their usual user id', () => {
    for (let number = 10_000n; number < 10n ** 15n; number = number * 7n + 3n) {
      expect(numberWithUserId(userIdOf(String(number)))).toBe(String(number));
    }
    expect(numberWithUserId(HIDDEN)).toBeNull();
    expect(numberWithUserId('EG.1')).toBeNull();
  });
});
