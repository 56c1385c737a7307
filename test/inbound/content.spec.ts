import { eventsOf, NAIVE, naive, secondsAgo, UUID } from '../messages/messages.js';
import { crowd } from '../support/crowd.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { deliver, receivedBy, unhandledOf } from './inbound.js';

describe('an inbound message', () => {
  let world: World;
  let account: TestAccount;

  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
  });

  const write = (fields: Record<string, unknown>) =>
    world.simulator.inbound({ phone_number_id: account.phone.phoneNumberId, from: uniquePhone(), ...fields });
  const message = (more: Record<string, unknown>) => ({
    from: uniquePhone(),
    id: `wamid.${uniqueDigits()}`,
    timestamp: String(secondsAgo(0)),
    ...more,
  });

  it('emits message.received with exactly the documented fields', async () => {
    const from = uniquePhone();
    const timestamp = secondsAgo(60);
    expect(await write({ from, name: 'Ada Lindgrove', type: 'text', text: 'Hello', timestamp })).toMatchObject({
      callback_status: 200,
    });
    const [record] = await receivedBy(account);
    expect(record?.message_id).toMatch(UUID);
    expect(await eventsOf(world, account)).toEqual([
      {
        event: 'message.received',
        timestamp: expect.stringMatching(NAIVE),
        message: {
          message_id: record?.message_id,
          contact_phone: from,
          contact_name: 'Ada Lindgrove',
          content: 'Hello',
          message_type: 'text',
          timestamp: naive(timestamp * 1000),
          waba_phone_id: account.phone.id,
          is_reply: false,
          is_from_ad: false,
        },
      },
    ]);
  });

  it.each([
    [{ type: 'text', text: 'Hi 😀 "quoted"' }, 'text', 'Hi 😀 "quoted"'],
    [{ type: 'image', media: { id: '1', caption: 'Look' } }, 'image', 'Look'],
    [{ type: 'video', media: { id: '1', caption: 'See' } }, 'video', 'See'],
    [{ type: 'document', media: { id: '1', caption: 'Read', filename: 'a.pdf' } }, 'document', 'Read'],
    [{ type: 'document', media: { id: '1', filename: 'a.pdf' } }, 'document', ''],
    [{ type: 'audio' }, 'audio', ''],
    [{ type: 'sticker' }, 'sticker', ''],
    [{ type: 'button', payload: 'P', text: 'Yes' }, 'button', 'Yes'],
    [{ type: 'button_reply', button_id: 'b1', title: 'Later' }, 'button_reply', 'Later'],
    [{ type: 'reaction', context_id: 'wamid.x', emoji: '👍' }, 'reaction', '👍'],
    [{ type: 'system' }, 'system', 'User changed number'],
    [{ type: 'unsupported' }, 'unsupported', ''],
  ])('%j is stored with type and content', async (fields, message_type, content) => {
    expect((await write(fields)).callback_status).toBe(200);
    expect(await receivedBy(account)).toMatchObject([{ message_type, content }]);
    expect(await eventsOf(world, account)).toMatchObject([
      { event: 'message.received', message: { message_type, content } },
    ]);
  });

  it.each([
    [{ type: 'hologram', hologram: { id: 1 } }, 'hologram'],
    [{ type: 'interactive', interactive: { type: 'novel_reply', novel_reply: { id: 'a' } } }, 'novel_reply'],
    [{ type: 'text' }, 'text'],
    [{ type: 'text', text: { body: 5 } }, 'text'],
    [{ type: 'image', image: null }, 'image'],
    [{ type: 7 }, 'unknown'],
    [{}, 'unknown'],
  ])('of an unknown form is stored as well: %j', async (fields, message_type) => {
    expect(await deliver(world, account.phone, { messages: [message(fields)] })).toBe(200);
    expect(await receivedBy(account)).toMatchObject([{ message_type, content: '' }]);
  });

  it('from an ad has is_from_ad', async () => {
    const referral = { source_type: 'ad', source_id: '1', headline: 'Sale' };
    await write({ type: 'text', text: 'Hi', referral });
    expect(await eventsOf(world, account)).toMatchObject([{ message: { is_from_ad: true, is_reply: false } }]);
  });

  it('is stored once, however often it is delivered, even concurrently', async () => {
    const fields = { id: `wamid.${uniqueDigits()}`, from: uniquePhone(), type: 'text', text: 'Once' };
    await crowd(10, () => write(fields));
    await write(fields);
    expect(await receivedBy(account)).toHaveLength(1);
    expect(await eventsOf(world, account)).toHaveLength(1);
  });

  it('is stored with its own time, whatever the order of arrival', async () => {
    const [from, now] = [uniquePhone(), secondsAgo(0)];
    for (const ago of [5, 60, 30]) await write({ from, type: 'text', text: `${ago}`, timestamp: now - ago });
    expect((await receivedBy(account)).map(({ content }) => content)).toEqual(['60', '30', '5']);
    const { body } = await account.api.get<{ conversations: Record<string, unknown>[] }>('/api/v1/conversations/');
    expect(body.conversations).toMatchObject([{ phone_number: from, last_message_preview: '5' }]);
  });

  it('is stored once for each of many contacts in one callback, even when repeated', async () => {
    const [a, b] = [message({ type: 'text', text: { body: 'a' } }), message({ type: 'text', text: { body: 'b' } })];
    const contacts = [
      { wa_id: a.from, profile: { name: 'Ada' } },
      { wa_id: b.from, profile: { name: 'Bob' } },
    ];
    await deliver(world, account.phone, { contacts, messages: [a, b, a] });
    expect(await receivedBy(account)).toMatchObject([
      { content: 'a', contact_name: 'Ada' },
      { content: 'b', contact_name: 'Bob' },
    ]);
  });

  describe('names its contact', () => {
    const named = async (content: Record<string, unknown>): Promise<string | undefined> => {
      await deliver(world, account.phone, content);
      return (await receivedBy(account)).at(-1)?.contact_name;
    };

    it('by the profile, split at the first space, or by a default name without one', async () => {
      const hi = { type: 'text', text: { body: 'Hi' } };
      const [a, b, c] = [message(hi), message(hi), message(hi)];
      expect(await named({ messages: [a] })).toMatch(/^User #\d{6}$/);
      expect(await named({ contacts: [{ wa_id: b.from }], messages: [b] })).toMatch(/^User #\d{6}$/);
      expect(await named({ contacts: [{ wa_id: c.from, profile: { name: 'Ada King' } }], messages: [c] })).toBe(
        'Ada King',
      );
      const again = { ...message(hi), from: a.from };
      expect(await named({ contacts: [{ wa_id: a.from, profile: { name: 'Cleo' } }], messages: [again] })).toBe('Cleo');
    });

    it('and creates it with source inbound', async () => {
      const from = uniquePhone();
      await write({ from, type: 'text', text: 'Hi' });
      const { body } = await account.api.get<{ contacts: unknown[] }>(`/api/v1/contacts/?search=${from}`);
      expect(body.contacts).toMatchObject([{ phone_number: from, source: 'inbound', opted_in: true }]);
    });

    it('once for messages that arrive concurrently', async () => {
      const from = uniquePhone();
      await crowd(20, (index) => write({ from, type: 'text', text: `${index}` }));
      const received = await receivedBy(account);
      expect(received).toHaveLength(20);
      expect(new Set(received.map(({ contact_id }) => contact_id)).size).toBe(1);
    });
  });

  describe('that carries a business-scoped id', () => {
    it('but no number belongs to the contact with that id', async () => {
      const user_id = `DE.${uniqueDigits()}`;
      const first = message({ type: 'text', text: { body: 'With number' } });
      await deliver(world, account.phone, { contacts: [{ wa_id: first.from, user_id }], messages: [first] });
      const { from: _, ...second } = message({ type: 'text', text: { body: 'Without' }, from_user_id: user_id });
      await deliver(world, account.phone, { contacts: [{ user_id, profile: { name: 'Ada' } }], messages: [second] });
      const received = await receivedBy(account);
      expect(received).toMatchObject([{ content: 'With number' }, { content: 'Without', contact_phone: first.from }]);
      expect(received[1]?.contact_id).toBe(received[0]?.contact_id);
    });

    it('and another number belongs to the contact with that id: it is the same person', async () => {
      const user_id = `DE.${uniqueDigits()}`;
      const [first, second] = ['One', 'Other'].map((body) => message({ type: 'text', text: { body } }));
      for (const each of [first, second]) {
        await deliver(world, account.phone, { contacts: [{ wa_id: each?.from, user_id }], messages: [each] });
      }
      expect((await receivedBy(account)).map(({ contact_phone }) => contact_phone)).toEqual([first?.from, first?.from]);
    });
  });

  it('without an id or a sender is stored raw', async () => {
    const { id: _, ...nameless } = message({ type: 'text', text: { body: 'x' } });
    const { from: __, ...senderless } = message({ type: 'text', text: { body: 'y' } });
    expect(await deliver(world, account.phone, { messages: [nameless, senderless, 5] })).toBe(200);
    expect(await receivedBy(account)).toEqual([]);
    expect(await unhandledOf(world, account.accountId)).toHaveLength(2);
  });

  it('to an unknown phone is acknowledged and recorded', async () => {
    const lost = message({ type: 'text', text: { body: 'Lost' } });
    expect(await deliver(world, { ...account.phone, phoneNumberId: `99${uniqueDigits()}` }, { messages: [lost] })).toBe(
      200,
    );
    const recorded = await unhandledOf(world, null);
    expect(recorded.filter(({ body }) => JSON.stringify(body).includes(lost.id))).toMatchObject([
      { field: 'messages', reason: 'unknown business phone' },
    ]);
  });

  it('may contain NUL characters and lone surrogates anywhere', async () => {
    const text = { body: 'a\u0000b\ud800c' };
    const odd = {
      ...message({ type: 'text', text }),
      id: `wamid.\u0000${uniqueDigits()}`,
      extra: { 'k\u0000': '\udfff' },
    };
    const contacts = [{ wa_id: odd.from, profile: { name: 'A\u0000da \ud800' } }];
    expect(await deliver(world, account.phone, { contacts, messages: [odd] })).toBe(200);
    expect(await receivedBy(account)).toMatchObject([{ content: 'ab\ufffdc', contact_name: 'Ada \ufffd' }]);
    expect(await unhandledOf(world, account.accountId)).toEqual([]);
  });
});
