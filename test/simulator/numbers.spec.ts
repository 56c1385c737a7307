import { userIdOf } from '../../simulator/callbacks/user-ids.js';
import { readMessageId } from '../../simulator/people/message-ids.js';
import { spelledBy } from '../../simulator/people/spelling-rules.js';
import { until } from '../support/until.js';
import type { CallbackReceiver } from './callback-receiver.js';
import { atOneMoment, CUSTOMER, PHONE, SimulatedNetwork } from './simulated-network.js';

const OTHER_PHONE = '106540352242923';
const TEXT = { type: 'text', text: { body: 'hi' } };

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

const people = (input: object) => network.call('POST', '/_sim/people', input);
const codeOf = async (recipient: string) =>
  (await network.post({ to: undefined, recipient, ...TEXT })).body.error?.code;
const contactsOf = async (to: string) => (await network.sendTemplate('plain', undefined, to)).body.contacts;
/** Waits for `count` reports of a message. */
const reportsOf = async (id: string | undefined, count: number) => {
  const own = () => receiver.statuses.filter((status) => status.id === id);
  await until(`there are ${count} reports`, () => own().length >= count);
  return own();
};

describe('numbers in the simulated network', () => {
  it.each([
    ['MX', '525512345678', '5215512345678'],
    ['MX', '5215512345678', '5215512345678'],
    ['MX', '52551234567', '52551234567'],
    ['AR', '541123456789', '5491123456789'],
    ['AR', '5491123456789', '5491123456789'],
    ['BR', '5531987654321', '553187654321'],
    ['BR', '553187654321', '553187654321'],
    ['BR', '5511987654321', '5511987654321'],
    ['BR', '551187654321', '5511987654321'],
    ['BR', '5528987654321', '5528987654321'],
    ['BR', '552887654321', '5528987654321'],
    ['BR', '551133334444', '551133334444'],
    ['BR', '553133334444', '553133334444'],
    ['BR', '4915112345678', '4915112345678'],
  ] as const)('are spelled by the rules of %s: %s becomes %s', (country, dialled, spelled) => {
    expect(spelledBy([country], dialled)).toBe(spelled);
    expect(spelledBy(['BR', 'MX', 'AR'], dialled)).toBe(spelled);
  });

  it('keep their spelling unless the rules of their country are on', async () => {
    expect(await contactsOf('525512345678')).toEqual([{ input: '525512345678', wa_id: '525512345678' }]);
    await network.behave({ wa_id_rules: ['BR', 'AR'] });
    expect(await contactsOf('525512345678')).toEqual([{ input: '525512345678', wa_id: '525512345678' }]);
    await network.behave({ wa_id_rules: ['MX'] });
    expect(await contactsOf('525512345678')).toEqual([{ input: '525512345678', wa_id: '5215512345678' }]);
    const wrong = await network.call<{ message: string }>('POST', '/_sim/behaviour', { wa_id_rules: ['DE'] });
    expect({ status: wrong.status, message: wrong.body.message }).toEqual({
      status: 400,
      message: 'wa_id_rules must be an array of BR, MX, AR',
    });
  });

  it('have the network’s spelling in reports, message ids, inbound messages and windows', async () => {
    await network.behave({ wa_id_rules: ['MX'] });
    const person = { wa_id: '5215512345678', user_id: userIdOf('5215512345678') };
    const { body } = await network.sendTemplate('plain', undefined, '525512345678');
    const [id = ''] = body.messages.map((message) => message.id);
    const reports = await reportsOf(id, 3);
    for (const { recipient_id, recipient_user_id } of reports)
      expect({ wa_id: recipient_id, user_id: recipient_user_id }).toEqual(person);
    expect(receiver.changes.at(-1)?.value.contacts).toEqual([person]);
    expect(readMessageId(id)?.peer).toBe(person.wa_id);
    expect((await network.ledger()).data).toMatchObject([{ to: '525512345678', wa_id: '5215512345678' }]);

    expect((await network.post({ to: '525512345678', ...TEXT })).body.error.code).toBe(131047);
    await network.inbound('525512345678');
    expect(receiver.messages.at(-1)).toMatchObject({ from: person.wa_id, from_user_id: person.user_id });
    expect(receiver.changes.at(-1)?.value.contacts).toEqual([person]);
    await network.sendText('525512345678');
    await network.sendText('5215512345678');
    expect(await codeOf(person.user_id)).toBeUndefined();
  });

  it('open one window for all spellings through /_sim/callback too', async () => {
    await network.behave({ wa_id_rules: ['BR'] });
    const message = { from: '553187654321', id: 'wamid.a', timestamp: `${Math.floor(Date.now() / 1000)}`, ...TEXT };
    const value = { messaging_product: 'whatsapp', metadata: { phone_number_id: PHONE }, messages: [message] };
    await network.call('POST', '/_sim/callback', { field: 'messages', value });
    await network.sendText('5531987654321');
  });

  it('keep spelling and user id of waiting reports across a restart', async () => {
    await network.behave({ wa_id_rules: ['MX'] });
    const id = await atOneMoment(async () => {
      const { body } = await network.sendTemplate('plain', undefined, '525512345678');
      const ledger = await network.ledger();
      await network.restart();
      expect(await network.ledger()).toEqual(ledger);
      return body.messages[0]?.id;
    });
    const [report] = await reportsOf(id, 3);
    expect(report).toMatchObject({ recipient_id: '5215512345678', recipient_user_id: userIdOf('5215512345678') });
  });

  it('can be given any spelling, permanently and against the rules', async () => {
    const person = { wa_id: '22507123456', user_id: userIdOf('22507123456') };
    expect((await people({ number: '2250707123456', wa_id: '22507123456' })).body).toEqual(person);
    await people({ number: '5531987654321', wa_id: '5531987654321' });
    await network.restart();
    await network.behave({ wa_id_rules: ['BR'] });
    expect(await contactsOf('2250707123456')).toEqual([{ input: '2250707123456', wa_id: '22507123456' }]);
    expect(await contactsOf('5531987654321')).toEqual([{ input: '5531987654321', wa_id: '5531987654321' }]);
    await network.inbound('22507123456');
    await network.sendText('2250707123456');
    await network.reset();
    expect(await contactsOf('2250707123456')).toEqual([{ input: '2250707123456', wa_id: '2250707123456' }]);
  });

  it.each(['+4915112345678', '+49 (151) 1234-5678', '49 151 12345678', '49-151-12345678'])(
    'are accepted as %j, and the ledger keeps the digits',
    async (to) => {
      expect(await contactsOf(to)).toEqual([{ input: to, wa_id: CUSTOMER }]);
      expect((await network.ledger()).data).toMatchObject([{ to: CUSTOMER }]);
    },
  );

  it('get the country code of the business phone if they have no + and bare_numbers is "prefix"', async () => {
    await network.behave({ bare_numbers: 'prefix' });
    const template = { name: 'plain', language: { code: 'en_US' } };
    const send = (phone: string, to: string) =>
      network.call('POST', `/v23.0/${phone}/messages`, {
        messaging_product: 'whatsapp',
        to,
        type: 'template',
        template,
      });
    const create = {
      name: 'plain',
      language: 'en_US',
      category: 'MARKETING',
      components: [{ type: 'BODY', text: 'x' }],
    };
    await network.call('POST', '/v23.0/900/message_templates', create);
    await until('it is accepted', async () => (await send(OTHER_PHONE, '1 (631) 555-1234')).status === 200);
    await send(OTHER_PHONE, '+1 (631) 555-1234');
    await send(PHONE, '4915112345678');
    const { data } = await network.ledger();
    expect(data.map(({ to }) => to)).toEqual(['9116315551234', '16315551234', '494915112345678']);
  });
});
