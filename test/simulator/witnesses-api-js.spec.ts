import { WhatsAppAPI } from 'whatsapp-api-js';
import {
  ActionButtons,
  ActionCallPermission,
  ActionCatalog,
  ActionCTA,
  ActionDataExchangeFlow,
  ActionList,
  ActionLocation,
  ActionProduct,
  ActionProductList,
  Audio,
  Body,
  BodyComponent,
  BodyParameter,
  Button,
  CarouselCard,
  CarouselComponent,
  CatalogProduct,
  Contacts,
  CopyComponent,
  Document,
  Header,
  HeaderComponent,
  HeaderParameter,
  Image,
  Interactive,
  ListSection,
  Location,
  LTOComponent,
  Name,
  PayloadComponent,
  Phone,
  Product,
  ProductSection,
  Reaction,
  Row,
  Sticker,
  Template,
  Text,
  URLComponent,
  Video,
} from 'whatsapp-api-js/messages';
import type { PostData } from 'whatsapp-api-js/types';
import { SAMPLES } from '../support/media-samples.js';
import { until } from '../support/until.js';
import { EVERY_KIND } from './inbound-kinds.js';
import { CUSTOMER, PHONE, SECRET, SimulatedNetwork } from './simulated-network.js';

const HOME = 'https://graph.facebook.com/';
const BODY = { type: 'BODY', text: 'Hello' };

