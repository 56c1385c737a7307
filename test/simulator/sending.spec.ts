import { SAMPLES } from '../support/media-samples.js';
import { until } from '../support/until.js';
import { CUSTOMER, type GraphErrorBody, PHONE, SimulatedNetwork, WABA } from './simulated-network.js';

const PATH = `/v23.0/${PHONE}/messages`;
const LONG = (length: number): string => 'x'.repeat(length);

describe('sending messages to the simulated network', () => {
  let network: SimulatedNetwork;

  beforeAll(async () => {
    network = await SimulatedNetwork.start();
  });
  afterAll(() => network.stop());
  beforeEach(async () => {
    await network.reset();
    await network.inbound(CUSTOMER);
  });

  it('refuses a message to the business phone itself (131021)', async () => {
    for (const to of ['4930901820', '+49 30 901820']) {
      const { body } = await network.post({ to, type: 'text', text: { body: 'hi' } });
      expect(body.error.code).toBe(131021);
    }
  });

  it('accepts a text inside the window and answers with its id', async () => {
    const { status, body } = await network.post({ type: 'text', text: { body: 'hi', preview_url: true } });
    expect(status).toBe(200);
    expect(body).toEqual({
      messaging_product: 'whatsapp',
      contacts: [{ input: CUSTOMER, wa_id: CUSTOMER }],
      messages: [{ id: expect.stringMatching(/^wamid\./) }],
    });
  });

  it('accepts every version prefix', async () => {
    const message = { messaging_product: 'whatsapp', to: CUSTOMER, text: { body: 'hi' } };
    for (const prefix of ['/v19.0', '/v24.0', '']) {
      expect((await network.call('POST', `${prefix}/${PHONE}/messages`, message)).status).toBe(200);
    }
  });

  const interactive = (more: object): object => ({
    type: 'interactive',
    interactive: { type: 'button', body: { text: 'Choose' }, ...more },
  });
  const replies = (...buttons: object[]): object =>
    interactive({ action: { buttons: buttons.map((reply) => ({ type: 'reply', reply })) } });
  const website = (parameters: object): object =>
    interactive({ type: 'cta_url', action: { name: 'cta_url', parameters } });

  it.each([
    ['a text of 4096 characters', { type: 'text', text: { body: LONG(4096) } }],
    ['4096 characters outside the BMP', { type: 'text', text: { body: '😀'.repeat(4096) } }],
    ['an image by link', { type: 'image', image: { link: 'https://example.com/a.jpg', caption: LONG(1024) } }],
    ['a document with a name', { type: 'document', document: { link: 'http://example.com/a.pdf', filename: 'a.pdf' } }],
    ['audio', { type: 'audio', audio: { link: 'http://example.com/a.mp3' } }],
    ['three reply buttons', replies({ id: 'a', title: 'A' }, { id: 'b', title: 'B' }, { id: 'c', title: LONG(20) })],
    ['a website button', website({ display_text: 'Open', url: 'https://example.com' })],
    ['a location', { type: 'location', location: { latitude: 52.5, longitude: 13.4 } }],
  ])('accepts %s', async (_what, message) => {
    expect((await network.post(message)).body.error).toBeUndefined();
  });

  it.each([
    ['an absent messaging_product', 100, { messaging_product: undefined }],
    ['another messaging_product', 100, { messaging_product: 'sms' }],
    ['an absent recipient', 100, { to: undefined }],
    ['a recipient that is not a number', 131009, { to: '+49 15' }],
    ['a number with other characters', 131009, { to: '+49.151.12345678' }],
    ['a user id as number', 131009, { to: 'US.13491208655302741918' }],
    ['an unknown type', 100, { type: 'hologram' }],
    ['a text without body', 100, { type: 'text', text: {} }],
    ['a text of 4097 characters', 100, { type: 'text', text: { body: LONG(4097) } }],
    ['callback data of 513 characters', 100, { text: { body: 'x' }, biz_opaque_callback_data: LONG(513) }],
    ['an image without link or id', 131008, { type: 'image', image: {} }],
    ['a non-http link', 100, { type: 'image', image: { link: 'ftp://example.com/a' } }],
    ['an unknown media id', 100, { type: 'image', image: { id: '1' } }],
    ['a caption of 1025 characters', 100, { type: 'image', image: { link: 'http://a.com/a', caption: LONG(1025) } }],
    ['a caption on audio', 100, { type: 'audio', audio: { link: 'http://a.com/a', caption: 'x' } }],
    ['a filename on an image', 100, { type: 'image', image: { link: 'http://a.com/a', filename: 'x' } }],
    ['no buttons', 131009, interactive({ action: { buttons: [] } })],
    ['four buttons', 131009, replies(...['a', 'b', 'c', 'd'].map((id) => ({ id, title: id })))],
    ['a title of 21 characters', 131009, replies({ id: 'a', title: LONG(21) })],
    ['an id of 257 characters', 131009, replies({ id: LONG(257), title: 'A' })],
    ['two buttons with the same title', 131009, replies({ id: 'a', title: 'A' }, { id: 'b', title: 'A' })],
    ['a button without title', 131008, replies({ id: 'a' })],
    ['a body of 1025 characters', 131009, { ...interactive({ body: { text: LONG(1025) }, action: {} }) }],
    ['a non-http website', 131009, website({ display_text: 'Open', url: 'mailto:a@example.com' })],
    ['a website with a blank', 131009, website({ display_text: 'Open', url: 'https://example.com/a b' })],
    ['a label of 21 characters', 131009, website({ display_text: LONG(21), url: 'https://example.com' })],
  ])('refuses %s with %i', async (_what, code, message) => {
    const { status, body } = await network.post(message);
    expect({ status, code: body.error?.code }).toEqual({ status: 400, code });
    expect((await network.ledger()).total).toBe(0);
  });

  it('formats a refusal as Graph does', async () => {
    const { body } = await network.post<GraphErrorBody>({ type: 'image', image: {} });
    expect(body).toEqual({
      error: {
        message: '(#131008) Required parameter is missing',
        type: 'OAuthException',
        code: 131008,
        error_data: { messaging_product: 'whatsapp', details: 'image needs an id or a link' },
        fbtrace_id: expect.any(String),
      },
    });
  });

  it('refuses free-form messages outside the window with 131047, also after 24 hours', async () => {
    const stranger = '4915100000001';
    expect((await network.post({ to: stranger, text: { body: 'hi' } })).body.error.code).toBe(131047);
    await network.inbound(stranger, { timestamp: Math.floor(Date.now() / 1000) - 24 * 3600 });
    expect((await network.post({ to: stranger, text: { body: 'hi' } })).body.error.code).toBe(131047);
    await network.inbound(stranger, { timestamp: Math.floor(Date.now() / 1000) - 23 * 3600 });
    expect((await network.post({ to: stranger, text: { body: 'hi' } })).status).toBe(200);
  });

  it('opens the window for an inbound message sent through /_sim/callback', async () => {
    const to = '4915100000002';
    const messages = [{ from: to, id: 'wamid.a', timestamp: `${Math.floor(Date.now() / 1000)}`, type: 'text' }];
    const value = { messaging_product: 'whatsapp', metadata: { phone_number_id: PHONE }, messages };
    expect((await network.call('POST', '/_sim/callback', { field: 'messages', value })).body).toEqual({
      callback_status: 200,
    });
    await network.sendText(to);
  });

  it('refuses unknown phones and accounts with 100, subcode 33', async () => {
    for (const [method, path] of [
      ['POST', '/v23.0/999/messages'],
      ['GET', '/v23.0/999/message_templates'],
      ['POST', '/v23.0/999/message_templates'],
      ['GET', '/v23.0/999'],
    ] as const) {
      const { status, body } = await network.call<GraphErrorBody>(method, path, method === 'POST' ? {} : undefined);
      expect({ status, ...body.error }).toMatchObject({ status: 400, code: 100, error_subcode: 33 });
    }
  });

  it('refuses absent and expired tokens with 190', async () => {
    for (const authorization of ['', 'Bearer expired', 'Basic x']) {
      const { status, body } = await network.call<GraphErrorBody>('POST', PATH, {}, { authorization });
      expect({ status, code: body.error.code }).toEqual({ status: 401, code: 190 });
    }
  });

  it('refuses a body that is not a JSON object with 100', async () => {
    for (const body of ['{', '[]', '']) {
      expect((await network.call<GraphErrorBody>('POST', PATH, body)).body.error.code).toBe(100);
    }
  });

  it('accepts media uploads, describes them, sends them by id and deletes them', async () => {
    const form = new FormData();
    form.set('messaging_product', 'whatsapp');
    form.set('type', 'image/png');
    form.set('file', new Blob([SAMPLES.PNG], { type: 'image/png' }), 'a.png');
    const headers = { authorization: 'Bearer token' };
    const upload = await fetch(`${network.url}/v23.0/${PHONE}/media`, { method: 'POST', headers, body: form });
    const { id } = (await upload.json()) as { id: string };
    await network.send({ type: 'image', image: { id } });
    const { body } = await network.call<{ url: string; file_size: number }>('GET', `/v23.0/${id}`);
    expect(body).toMatchObject({ mime_type: 'image/png', file_size: SAMPLES.PNG.length, id });
    expect(Buffer.from(await (await fetch(body.url, { headers })).arrayBuffer()).equals(SAMPLES.PNG)).toBe(true);
    await network.call('DELETE', `/v23.0/${id}`);
    expect((await network.post({ type: 'image', image: { id } })).body.error.code).toBe(100);
  });

  it('marks messages as read', async () => {
    const { id } = await network.inbound(CUSTOMER);
    expect((await network.post({ status: 'read', message_id: id })).body).toEqual({ success: true });
    await network.restart();
    expect((await network.post({ status: 'read', message_id: id })).body).toEqual({ success: true });
    expect((await network.post({ status: 'read', message_id: 'wamid.x' })).body.error.code).toBe(131009);
  });

  it('shows that it types, and refuses another indicator', async () => {
    const { id } = await network.inbound(CUSTOMER);
    const read = { status: 'read', message_id: id };
    expect((await network.post({ ...read, typing_indicator: { type: 'text' } })).body).toEqual({ success: true });
    expect((await network.post({ ...read, typing_indicator: { type: 'voice' } })).body.error.code).toBe(100);
    expect((await network.post({ ...read, typing_indicator: true })).body.error.code).toBe(100);
  });

  it('reports that a voice note was played, and of other audio that it was read', async () => {
    await network.inbound(CUSTOMER);
    const audio = { link: 'https://example.com/a.ogg' };
    const note = await network.send({ type: 'audio', audio: { ...audio, voice: true } });
    const song = await network.send({ type: 'audio', audio });
    const reports = () => [...network.receiver.statusesOf(note), ...network.receiver.statusesOf(song)];
    await until('every report has come', () => reports().length >= 7);
    expect(network.receiver.statusesOf(note)).toEqual(['sent', 'delivered', 'read', 'played']);
    expect(network.receiver.statusesOf(song)).toEqual(['sent', 'delivered', 'read']);
    for (const message of [
      { type: 'audio', audio: { ...audio, voice: 'yes' } },
      { type: 'image', image: { ...audio, voice: true } },
    ])
      expect((await network.post(message)).body.error.code).toBe(100);
  });

  it('reports only sent of a reaction, whoever wrote the message', async () => {
    const old = Math.floor(Date.now() / 1000) - 31 * 86_400;
    const [theirs, ours] = [(await network.inbound(CUSTOMER)).id, await network.sendText(CUSTOMER)];
    for (const message_id of [theirs, ours]) {
      const id = await network.send({ type: 'reaction', reaction: { message_id, emoji: '👍' } });
      const later = await network.sendText(CUSTOMER);
      await until('the later one is reported', () => network.receiver.statusesOf(later).length >= 3);
      expect(network.receiver.statusesOf(id)).toEqual(['sent']);
    }
    for (const message_id of ['wamid.x', (await network.inbound(CUSTOMER, { timestamp: old })).id]) {
      const { body } = await network.post({ type: 'reaction', reaction: { message_id, emoji: '👍' } });
      expect(body.error.code).toBe(131009);
    }
  });

  it('takes one emoji as a reaction, or none', async () => {
    const message_id = await network.sendText(CUSTOMER);
    for (const emoji of ['👍🏽', '❤', '❤️', '🇩🇪', '👨‍👩‍👧‍👦', '']) {
      await network.send({ type: 'reaction', reaction: { message_id, emoji } });
    }
    for (const emoji of ['ok', '👍👍', ' ', '1']) {
      const { body } = await network.post({ type: 'reaction', reaction: { message_id, emoji } });
      expect(body.error.code).toBe(131009);
    }
  });

  it('quotes messages of either side, and refuses to quote one that it does not know (131009)', async () => {
    const quoting = (message_id: string) => ({ type: 'text', text: { body: 'hi' }, context: { message_id } });
    const [theirs, ours] = [(await network.inbound(CUSTOMER)).id, await network.sendText(CUSTOMER)];
    for (const message_id of [theirs, ours]) await network.send(quoting(message_id));
    expect((await network.post(quoting('wamid.x'))).body.error.code).toBe(131009);
  });

  it('lists the phones of an account and describes one', async () => {
    const { body } = await network.call<{ data: object[] }>('GET', `/v23.0/${WABA}/phone_numbers`);
    expect(body.data).toMatchObject([{ id: PHONE, display_phone_number: '+49 30 901820' }]);
    expect((await network.call('GET', `/v23.0/${PHONE}`)).body).toMatchObject({ id: PHONE, quality_rating: 'GREEN' });
  });

  it('shows the fields of phones and accounts that were asked for, and refuses unknown ones (100)', async () => {
    const read = async (path: string) => (await network.call<GraphErrorBody>('GET', `/v23.0/${path}`)).body;
    expect(await read(`${PHONE}?fields=status,is_on_biz_app,throughput{level}`)).toEqual({
      id: PHONE,
      status: 'CONNECTED',
      is_on_biz_app: false,
      throughput: { level: 'STANDARD' },
    });
    const { data } = (await read(`${WABA}/phone_numbers?fields=name_status`)) as unknown as { data: object[] };
    expect(data).toEqual([{ id: PHONE, name_status: 'APPROVED' }]);
    const health_status = { can_send_message: 'AVAILABLE', entities: expect.any(Array) };
    expect(await read(`${WABA}?fields=health_status`)).toEqual({ id: WABA, health_status });
    for (const id of [PHONE, WABA]) {
      expect((await read(`${id}?fields=messaging_limit_tier`)).error.code).toBe(100);
    }
  });

  it('takes forms, tokens in the query, messaging_product in the query, and contacts as JSON text', async () => {
    const form = new URLSearchParams({
      to: CUSTOMER,
      type: 'text',
      text: '{"body":"hi"}',
      messaging_product: 'whatsapp',
    });
    const address = `${network.url}/v23.0/${PHONE}/messages`;
    const byForm = await fetch(`${address}?access_token=token`, { method: 'POST', body: form });
    expect(byForm.status).toBe(200);
    expect((await fetch(address, { method: 'POST', body: form })).status).toBe(401);
    const contacts = JSON.stringify([{ name: { formatted_name: 'Ada' } }]);
    const message = { to: CUSTOMER, type: 'contacts', contacts };
    const path = `/v23.0/${PHONE}/messages?messaging_product=whatsapp`;
    expect((await network.call('POST', path, message)).status).toBe(200);
  });
});
