import { eventsOf, recordOf, secondsAgo } from '../messages/messages.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';

interface Kind {
  /** The body of `/_sim/inbound`. */
  readonly input: Record<string, unknown>;
  readonly message_type: string;
  readonly content: string;
  readonly preview: string;
  /** The parts that record and events show. */
  readonly parts?: Record<string, unknown>;
}

const file = (more: Record<string, unknown>): Record<string, unknown> => ({
  media: expect.objectContaining({
    status: expect.stringMatching(/^(?:pending|stored|gone|refused)$/),
    url: expect.stringMatching(/^\/api\/v1\/messages\/[0-9a-f-]{36}\/media$/),
    ...more,
  }),
});
const PLACE = { latitude: -12.046374, longitude: -77.042793, name: 'Depósito Norte', address: 'Av. Inventada 100' };
const CARD = { name: { formatted_name: 'Ada Lindgrove', first_name: 'Ada' }, phones: [{ phone: '+442071234567' }] };
const ITEMS = [
  { product_retailer_id: 'sku-1', quantity: 2, item_price: 9.5, currency: 'EUR' },
  { product_retailer_id: 'sku-2', quantity: 1, item_price: 3, currency: 'EUR' },
];
const PRODUCT = { catalog_id: '7', product_retailer_id: 'sku-1' };
const REFERRAL = {
  source_url: 'https://example.com/ad',
  source_id: '9',
  source_type: 'ad',
  headline: 'Sale',
  ctwa_clid: 'click-of-an-ad',
};