describe('whatsapp-api-js on the simulated network', () => {
  let network: SimulatedNetwork;
  let client: WhatsAppAPI;

  beforeAll(async () => {
    network = await SimulatedNetwork.start();
    // It knows one address only; whatever else it may call must not leave this machine.
    const toSimulator = (input: string | URL, init?: RequestInit): Promise<Response> => {
      const url = String(input);
      if (url.startsWith(network.url)) return fetch(url, init);
      if (!url.startsWith(HOME)) throw new Error(`${url} is not an address of the network`);
      return fetch(`${network.url}/${url.slice(HOME.length)}`, init);
    };
    client = new WhatsAppAPI({
      token: 'token',
      appSecret: SECRET,
      webhookVerifyToken: 'ours',
      v: 'v23.0',
      ponyfill: { fetch: toSimulator as typeof fetch },
    });
    const example = { header_handle: [await network.handle('image/png')] };
    const header = { type: 'HEADER', format: 'IMAGE', example };
    const coupon = { type: 'COPY_CODE', example: 'SAVE20' };
    const link = { type: 'URL', text: 'Open', url: 'https://example.com/{{1}}', example: ['https://example.com/x'] };
    const reply = { type: 'QUICK_REPLY', text: 'Yes' };
    const offer = { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Sale', has_expiration: true } };
    const card = { components: [header, { type: 'BUTTONS', buttons: [reply] }] };
    const named = { type: 'BODY', text: '{{1}}', example: { body_text: [['Bo']] } };
    await network.approved('full', [header, named, { type: 'BUTTONS', buttons: [link, reply] }]);
    await network.approved('offer', [BODY, offer, { type: 'BUTTONS', buttons: [coupon] }]);
    await network.approved('round', [BODY, { type: 'CAROUSEL', cards: [card, card] }]);
  });
  afterAll(() => network.stop());
  beforeEach(async () => {
    await network.reset();
    await network.inbound(CUSTOMER);
    network.receiver.callbacks.length = 0;
  });

  const link = (name: string): string => `https://example.com/${name}`;
  const text = new Body('Choose');
  const product = new Product('sku-1');

  it.each([
    ['text', () => new Text('Grüße', true)],
    ['image', () => new Image(link('a.jpg'), false, 'Look')],
    ['audio', () => new Audio(link('a.ogg'), false, true)],
    ['document', () => new Document(link('a.pdf'), false, 'Read', 'a.pdf')],
    ['video', () => new Video(link('a.mp4'), false, 'Watch')],
    ['sticker', () => new Sticker(link('a.webp'))],
    ['location', () => new Location(13.4, 52.5, 'Berlin', 'Berlin, Germany')],
    ['contacts', () => new Contacts([new Name('Ada Lindgrove', 'Ada'), new Phone('+442071234567', 'WORK')])],
    ['buttons', () => new Interactive(new ActionButtons(new Button('a', 'A')), text, new Header('Title'))],
    ['list', () => new Interactive(new ActionList('Show', new ListSection('One', new Row('a', 'A', 'First'))), text)],
    ['website', () => new Interactive(new ActionCTA('Open', link('')), text, new Header('Title'))],
    ['flow', () => new Interactive(new ActionDataExchangeFlow('token', '1', 'Go'), text)],
    ['location request', () => new Interactive(new ActionLocation(), text)],
    ['call permission', () => new Interactive(new ActionCallPermission(), text)],
    ['catalog', () => new Interactive(new ActionCatalog(product), text)],
    ['product', () => new Interactive(new ActionProduct(new CatalogProduct('sku-1', '1')), text)],
    [
      'products',
      () => new Interactive(new ActionProductList('1', new ProductSection('One', product)), text, new Header('Ours')),
    ],
    [
      'template',
      () =>
        new Template(
          'full',
          'en_US',
          new HeaderComponent(new HeaderParameter(new Image(link('a.png')))),
          new BodyComponent(new BodyParameter('Zoë')),
          new URLComponent('x'),
          new PayloadComponent('YES'),
        ),
    ],
    [
      'offer',
      () => new Template('offer', 'en_US', new LTOComponent(Date.now() + 3_600_000), new CopyComponent('SAVE20')),
    ],
    [
      'carousel',
      () => {
        const card = () => new CarouselCard(new Image(link('a.png')), new PayloadComponent('YES'));
        return new Template('round', 'en_US', new CarouselComponent(card(), card()));
      },
    ],
  ])('sends %s', async (_what, message) => {
    const answer = await client.sendMessage(PHONE, CUSTOMER, message(), undefined, 'ours');
    const { data } = await network.ledger();
    expect(answer).toMatchObject({ messages: [{ id: data[0]?.id ?? 'none' }] });
    expect(data[0]?.biz_opaque_callback_data).toBe('ours');
  });

  it('quotes a message, and takes a reaction back', async () => {
    const { id } = await network.inbound(CUSTOMER);
    expect(await client.sendMessage(PHONE, CUSTOMER, new Text('Hi'), id)).toHaveProperty('messages');
    expect(await client.sendMessage(PHONE, CUSTOMER, new Text('Hi'), 'wamid.x')).toMatchObject({
      error: { code: 131009 },
    });
    expect(await client.sendMessage(PHONE, CUSTOMER, new Reaction(id))).toHaveProperty('messages');
  });

  it('reacts, and marks as read while it types', async () => {
    const { id } = await network.inbound(CUSTOMER);
    expect(await client.sendMessage(PHONE, CUSTOMER, new Reaction(id, '👍'))).toHaveProperty('messages');
    expect(await client.markAsRead(PHONE, id, 'text')).toEqual({ success: true });
    expect(await client.markAsRead(PHONE, 'wamid.x')).toMatchObject({ error: { code: 131009 } });
  });

  it('uploads, reads, sends, downloads and deletes media', async () => {
    const form = new FormData();
    form.set('file', new Blob([SAMPLES.PNG], { type: 'image/png' }));
    const { id } = (await client.uploadMedia(PHONE, form)) as { id: string };
    expect(await client.sendMessage(PHONE, CUSTOMER, new Image(id, true))).toHaveProperty('messages');
    expect(await client.retrieveMedia(id, PHONE)).toMatchObject({
      id,
      mime_type: 'image/png',
      file_size: SAMPLES.PNG.length,
    });
    expect(await client.deleteMedia(id, PHONE)).toEqual({ success: true });
    expect(await client.retrieveMedia(id)).toMatchObject({ error: { code: 100, error_subcode: 33 } });
  });

  it('blocks and unblocks whoever wrote within a day', async () => {
    expect(await client.blockUser(PHONE, CUSTOMER)).toMatchObject({
      block_users: { added_users: [{ input: CUSTOMER, wa_id: CUSTOMER }] },
    });
    expect(await client.sendMessage(PHONE, CUSTOMER, new Text('x'))).toMatchObject({ error: { code: 130403 } });
    expect(await client.unblockUser(PHONE, CUSTOMER)).toMatchObject({
      block_users: { removed_users: [{ input: CUSTOMER }] },
    });
    expect(await client.sendMessage(PHONE, CUSTOMER, new Text('x'))).toHaveProperty('messages');
    expect(await client.blockUser(PHONE, '4915112340000')).toMatchObject({
      block_users: { added_users: [], failed_users: [{ input: '4915112340000', errors: [{ code: 139102 }] }] },
    });
  });

  it('reads every message and report, and its signature', async () => {
    for (const { input } of EVERY_KIND) await network.inbound(CUSTOMER, { ...input, name: 'Ada' });
    for (const number of ['49159990001', CUSTOMER]) {
      await network.inbound(number, { name: 'Ada' });
      await network.sendText(number);
    }
    await until('every report has come', () => network.receiver.statuses.length >= 5);
    const seen: string[] = [];
    client.on.message = ({ message, from, name }) => {
      seen.push(message.type);
      expect([typeof from, name]).toEqual(['string', 'Ada']);
    };
    client.on.status = ({ status, phone, error }) => {
      seen.push(status);
      expect(typeof phone).toBe('string');
      expect(error?.code).toBe(status === 'failed' ? 131026 : undefined);
    };
    for (const { raw, headers } of network.receiver.callbacks) {
      const body = raw.toString();
      await client.post(JSON.parse(body) as PostData, body, String(headers['x-hub-signature-256']));
    }
    const types = EVERY_KIND.map(({ type }) => type);
    expect(seen).toEqual(expect.arrayContaining([...types, 'sent', 'delivered', 'read', 'failed']));
  });

  it.each(EVERY_KIND.map((kind) => [kind.input, kind] as const))('hands on the content of %j', async (_, kind) => {
    const { id } = await network.inbound(CUSTOMER, { ...kind.input, name: 'Ada' });
    let handed: { message: unknown; from: string } | undefined;
    client.on.message = (given) => {
      handed = given;
    };
    const callback = network.receiver.callbacks.at(-1);
    const body = callback?.raw.toString() ?? '';
    await client.post(JSON.parse(body) as PostData, body, String(callback?.headers['x-hub-signature-256']));
    expect(handed).toMatchObject({ from: CUSTOMER, message: { id, type: kind.type, [kind.type]: expect.anything() } });
  });

  it('fetches the file that a person sent', async () => {
    await network.inbound(CUSTOMER, { type: 'image', media: { size: 2000 } });
    const image = (network.receiver.messages.at(-1) as unknown as { image: { id: string } }).image;
    const medium = (await client.retrieveMedia(image.id, PHONE)) as unknown as { url: string };
    expect(medium).toMatchObject({ id: image.id, mime_type: 'image/jpeg', file_size: 2000 });
    expect(Buffer.from(await (await client.fetchMedia(medium.url)).arrayBuffer())).toHaveLength(2000);
  });

  it('refuses callbacks that somebody else signed', async () => {
    const [callback] = network.receiver.callbacks;
    await network.inbound(CUSTOMER, { text: 'Grüße, 世界' });
    const { raw, headers } = network.receiver.callbacks[0] ?? { raw: Buffer.of(), headers: {} };
    expect(callback).toBeUndefined();
    const signature = String(headers['x-hub-signature-256']);
    expect(await client.verifyRequestSignature(raw.toString(), signature)).toBe(true);
    expect(await client.verifyRequestSignature(`${raw.toString()} `, signature)).toBe(false);
  });
});
