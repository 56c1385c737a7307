import { AgentsService } from '../../src/agents/agents.service.js';
import { newRecordId } from '../../src/values/record-id.js';
import type { LoopbackServer } from '../support/loopback-server.js';
import { padded, SAMPLES } from '../support/media-samples.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, type World } from '../support/world.js';
import { startWithFiles } from '../support/world-with-files.js';
import {
  eventsOf,
  type MessageRecord,
  openWindow,
  recordOf,
  SEND,
  SEND_MESSAGE,
  secondsAgo,
  sentUpstream,
} from './messages.js';

type Fields = Record<string, unknown>;

interface Sent {
  readonly message_id: string;
  readonly message: string;
}

const KB = 1024;
/** The start of a WebP file; `moves` is the flag of an animation. */
const webp = (moves: boolean): Buffer =>
  Buffer.concat([
    Buffer.from('RIFF\x24\0\0\0WEBPVP8X\x0a\0\0\0', 'latin1'),
    Buffer.from([moves ? 2 : 0, 0, 0, 0]),
    Buffer.alloc(12),
  ]);
const FILES: Readonly<Record<string, readonly [string, Buffer]>> = {
  '/voice.ogg': ['audio/ogg', SAMPLES.OGG],
  '/a.mp3': ['audio/mpeg', SAMPLES.MP3],
  '/still.webp': ['image/webp', webp(false)],
  '/moving.webp': ['image/webp', webp(true)],
};

const ROW = { id: 'morning', title: 'In the morning', description: '8 to 12' };
const LIST = { button: 'Choose', sections: [{ title: 'Tomorrow', rows: [ROW, { id: 'noon', title: 'At noon' }] }] };
const PLACE = { latitude: 52.520008, longitude: 13.404954, name: 'Warehouse', address: '1 Example Street' };
const CARD = {
  name: { formatted_name: 'Casey Example', first_name: 'Casey' },
  phones: [{ phone: '+1 555 999 0100', type: 'WORK', wa_id: '15559990100' }],
  org: { company: 'Example Ltd' },
};
const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `r${index}`, title: `Row ${index}` }));
const listOf = (row: Fields, section: Fields = {}) => ({
  button: 'Choose',
  sections: [{ title: 'A', rows: [{ ...ROW, ...row }], ...section }],
});