const KINDS: Readonly<Record<string, Kind>> = {
  text: { input: { type: 'text', text: 'Hello' }, message_type: 'text', content: 'Hello', preview: 'Hello' },
  photo: {
    input: { type: 'image' },
    message_type: 'image',
    content: '',
    preview: 'Photo',
    parts: file({ mime_type: 'image/jpeg' }),
  },
  'photo with a caption': {
    input: { type: 'image', media: { caption: 'Look' } },
    message_type: 'image',
    content: 'Look',
    preview: 'Look',
    parts: file({}),
  },
  video: { input: { type: 'video' }, message_type: 'video', content: '', preview: 'Video', parts: file({}) },
  'voice message': {
    input: { type: 'audio' },
    message_type: 'audio',
    content: '',
    preview: 'Voice message',
    parts: file({ voice: true }),
  },
  document: {
    input: { type: 'document', media: { filename: 'bill.pdf' } },
    message_type: 'document',
    content: '',
    preview: 'bill.pdf',
    parts: file({ filename: 'bill.pdf' }),
  },
  sticker: {
    input: { type: 'sticker' },
    message_type: 'sticker',
    content: '',
    preview: 'Sticker',
    parts: file({ animated: false }),
  },
  location: {
    input: { type: 'location', location: PLACE },
    message_type: 'location',
    content: 'Depósito Norte, Av. Inventada 100 (-12.046374, -77.042793)',
    preview: 'Location',
    parts: { location: PLACE },
  },
  contacts: {
    input: { type: 'contacts', contacts: [CARD] },
    message_type: 'contacts',
    content: 'Ada Lindgrove: +442071234567',
    preview: 'Contact',
    parts: { contacts: [CARD] },
  },
  order: {
    input: { type: 'order', order: { catalog_id: '7', text: 'By noon', product_items: ITEMS } },
    message_type: 'order',
    content: 'By noon\n2 × sku-1; 1 × sku-2: 22.00 EUR',
    preview: 'Order',
    parts: { order: { catalog_id: '7', text: 'By noon', product_items: ITEMS } },
  },
  'template button': {
    input: { type: 'button', payload: 'yes', text: 'Yes' },
    message_type: 'button',
    content: 'Yes',
    preview: 'Yes',
    parts: { interactive: { type: 'button', id: 'yes', title: 'Yes' } },
  },
  'reply button': {
    input: { type: 'button_reply', button_id: 'b1', title: 'Later' },
    message_type: 'button_reply',
    content: 'Later',
    preview: 'Later',
    parts: { interactive: { type: 'button_reply', id: 'b1', title: 'Later' } },
  },
  'list entry': {
    input: { type: 'list_reply', row_id: 'r1', title: 'Morning', description: '8 to 12' },
    message_type: 'list_reply',
    content: 'Morning',
    preview: 'Morning',
    parts: { interactive: { type: 'list_reply', id: 'r1', title: 'Morning', description: '8 to 12' } },
  },
  form: {
    input: { type: 'nfm_reply', response_json: { day: '2026-02-03', persons: 4 }, text: 'Sent' },
    message_type: 'nfm_reply',
    content: 'Sent',
    preview: 'Sent',
    parts: { interactive: { type: 'flow', name: 'flow', response: { day: '2026-02-03', persons: 4 } } },
  },
  'answer to a call permission request': {
    input: { type: 'call_permission_reply' },
    message_type: 'call_permission_reply',
    content: '',
    preview: 'Message',
    parts: { raw: expect.objectContaining({ type: 'interactive' }) },
  },
  reaction: {
    input: { type: 'reaction', context_id: 'wamid.unknown', emoji: '👍' },
    message_type: 'reaction',
    content: '👍',
    preview: '👍',
    parts: { reaction: { message_id: null, network_message_id: 'wamid.unknown', emoji: '👍' } },
  },
  unsupported: {
    input: { type: 'unsupported', subtype: 'poll' },
    message_type: 'unsupported',
    content: '',
    preview: 'Unsupported message',
    parts: { raw: expect.objectContaining({ unsupported: { type: 'poll' } }) },
  },
  'kind that nobody knows yet': {
    input: { type: 'unknown', kind: 'hologram', content: { id: 7 } },
    message_type: 'hologram',
    content: '',
    preview: 'Message',
    parts: { raw: expect.objectContaining({ hologram: { id: 7 } }) },
  },
  'forwarded text': {
    input: { type: 'text', text: 'Look', forwarded: true },
    message_type: 'text',
    content: 'Look',
    preview: 'Look',
    parts: {
      context: { message_id: null, forwarded: true, frequently_forwarded: false, referred_product: null },
    },
  },
  'question about a product': {
    input: { type: 'text', text: 'In red?', referred_product: PRODUCT },
    message_type: 'text',
    content: 'In red?',
    preview: 'In red?',
    parts: {
      context: { message_id: null, forwarded: false, frequently_forwarded: false, referred_product: PRODUCT },
    },
  },
  'text from an ad': {
    input: { type: 'text', text: 'Hi', referral: REFERRAL },
    message_type: 'text',
    content: 'Hi',
    preview: 'Hi',
    parts: { referral: REFERRAL },
  },
};

const PARTS = ['media', 'location', 'contacts', 'order', 'interactive', 'reaction', 'context', 'referral', 'raw'];
const partsIn = (shown: unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(shown as Record<string, unknown>).filter(([name]) => PARTS.includes(name)));

