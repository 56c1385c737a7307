import { until } from '../support/until.js';
import type { CallbackReceiver } from './callback-receiver.js';
import { PHONE, SimulatedNetwork, WABA } from './simulated-network.js';

const BODY = [{ type: 'BODY', text: 'Hello' }];
/** In Brazil, where nobody is exempt from the cap. */
const BRAZILIAN = { phone_number_id: `${PHONE}55`, waba_id: WABA, display_phone_number: '+55 11 3000-0000' };
const OTHER = { phone_number_id: `${PHONE}56`, waba_id: `${WABA}56`, display_phone_number: '+55 11 3000-0001' };

describe('limits of marketing on the simulated network', () => {
  let network: SimulatedNetwork;
  let receiver: CallbackReceiver;
  let people = 0;

  const sendFrom = async (phone: string, name: string, to: string): Promise<string> => {
    const template = { name, language: { code: 'en_US' } };
    const message = { messaging_product: 'whatsapp', to, type: 'template', template };
    const path = `/v23.0/${phone}/messages`;
    const { body } = await network.call<{ messages?: { id: string }[] }>('POST', path, message);
    return body.messages?.[0]?.id ?? '';
  };

  beforeAll(async () => {
    network = await SimulatedNetwork.start();
    receiver = network.receiver;
    await network.approved('offer', BODY);
    await network.approved('useful', BODY, { category: 'UTILITY' });
    for (const phone of [BRAZILIAN, OTHER]) await network.call('POST', '/_sim/phones', phone);
    const offer = { name: 'offer', language: 'en_US', category: 'MARKETING', components: BODY };
    await network.call('POST', `/v23.0/${OTHER.waba_id}/message_templates`, offer);
    await until('the offer is approved', () => sendFrom(OTHER.phone_number_id, 'offer', '5511999990000'));
  });
  afterAll(() => network.stop());
  beforeEach(() => network.reset());

  /** What becomes of a message: its last status, or the code of its failure. */
  const outcomeOf = async (id: string): Promise<string | number> => {
    const last = await until('its last report has come', () =>
      receiver.statuses.find((report) => report.id === id && /^(read|failed)$/.test(report.status)),
    );
    return last.errors?.[0]?.code ?? last.status;
  };
  const outcome = async (name: string, to: string, phone = PHONE) => outcomeOf(await sendFrom(phone, name, to));
  const somebody = (prefix: string): string => {
    people += 1;
    return `${prefix}${people}`;
  };

  it.each([
    ['12125550123', 131049],
    ['+1 (415) 555-2671', 131049],
    ['14165550123', 'read'],
    ['18765551234', 'read'],
    ['15559990100', 'read'],
    ['4912125550123', 'read'],
  ])('marketing to %s: %s', async (to, expected) => {
    expect(await outcome('offer', to)).toBe(expected);
  });

  it('utility and replies reach the United States, and so does everything with us_marketing', async () => {
    const to = '12125550123';
    expect(await outcome('useful', to)).toBe('read');
    await network.inbound(to);
    expect(await outcomeOf(await network.sendText(to))).toBe('read');
    expect(await outcome('offer', to)).toBe(131049);
    await network.behave({ us_marketing: true });
    expect(await outcome('offer', to)).toBe('read');
  });

  it('marketing to a user id in the United States fails as well', async () => {
    const to = '12125550124';
    const { body } = await network.call<{ user_id: string }>('POST', '/_sim/people', { number: to });
    await network.inbound(to);
    const template = { name: 'offer', language: { code: 'en_US' } };
    const id = await network.send({ to: undefined, recipient: body.user_id, type: 'template', template });
    expect(await outcomeOf(id)).toBe(131049);
  });

  it('marketing_cap counts a person across businesses, but neither utility templates nor other people', async () => {
    await network.behave({ marketing_cap: 2 });
    const to = somebody('551199999');
    expect(await outcome('offer', to, BRAZILIAN.phone_number_id)).toBe('read');
    expect(await outcome('offer', to, OTHER.phone_number_id)).toBe('read');
    expect(await outcome('offer', to, BRAZILIAN.phone_number_id)).toBe(131049);
    expect(await outcome('useful', to, BRAZILIAN.phone_number_id)).toBe('read');
    expect(await outcome('offer', somebody('551199998'), BRAZILIAN.phone_number_id)).toBe('read');
  });

  it('marketing_cap spares service windows, and senders and recipients in Europe', async () => {
    await network.behave({ marketing_cap: 1 });
    const [brazilian, german, writer] = ['5511999970001', '4915112345999', '5511999970002'];
    await network.inbound(writer, { phone_number_id: BRAZILIAN.phone_number_id });
    for (let i = 0; i < 2; i += 1) {
      expect(await outcome('offer', brazilian)).toBe('read');
      expect(await outcome('offer', german, BRAZILIAN.phone_number_id)).toBe('read');
      expect(await outcome('offer', writer, BRAZILIAN.phone_number_id)).toBe('read');
    }
  });
});