describe('sending every kind of free-form message', () => {
  let world: World;
  let account: TestAccount;
  let server: LoopbackServer;
  let stop: () => Promise<void>;
  let contact: string;
  /** Our id of the contact's first message, and the network's. */
  let theirs: { id: string; networkId: string };
  let agent: { id: string; name: string };

  beforeAll(async () => {
    ({ world, server, stop } = await startWithFiles((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
      const [type, file] = FILES[pathname] ?? ['text/html', Buffer.from('<html>')];
      const size = Number(searchParams.get('size') ?? file.length);
      const announced = searchParams.has('silent') ? {} : { 'content-length': size };
      response.writeHead(200, { 'content-type': type, ...announced });
      response.end(padded(file, size));
    }));
    await world.simulator.behave({ statuses: [] });
    account = await world.account();
    contact = uniquePhone();
    const networkId = await openWindow(world, account.phone, contact);
    theirs = { id: await until('the message is stored', () => idOf(networkId)), networkId };
    const name = 'Robin Agent';
    const id = await world.parley.app.get(AgentsService).add({
      organisationId: String(account.organisationId),
      fullName: name,
      email: `${newRecordId()}@example.test`,
      role: 'agent',
    });
    agent = { id, name };
  });
  afterAll(() => stop());

  const idOf = async (networkId: string): Promise<string | null> => {
    const { body } = await account.api.get<{ messages: MessageRecord[] }>(
      `/api/v1/messages/?contact_phone=${contact}&limit=100`,
    );
    return body.messages.find((each) => each.network_message_id === networkId)?.message_id ?? null;
  };
  const send = (fields: Fields) => account.api.post<Sent>(SEND_MESSAGE, { contact_phone: contact, ...fields });
  const accepted = async (fields: Fields): Promise<string> => {
    const { status, body, text } = await send(fields);
    if (status !== 200) throw new Error(text);
    return body.message_id;
  };
  const refused = async (fields: Fields) => {
    const before = (await sentUpstream(world, account.phone)).length;
    const { status, body } = await send(fields);
    expect((await sentUpstream(world, account.phone)).length).toBe(before);
    return [status, body.message];
  };
  const upstream = async (messageId: string) =>
    (await sentUpstream(world, account.phone)).find((each) => each['biz_opaque_callback_data'] === messageId);
  const thread = async () =>
    (await account.api.get<{ messages: MessageRecord[] }>(`/api/v1/conversations/${contact}/messages?limit=100`)).body
      .messages;
  const sentEvent = (messageId: string) =>
    until('the event is told', async () =>
      (await eventsOf(world, account)).find(
        ({ event, message }) => event === 'message.sent' && (message as Fields)['message_id'] === messageId,
      ),
    );

  const kinds: (readonly [string, () => Fields, Fields, Fields])[] = [
    [
      'list',
      () => ({ message: 'When?', list: LIST }),
      { type: 'interactive', interactive: { type: 'list', body: { text: 'When?' }, action: LIST } },
      { content: 'When?', list: LIST },
    ],
    [
      'location',
      () => ({ location: PLACE }),
      { type: 'location', location: PLACE },
      { content: 'Warehouse, 1 Example Street (52.520008, 13.404954)', location: PLACE },
    ],
    [
      'location_request',
      () => ({ message: 'Where are you?' }),
      {
        type: 'interactive',
        interactive: {
          type: 'location_request_message',
          body: { text: 'Where are you?' },
          action: { name: 'send_location' },
        },
      },
      { content: 'Where are you?' },
    ],
    [
      'contacts',
      () => ({ contacts: [CARD] }),
      { type: 'contacts', contacts: [CARD] },
      { content: 'Casey Example: +1 555 999 0100', contacts: [CARD] },
    ],
    [
      'text',
      () => ({ message: 'See https://example.com', preview_url: true }),
      { type: 'text', text: { body: 'See https://example.com', preview_url: true } },
      { content: 'See https://example.com', preview_url: true },
    ],
  ];

  it.each(kinds)('sends a %s, and shows it in record, thread and event', async (message_type, fields, sent, shown) => {
    const reference = `ref-${newRecordId()}`;
    const id = await accepted({ message_type, ...fields(), reference });
    expect(await upstream(id)).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: `+${contact}`,
      biz_opaque_callback_data: id,
      ...sent,
    });
    const record = await recordOf(account, id);
    expect(record).toMatchObject({ message_type, direction: 'out', status: 'sent', reference, ...shown });
    expect(record).not.toHaveProperty('raw');
    expect(await thread()).toContainEqual(record);
    expect(await sentEvent(id)).toMatchObject({ message: { reference } });
  });

  it.each([
    ['sticker', '/still.webp', {}, {}, { mime_type: 'image/webp', voice: false, animated: false }],
    ['sticker', '/moving.webp', {}, {}, { mime_type: 'image/webp', animated: true }],
    ['audio', '/voice.ogg', { voice: true }, { voice: true }, { mime_type: 'audio/ogg', voice: true }],
    ['audio', '/voice.ogg', { voice: false }, {}, { voice: false }],
  ])('sends %s %s with %j', async (message_type, path, fields, sent, media) => {
    const link = server.url(path);
    const id = await accepted({ message_type, media_url: link, ...fields });
    expect(await upstream(id)).toMatchObject({ type: message_type, [message_type]: { link, ...sent } });
    const record = await recordOf(account, id);
    expect(record).toMatchObject({ message_type, media: { link, ...media } });
    expect(await thread()).toContainEqual(record);
    await sentEvent(id);
  });

  it('says in the list of conversations what was sent without a text', async () => {
    const preview = async () => {
      const { body } = await account.api.get<{ conversations: Fields[] }>('/api/v1/conversations/');
      return body.conversations[0]?.['last_message_preview'];
    };
    await accepted({ message_type: 'location', location: PLACE });
    expect(await preview()).toBe('Location');
    await accepted({ message_type: 'contacts', contacts: [CARD] });
    expect(await preview()).toBe('Contact');
    await accepted({ message_type: 'sticker', media_url: server.url('/still.webp') });
    expect(await preview()).toBe('Sticker');
  });

  it('puts a reaction on a message, changes it, and takes it back', async () => {
    await accepted({ message_type: 'text', message: 'Before' });
    const react = (emoji: string) =>
      accepted({ message_type: 'reaction', reaction: { message_id: theirs.id, emoji }, reference: 'thanks' });
    const reactions = async () => (await recordOf(account, theirs.id)) as unknown as { reactions: Fields[] };
    const id = await react('👍');
    expect(await upstream(id)).toMatchObject({
      type: 'reaction',
      reaction: { message_id: theirs.networkId, emoji: '👍' },
    });
    expect(await recordOf(account, id)).toMatchObject({
      message_type: 'reaction',
      content: '👍',
      reference: 'thanks',
      reaction: { message_id: theirs.id, emoji: '👍' },
    });
    expect(await sentEvent(id)).toMatchObject({ message: { reference: 'thanks' } });
    expect(await reactions()).toMatchObject({ reactions: [{ emoji: '👍', by: 'business' }] });
    await react('❤️');
    expect(await reactions()).toMatchObject({ reactions: [{ emoji: '❤️', by: 'business' }] });
    const removal = await react('');
    expect(await upstream(removal)).toMatchObject({ reaction: { message_id: theirs.networkId, emoji: '' } });
    expect(await reactions()).toMatchObject({ reactions: [] });
    expect((await thread()).map(({ message_type }) => message_type)).not.toContain('reaction');
    const { body } = await account.api.get<{ conversations: Fields[] }>('/api/v1/conversations/');
    expect(body.conversations[0]).toMatchObject({ last_message_preview: 'Before' });
  });

  it('quotes messages of either side, in every kind but reactions', async () => {
    const first = await accepted({ message_type: 'text', message: 'Hello', reply_to: theirs.id });
    expect(await upstream(first)).toMatchObject({ context: { message_id: theirs.networkId } });
    const record = await recordOf(account, first);
    expect(record).toMatchObject({ reply_to: theirs.id });
    expect(await thread()).toContainEqual(record);
    const second = await accepted({ message_type: 'list', message: 'When?', list: LIST, reply_to: first });
    expect(await upstream(second)).toMatchObject({ context: { message_id: record.network_message_id } });
    expect(
      await refused({
        message_type: 'reaction',
        reaction: { message_id: first, emoji: '👍' },
        reply_to: first,
      }),
    ).toEqual([400, 'reply_to is not allowed with message_type reaction']);
  });

  it('quotes, names agent and reference in template sends too', async () => {
    const template = await approvedTemplate(world, account, { body: { text: 'Hello' } });
    const fields = { contact_phone: contact, template_name: template.name };
    const extras = { reply_to: theirs.id, agent_user_id: agent.id, reference: 'order-1' };
    const { status, body } = await account.api.post<Sent>(SEND, { ...fields, ...extras });
    expect(status).toBe(200);
    expect(await upstream(body.message_id)).toMatchObject({
      type: 'template',
      context: { message_id: theirs.networkId },
    });
    expect(await recordOf(account, body.message_id)).toMatchObject({
      reply_to: theirs.id,
      reference: 'order-1',
      sent_by: { user_id: agent.id, name: agent.name, source: 'api' },
    });
    const nowhere = newRecordId();
    const other = await account.api.post<Sent>(SEND, { ...fields, reply_to: nowhere });
    expect([other.status, other.body.message]).toEqual([404, expect.stringContaining(nowhere)]);
  });

  it('shows the agent who wrote a message, also after they have left', async () => {
    const agents = world.parley.app.get(AgentsService);
    const left = await agents.add({
      organisationId: String(account.organisationId),
      fullName: 'Sam Left',
      email: `${newRecordId()}@example.test`,
      role: 'agent',
    });
    const fields = { message_type: 'text', message: 'Hi', agent_user_id: left };
    const id = await accepted(fields);
    await agents.deactivate(left);
    expect(await recordOf(account, id)).toMatchObject({
      sent_by: { user_id: left, name: 'Sam Left', source: 'api' },
    });
    expect(await refused(fields)).toEqual([404, expect.stringMatching(/^agent_user_id .* is not an active member/)]);
    const foreign = await world.account();
    const answer = await foreign.api.post<Sent>(SEND_MESSAGE, { ...fields, contact_phone: contact });
    expect(answer.status).toBe(403);
    expect(await recordOf(account, await accepted({ message_type: 'text', message: 'Hi' }))).not.toHaveProperty(
      'sent_by',
    );
  });

  it('repeats the reference in events about taps and answers', async () => {
    const id = await accepted({
      message_type: 'text',
      message: 'Shall we?',
      buttons: { type: 'reply', reply_buttons: [{ id: 'yes', title: 'Yes' }] },
      reference: 'offer-7',
    });
    const { network_message_id: context_id } = await recordOf(account, id);
    const tap = { type: 'button_reply', button_id: 'yes', title: 'Yes', context_id };
    await openWindow(world, account.phone, contact, { ...tap, text: undefined });
    const events = await until('the tap is told', async () => {
      const told = await eventsOf(world, account);
      return told.some(({ event }) => event === 'button.clicked') && told;
    });
    expect(events.find(({ event }) => event === 'button.clicked')).toMatchObject({
      message: { message_id: id, reference: 'offer-7' },
    });
    const replies = events.filter(({ event }) => event === 'message.reply');
    expect(replies.at(-1)).toMatchObject({ original_message: { message_id: id, reference: 'offer-7' } });
  });

  it('does not send twice under one Idempotency-Key', async () => {
    const key = newRecordId();
    const post = () =>
      account.api.post<Sent>(
        SEND_MESSAGE,
        { contact_phone: contact, message_type: 'location', location: PLACE },
        { headers: { 'idempotency-key': key } },
      );
    const [first, second] = [await post(), await post()];
    expect([first.status, second.status, second.body.message_id]).toEqual([200, 200, first.body.message_id]);
  });

  it('answers 403 outside the window to every kind', async () => {
    const stranger = { contact_phone: uniquePhone() };
    for (const [message_type, fields] of kinds) {
      expect((await send({ message_type, ...fields(), ...stranger })).status).toBe(403);
    }
    const reaction = { message_id: theirs.id, emoji: '👍' };
    expect((await send({ message_type: 'reaction', reaction, ...stranger })).status).toBe(403);
  });

  describe('answers 404 to a message', () => {
    const naming: (readonly [string, (id: string) => Fields])[] = [
      ['reply_to', (id) => ({ message_type: 'text', message: 'Hi', reply_to: id })],
      ['reaction.message_id', (id) => ({ message_type: 'reaction', reaction: { message_id: id, emoji: '👍' } })],
    ];

    it.each(naming)('that is unknown, of another conversation or another account: %s', async (field, fields) => {
      const other = uniquePhone();
      await openWindow(world, account.phone, other);
      const { body } = await send({ message_type: 'text', message: 'Hi', contact_phone: other });
      const foreign = await world.account();
      await openWindow(world, foreign.phone, contact);
      const theirOwn = await foreign.api.post<Sent>(SEND_MESSAGE, {
        contact_phone: contact,
        message_type: 'text',
        message: 'Hi',
      });
      for (const id of [newRecordId(), body.message_id, theirOwn.body.message_id]) {
        expect(await refused(fields(id))).toEqual([
          404,
          expect.stringMatching(new RegExp(`^${field} must name .*${id}`)),
        ]);
      }
    });

    it.each(naming)('older than 30 days, and not to one of 29: %s', async (field, fields) => {
      const arrivedAt = async (days: number) => {
        const networkId = await openWindow(world, account.phone, contact, {
          timestamp: secondsAgo(days * 24 * 60 * 60),
        });
        return until('the message is stored', () => idOf(networkId));
      };
      const [fresh, old] = [await arrivedAt(29), await arrivedAt(31)];
      expect((await send(fields(fresh))).status).toBe(200);
      expect(await refused(fields(old))).toEqual([404, expect.stringMatching(new RegExp(`^${field} .* 30 days`))]);
    });

    it.each(naming)('that the network has not accepted: %s', async (_, fields) => {
      await world.simulator.behave({ error: { code: 131009, rate: 1 } });
      const { headers } = await send({ message_type: 'text', message: 'Hi' });
      await world.simulator.behave({ error: null });
      const id = String(headers.get('x-message-id'));
      expect(await refused(fields(id))).toEqual([404, expect.stringContaining('that the network has accepted')]);
    });
  });

  describe('takes each limit, and refuses what is beyond it', () => {
    const of = (length: number) => 'x'.repeat(length);
    const text = { message_type: 'list', message: 'When?' };
    it.each<readonly [string, number, Fields, Fields]>([
      [
        'list.button',
        422,
        { ...text, list: { ...LIST, button: of(20) } },
        { ...text, list: { ...LIST, button: of(21) } },
      ],
      [
        'list section title',
        422,
        { ...text, list: listOf({}, { title: of(24) }) },
        { ...text, list: listOf({}, { title: of(25) }) },
      ],
      ['list row id', 422, { ...text, list: listOf({ id: of(200) }) }, { ...text, list: listOf({ id: of(201) }) }],
      [
        'list row title',
        422,
        { ...text, list: listOf({ title: of(24) }) },
        { ...text, list: listOf({ title: of(25) }) },
      ],
      [
        'list row description',
        422,
        { ...text, list: listOf({ description: of(72) }) },
        { ...text, list: listOf({ description: of(73) }) },
      ],
      [
        'rows of all sections',
        422,
        {
          ...text,
          list: {
            button: 'A',
            sections: [
              { title: 'A', rows: rows(9) },
              { title: 'B', rows: [ROW] },
            ],
          },
        },
        {
          ...text,
          list: {
            button: 'A',
            sections: [
              { title: 'A', rows: rows(10) },
              { title: 'B', rows: [ROW] },
            ],
          },
        },
      ],
      ['list message', 400, { ...text, list: LIST, message: of(4096) }, { ...text, list: LIST, message: of(4097) }],
      [
        'location_request message',
        400,
        { message_type: 'location_request', message: of(1024) },
        { message_type: 'location_request', message: of(1025) },
      ],
      [
        'latitude',
        400,
        { message_type: 'location', location: { latitude: -90, longitude: 0 } },
        { message_type: 'location', location: { latitude: -90.1, longitude: 0 } },
      ],
      [
        'longitude',
        400,
        { message_type: 'location', location: { latitude: 0, longitude: 180 } },
        { message_type: 'location', location: { latitude: 0, longitude: 180.1 } },
      ],
      [
        'contacts',
        400,
        { message_type: 'contacts', contacts: Array(257).fill(CARD) },
        { message_type: 'contacts', contacts: Array(258).fill(CARD) },
      ],
      [
        'reference',
        400,
        { message_type: 'text', message: 'Hi', reference: of(255) },
        { message_type: 'text', message: 'Hi', reference: of(256) },
      ],
    ])('%s (%i)', async (_, status, within, beyond) => {
      await accepted(within);
      expect(await refused(beyond)).toEqual([status, expect.stringMatching(/\(got .*\)|got \d+/)]);
    });

    it.each([
      ['/still.webp', 100 * KB],
      ['/moving.webp', 500 * KB],
    ])('a sticker %s of %i bytes, also of unannounced size', async (path, size) => {
      for (const how of ['', '&silent']) {
        const media_url = (bytes: number) => server.url(`${path}?size=${bytes}${how}`);
        await accepted({ message_type: 'sticker', media_url: media_url(size) });
        expect(await refused({ message_type: 'sticker', media_url: media_url(size + 1) })).toEqual([
          400,
          expect.stringMatching(/^media_url is .*KB\)$/),
        ]);
      }
    });
  });

  it.each<readonly [number, Fields, RegExp]>([
    [400, { message_type: 'list', message: 'When?' }, /^list is required/],
    [400, { message_type: 'list', message: 'When?', list: ['a'] }, /^list must be an object/],
    [400, { message_type: 'list', list: LIST }, /^message is required when message_type is list/],
    [400, { message_type: 'list', message: 'When?', list: {} }, /^list is required$/],
    [
      422,
      { message_type: 'list', message: 'When?', list: { button: '', sections: [{ rows: [{ id: 'a' }] }] } },
      /^list.button is required/,
    ],
    [422, { message_type: 'list', message: 'When?', list: { button: 'A' } }, /^list.sections must have 1 to 10/],
    [
      422,
      { message_type: 'list', message: 'When?', list: { button: 'A', sections: 'x' } },
      /^list.sections must be an array/,
    ],
    [
      422,
      { message_type: 'list', message: 'When?', list: { button: 'A', sections: [5] } },
      /^list.sections\[0\] must be an object/,
    ],
    [
      422,
      { message_type: 'list', message: 'When?', list: { button: 'A', sections: [{ rows: [] }] } },
      /rows must have 1 to 10/,
    ],
    [
      422,
      { message_type: 'list', message: 'When?', list: { button: 'A', sections: [{ rows: [ROW, ROW] }] } },
      /must not repeat the same id/,
    ],
    [
      422,
      {
        message_type: 'list',
        message: 'When?',
        list: { button: 'A', sections: [{ rows: rows(1) }, { title: 'B', rows: [ROW] }] },
      },
      /sections\[0\].title is required/,
    ],
    [
      422,
      { message_type: 'list', message: 'When?', list: LIST, buttons: { type: 'reply' } },
      /^buttons are only allowed/,
    ],
    [400, { message_type: 'location' }, /^location is required/],
    [
      400,
      { message_type: 'location', location: { latitude: '1', longitude: 2 } },
      /^location.latitude must be a number/,
    ],
    [400, { message_type: 'location_request' }, /^message is required/],
    [400, { message_type: 'contacts' }, /^contacts is required/],
    [400, { message_type: 'contacts', contacts: [] }, /^contacts is required/],
    [400, { message_type: 'contacts', contacts: [{ name: {} }] }, /^contacts\[0\].name.formatted_name is required/],
    [400, { message_type: 'sticker' }, /^media_url is required/],
    [400, { message_type: 'reaction' }, /^reaction is required/],
    [
      400,
      { message_type: 'reaction', reaction: { message_id: 'x', emoji: '👍' } },
      /^reaction.message_id must be an id/,
    ],
    [
      400,
      { message_type: 'reaction', reaction: { message_id: newRecordId(), emoji: 'ok' } },
      /^reaction.emoji must be one emoji/,
    ],
    [
      400,
      { message_type: 'reaction', reaction: { message_id: newRecordId(), emoji: '👍👍' } },
      /^reaction.emoji must be one emoji/,
    ],
    [400, { message_type: 'reaction', reaction: { message_id: newRecordId() } }, /^reaction.emoji is required/],
    [
      400,
      { message_type: 'text', message: 'Hi', list: LIST },
      /^list is only allowed with message_type list \(got text\)/,
    ],
    [400, { message_type: 'text', message: 'Hi', location: PLACE }, /^location is only allowed/],
    [400, { message_type: 'text', message: 'Hi', contacts: [CARD] }, /^contacts is only allowed/],
    [400, { message_type: 'text', message: 'Hi', voice: true }, /^voice is only allowed with message_type audio/],
    [400, { message_type: 'text', message: 'Hi', preview_url: 'yes' }, /^preview_url must be true or false/],
    [400, { message_type: 'text', message: 'Hi', reply_to: 'x' }, /^reply_to must be an id/],
    [400, { message_type: 'text', message: 'Hi', agent_user_id: 5 }, /^agent_user_id must be an id/],
    [400, { message_type: 'location', location: PLACE, preview_url: true }, /^preview_url is only allowed/],
  ])('answers %i to %j', async (status, fields, message) => {
    expect(await refused(fields)).toEqual([status, expect.stringMatching(message)]);
  });

  it('answers 400 to a voice message that is no OGG, and to reactions to reactions', async () => {
    expect(await refused({ message_type: 'audio', media_url: server.url('/a.mp3'), voice: true })).toEqual([
      400,
      expect.stringMatching(/^media_url is audio\/mpeg: a voice message must be audio\/ogg/),
    ]);
    const id = await accepted({ message_type: 'reaction', reaction: { message_id: theirs.id, emoji: '👍' } });
    expect(await refused({ message_type: 'reaction', reaction: { message_id: id, emoji: '👍' } })).toEqual([
      400,
      expect.stringMatching(/^reaction.message_id must not name a reaction/),
    ]);
  });
});