describe('every kind of message that a person sends', () => {
  let world: World;
  let account: TestAccount;
  let contact: string;

  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    contact = uniquePhone();
  });

  const write = (input: Record<string, unknown>) =>
    world.simulator.inbound({ phone_number_id: account.phone.phoneNumberId, from: contact, ...input });
  const list = async (path: string): Promise<Record<string, unknown>[]> =>
    (await account.api.get<{ messages: Record<string, unknown>[] }>(path)).body.messages;

  it.each(Object.entries(KINDS))('%s: event, record, thread, preview, export, erasure', async (_, kind) => {
    const { input, message_type, content, preview, parts = {} } = kind;
    expect((await write(input)).callback_status).toBe(200);
    const shown = { message_type, content };

    const [event] = await eventsOf(world, account);
    expect(event).toMatchObject({ event: 'message.received', message: shown });
    expect(partsIn(event?.['message'])).toEqual(parts);

    const [record] = await list('/api/v1/messages/');
    expect(record).toMatchObject(shown);
    expect(partsIn(record)).toEqual(parts);
    expect(partsIn(await recordOf(account, record?.['message_id']))).toEqual(parts);
    // A reaction is shown with the message that it is put on.
    const inThread = message_type === 'reaction' ? [] : [parts];
    expect((await list(`/api/v1/conversations/${contact}/messages`)).map(partsIn)).toEqual(inThread);

    const { body } = await account.api.get<{ conversations: unknown[] }>('/api/v1/conversations/');
    expect(body.conversations).toMatchObject([{ last_message_preview: preview }]);

    const id = String(record?.['contact_id']);
    const exported = await account.api.get<{ messages: { payload: unknown }[] }>(`/api/v1/contacts/${id}/export`);
    expect(exported.body.messages[0]?.payload).toMatchObject({ id: record?.['network_message_id'] });

    await account.api.delete(`/api/v1/contacts/${id}?erase=true`);
    const erased = await recordOf(account, record?.['message_id']);
    expect([erased.content, partsIn(erased)]).toEqual(['', {}]);
    const left = await until('the events are erased', async () => {
      const bodies = JSON.stringify(await eventsOf(world, account));
      return bodies.includes(contact) ? undefined : bodies;
    });
    for (const said of ['-12.04', 'sku-1', 'Lindgrove', '2026-02-03', 'click-of-an-ad']) {
      expect(left).not.toContain(said);
    }
  });

  it('a quoted message of either side is named by our id, and by the network’s when it is unknown', async () => {
    const first = `wamid.${uniqueDigits()}`;
    await write({ type: 'text', text: 'One', id: first });
    await write({ type: 'text', text: 'Two', context_id: first });
    await write({ type: 'text', text: 'Three', context_id: 'wamid.unknown' });
    const [three, two, one] = await list('/api/v1/messages/');
    expect(two?.['context']).toMatchObject({ message_id: one?.['message_id'] });
    expect(two?.['context']).not.toHaveProperty('network_message_id');
    expect(three?.['context']).toMatchObject({ message_id: null, network_message_id: 'wamid.unknown' });
    const events = await eventsOf(world, account);
    expect(events.map(({ message }) => partsIn(message)['context'])).toEqual([
      undefined,
      two?.['context'],
      three?.['context'],
    ]);
  });

  it('a message stored by an older release shows its type, content and parts too', async () => {
    await write({ type: 'list_reply', row_id: 'r1', title: 'Morning' });
    await world.unitOfWork.autocommit.affected(
      "UPDATE messages SET message_type = 'interactive', content = '' WHERE account_id = $1",
      [account.accountId],
    );
    expect((await list('/api/v1/messages/'))[0]).toMatchObject({
      message_type: 'list_reply',
      content: 'Morning',
      interactive: { type: 'list_reply', id: 'r1', title: 'Morning' },
    });
  });

  it('a backlog that arrives out of order is listed in order', async () => {
    const backlog = { A1: 40, B2: 39, C3: 38 };
    for (const text of ['C3', 'A1', 'B2', 'C3', 'A1', 'B2'] as const) {
      await write({ type: 'text', text, id: `wamid.${contact}${text}`, timestamp: secondsAgo(60 * backlog[text]) });
    }
    for (const path of ['/api/v1/messages/', `/api/v1/conversations/${contact}/messages`]) {
      expect((await list(path)).map(({ content }) => content)).toEqual(['C3', 'B2', 'A1']);
    }
    const { body } = await account.api.get<{ conversations: unknown[] }>('/api/v1/conversations/');
    expect(body.conversations).toMatchObject([{ last_message_preview: 'C3' }]);
  });

  it('messages of one second are listed as they arrive', async () => {
    const timestamp = secondsAgo(30);
    for (const text of ['a', 'b', 'c', 'd']) await write({ type: 'text', text, timestamp });
    expect((await list('/api/v1/messages/')).map(({ content }) => content)).toEqual(['d', 'c', 'b', 'a']);
  });

  it('a message older than seven days keeps its time', async () => {
    const timestamp = secondsAgo(20 * 86_400);
    await write({ type: 'text', text: 'Long ago', timestamp });
    expect((await list('/api/v1/messages/'))[0]).toMatchObject({
      created_at: new Date(timestamp * 1000).toISOString(),
    });
  });
});
