import { userIdOf } from '../../simulator/callbacks/user-ids.js';
import type { ReceivedMessage } from './callback-receiver.js';
import { CUSTOMER, PHONE, SimulatedNetwork } from './simulated-network.js';

const USER = userIdOf(CUSTOMER);
const PARENT = 'DE.ENT.11815799212886844830';

describe('what people send on the simulated network', () => {
  let network: SimulatedNetwork;

  beforeAll(async () => {
    network = await SimulatedNetwork.start();
  });
  afterAll(() => network.stop());
  beforeEach(() => network.reset());

  /** The message as the business receives it. */
  const received = async (input: object): Promise<ReceivedMessage & Record<string, unknown>> => {
    expect(await network.inbound(CUSTOMER, input)).toMatchObject({ callback_status: 200 });
    return network.receiver.messages.at(-1) as ReceivedMessage & Record<string, unknown>;
  };

  const location = { latitude: 48.1, longitude: 11.5, name: 'Office', address: 'Here 1', url: 'https://example.com' };
  const contacts = [{ name: { formatted_name: 'Ada' }, phones: [{ phone: '+4915112345678', wa_id: '4915112345678' }] }];
  const product_items = [{ product_retailer_id: 'sku-9', quantity: 2, item_price: 3.5, currency: 'EUR' }];
  const order = { catalog_id: '7', product_items };

  it.each<[object, object]>([
    [
      { type: 'location', location },
      { type: 'location', location },
    ],
    [
      { type: 'contacts', contacts },
      { type: 'contacts', contacts },
    ],
    [
      { type: 'order', order, text: 'Soon' },
      { type: 'order', order: { ...order, text: 'Soon' } },
    ],
    [
      { type: 'nfm_reply', text: undefined, response_json: '{"a":1}' },
      { interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"a":1}' } } },
    ],
    [
      { type: 'nfm_reply', flow_name: 'address_message', text: 'Home', response_json: { values: { city: 'Pune' } } },
      {
        type: 'interactive',
        interactive: {
          type: 'nfm_reply',
          nfm_reply: { name: 'address_message', body: 'Home', response_json: '{"values":{"city":"Pune"}}' },
        },
      },
    ],
    [
      { type: 'call_permission_reply', response: 'reject' },
      {
        interactive: {
          type: 'call_permission_reply',
          call_permission_reply: { response: 'reject', response_source: 'user_action' },
        },
      },
    ],
    [
      { type: 'reaction', context_id: 'wamid.q', emoji: '🎉' },
      { type: 'reaction', reaction: { message_id: 'wamid.q', emoji: '🎉' } },
    ],
    [
      { type: 'reaction', context_id: 'wamid.q' },
      { type: 'reaction', reaction: { message_id: 'wamid.q' } },
    ],
    [
      { type: 'edit', original_message_id: 'wamid.o', text: 'Better', context_id: 'wamid.q' },
      {
        type: 'edit',
        edit: {
          original_message_id: 'wamid.o',
          message: { context: { id: 'wamid.q' }, type: 'text', text: { body: 'Better' } },
        },
      },
    ],
    [
      { type: 'edit', original_message_id: 'wamid.o', message: { type: 'image', media: { caption: 'Better' } } },
      { edit: { message: { type: 'image', image: { caption: 'Better', id: expect.any(String) } } } },
    ],
    [
      { type: 'revoke', original_message_id: 'wamid.o' },
      { type: 'revoke', revoke: { original_message_id: 'wamid.o' } },
    ],
    [
      { type: 'unsupported', subtype: 'poll_creation' },
      { type: 'unsupported', unsupported: { type: 'poll_creation' }, errors: [{ code: 131051 }] },
    ],
    [
      { type: 'unknown', kind: 'poll', content: { question: 'When?' } },
      { type: 'poll', poll: { question: 'When?' } },
    ],
    [{ type: 'audio', voice: false }, { audio: { voice: false } }],
    [{ type: 'sticker', animated: true }, { sticker: { animated: true, mime_type: 'image/webp' } }],
    [{ forwarded: true }, { context: { forwarded: true } }],
    [{ frequently_forwarded: true }, { context: { frequently_forwarded: true } }],
    [
      { referred_product: { catalog_id: '7', product_retailer_id: 'sku-9' }, context_id: 'wamid.q' },
      {
        context: {
          from: '4930901820',
          id: 'wamid.q',
          referred_product: { catalog_id: '7', product_retailer_id: 'sku-9' },
        },
      },
    ],
    [{ referral: true }, { referral: { source_type: 'ad', ctwa_clid: expect.any(String) } }],
    [{ group_id: 'group-1' }, { group_id: 'group-1', from: CUSTOMER }],
    [{ parent_user_id: PARENT }, { from_parent_user_id: PARENT }],
  ])('%j arrives as on the network', async (input, message) => {
    expect(await received(input)).toMatchObject(message);
  });

  it('leaves every number out when the person hides it', async () => {
    const message = await received({ hide_number: true, parent_user_id: PARENT, name: 'Ada' });
    expect(message).not.toHaveProperty('from');
    expect(message.from_user_id).toBe(USER);
    expect(network.receiver.changes.at(-1)?.value.contacts).toEqual([
      { profile: { name: 'Ada' }, user_id: USER, parent_user_id: PARENT },
    ]);
    expect(network.receiver.callbacks.at(-1)?.raw.toString()).not.toContain(CUSTOMER);
  });

  it.each<[object, number | undefined]>([
    [{ type: 'text' }, undefined],
    [{ type: 'location' }, undefined],
    [{ type: 'reaction', context_id: 'wamid.q', emoji: '👍' }, undefined],
    [{ type: 'unknown' }, undefined],
    [{ hide_number: true }, undefined],
    [{ type: 'reaction', context_id: 'wamid.q' }, 131047],
    [{ type: 'edit', original_message_id: 'wamid.o', text: 'Better' }, 131047],
    [{ type: 'revoke', original_message_id: 'wamid.o' }, 131047],
    [{ group_id: 'group-1' }, 131047],
    [{ type: 'system' }, 131047],
  ])('after %j a reply is answered with %s', async (input, code) => {
    await received(input);
    const { body } = await network.post({ text: { body: 'Hi' } });
    expect(body.error?.code).toBe(code);
  });

  it.each<[object, string]>([
    [{ type: 'location', location: { latitude: 91, longitude: 0 } }, 'location.latitude'],
    [{ type: 'location', location: 'Berlin' }, 'location'],
    [{ type: 'contacts', contacts: [] }, 'contacts'],
    [{ type: 'order', order: { product_items: [1] } }, 'product_items'],
    [{ type: 'edit', text: 'x' }, 'original_message_id'],
    [{ type: 'edit', original_message_id: 'wamid.o', message: { type: 'audio' } }, 'message.type'],
    [{ type: 'revoke' }, 'original_message_id'],
    [{ type: 'reaction' }, 'context_id'],
    [{ type: 'unknown', content: 5 }, 'content'],
    [{ type: 'call_permission_reply', response: 'perhaps' }, 'response'],
    [{ forwarded: 'yes' }, 'forwarded'],
    [{ referred_product: 1 }, 'referred_product'],
    [{ referral: 1 }, 'referral'],
    [{ group_id: 1 }, 'group_id'],
    [{ hide_number: 1 }, 'hide_number'],
    [{ parent_user_id: 'DE.1' }, 'parent_user_id'],
    [{ type: 'image', media: 1 }, 'media'],
    [{ type: 'constructor' }, 'type must be one of'],
  ])('refuses %j and says that it is about %s', async (more, name) => {
    const input = { phone_number_id: PHONE, from: CUSTOMER, type: 'text', text: 'x', ...more };
    const { status, body } = await network.call<{ message: string }>('POST', '/_sim/inbound', input);
    expect([status, body.message]).toEqual([400, expect.stringContaining(name)]);
    expect(network.receiver.callbacks).toEqual([]);
  });
});
