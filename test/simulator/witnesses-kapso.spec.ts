import { GraphApiError, WhatsAppClient } from '@kapso/whatsapp-cloud-api';
import { normalizeWebhook, verifySignature } from '@kapso/whatsapp-cloud-api/server';
import { SAMPLES } from '../support/media-samples.js';
import { until } from '../support/until.js';
import { EVERY_KIND } from './inbound-kinds.js';
import { CUSTOMER, PHONE, SECRET, SimulatedNetwork, WABA } from './simulated-network.js';

describe('@kapso/whatsapp-cloud-api on the simulated network', () => {
  let network: SimulatedNetwork;
  let client: WhatsAppClient;

  beforeAll(async () => {
    network = await SimulatedNetwork.start();
    client = new WhatsAppClient({ accessToken: 'token', baseUrl: network.url, graphVersion: 'v23.0' });
  });
  afterAll(() => network.stop());
  beforeEach(async () => {
    await network.reset();
    await network.inbound(CUSTOMER);
    network.receiver.callbacks.length = 0;
  });

  const to = { phoneNumberId: PHONE, to: CUSTOMER };
  const link = (name: string) => ({ link: `https://example.com/${name}` });
  const body = { ...to, bodyText: 'Choose' };
  const rows = [{ id: 'a', title: 'A', description: 'First' }];
  const items = [{ title: 'One', productItems: [{ productRetailerId: 'sku-1' }] }];
  const website = { displayText: 'Open', url: 'https://example.com' };
  const card = (cardIndex: number) => ({
    cardIndex,
    header: { type: 'image' as const, image: link('a.jpg') },
    bodyText: 'Card',
    action: website,
  });
  const title = { type: 'text' as const, text: 'Ours' };
  const askForNumber = { type: 'request_contact_info', body: { text: '?' }, action: { name: 'request_contact_info' } };

  it.each<[string, (messages: WhatsAppClient['messages']) => Promise<unknown>]>([
    ['text', (messages) => messages.sendText({ ...to, body: 'Grüße' })],
    ['image', (messages) => messages.sendImage({ ...to, image: { ...link('a.jpg'), caption: 'Look' } })],
    ['audio', (messages) => messages.sendAudio({ ...to, audio: link('a.mp3') })],
    ['document', (messages) => messages.sendDocument({ ...to, document: { ...link('a.pdf'), filename: 'a.pdf' } })],
    ['video', (messages) => messages.sendVideo({ ...to, video: link('a.mp4') })],
    ['sticker', (messages) => messages.sendSticker({ ...to, sticker: link('a.webp') })],
    ['location', (messages) => messages.sendLocation({ ...to, location: { latitude: 52.5, longitude: 13.4 } })],
    ['contacts', (messages) => messages.sendContacts({ ...to, contacts: [{ name: { formattedName: 'Ada' } }] })],
    ['buttons', (messages) => messages.sendInteractiveButtons({ ...body, buttons: [{ id: 'a', title: 'A' }] })],
    [
      'list',
      (messages) => messages.sendInteractiveList({ ...body, buttonText: 'Show', sections: [{ title: 'One', rows }] }),
    ],
    ['product', (messages) => messages.sendInteractiveProduct({ ...to, catalogId: '1', productRetailerId: 'sku-1' })],
    [
      'products',
      (messages) => messages.sendInteractiveProductList({ ...body, header: title, catalogId: '1', sections: items }),
    ],
    ['flow', (messages) => messages.sendInteractiveFlow({ ...body, parameters: { flowId: '1', flowCta: 'Go' } })],
    ['address', (messages) => messages.sendInteractiveAddress({ ...body, parameters: { country: 'IN' } })],
    ['website', (messages) => messages.sendInteractiveCtaUrl({ ...body, parameters: website })],
    ['carousel', (messages) => messages.sendInteractiveCarousel({ ...body, cards: [card(0), card(1)] })],
    ['catalog', (messages) => messages.sendInteractiveCatalogMessage({ ...body, parameters: {} })],
    [
      'location request',
      (messages) => messages.sendInteractiveLocationRequest({ ...body, parameters: { requestMessage: '?' } }),
    ],
    [
      'call permission',
      (messages) => messages.sendInteractiveCallPermission({ ...body, parameters: { phoneNumber: CUSTOMER } }),
    ],
    ['contact request', (messages) => messages.sendInteractiveRaw({ ...to, interactive: askForNumber })],
  ])('sends %s', async (_what, send) => {
    const answer = await send(client.messages);
    expect(answer).toMatchObject({ messages: [{ id: (await network.ledger()).data[0]?.id ?? 'none' }] });
  });

  it('reacts and marks as read', async () => {
    const { id } = await network.inbound(CUSTOMER);
    await client.messages.sendReaction({ ...to, reaction: { messageId: id, emoji: '👍' } });
    await client.messages.markRead({ phoneNumberId: PHONE, messageId: id });
  });

  it('registers and deregisters the phone', async () => {
    await client.phoneNumbers.deregister({ phoneNumberId: PHONE });
    await expect(client.messages.sendText({ ...to, body: 'x' })).rejects.toMatchObject({ code: 133010 });
    await client.phoneNumbers.register({ phoneNumberId: PHONE, pin: '123456' });
    await client.messages.sendText({ ...to, body: 'x' });
  });

  it('reads every callback, and its signature', async () => {
    const { callbacks } = network.receiver;
    const types = EVERY_KIND.map(({ type }) => type);
    for (const { input } of EVERY_KIND) await network.inbound(CUSTOMER, { ...input });
    for (const number of ['49159990001', '49159990010', CUSTOMER]) {
      await network.inbound(number);
      await network.sendText(number);
    }
    await network.call('POST', '/_sim/restrictions', { type: 'RESTRICTED_BIZ_INITIATED_MESSAGING' });
    await until('every report has come', () => network.receiver.statuses.length >= 11);
    const read = callbacks.map(({ raw, headers }) => {
      const signatureHeader = String(headers['x-hub-signature-256']);
      expect(verifySignature({ appSecret: SECRET, rawBody: raw, signatureHeader })).toBe(true);
      return normalizeWebhook(JSON.parse(raw.toString()));
    });
    for (const { object, messages, statuses, raw } of read) {
      expect(object).toBe('whatsapp_business_account');
      expect(messages.length + statuses.length > 0 || 'accountUpdate' in raw).toBe(true);
    }
    expect(read.flatMap(({ messages }) => messages.map(({ type }) => type))).toEqual(expect.arrayContaining(types));
    const failure = read.flatMap(({ statuses }) => statuses).find(({ status }) => status === 'failed');
    expect(failure).toMatchObject({ errors: [{ code: 131026, href: expect.any(String) }] });
  });

  it.each(EVERY_KIND.map((kind) => [kind.input, kind] as const))('reads the content of %j', async (_, kind) => {
    const { id } = await network.inbound(CUSTOMER, kind.input);
    const { messages } = normalizeWebhook(JSON.parse(network.receiver.callbacks.at(-1)?.raw.toString() ?? ''));
    const kapso = { direction: 'inbound' };
    expect(messages).toMatchObject([{ id, from: CUSTOMER, type: kind.type, [kind.type]: expect.anything(), kapso }]);
  });

  it('reads what is in a form', async () => {
    await network.inbound(CUSTOMER, { type: 'nfm_reply', response_json: { flow_token: 't', first_name: 'Ada' } });
    const { messages } = normalizeWebhook(JSON.parse(network.receiver.callbacks.at(-1)?.raw.toString() ?? ''));
    expect(messages).toMatchObject([
      { kapso: { flowName: 'flow', flowToken: 't', flowResponse: { firstName: 'Ada' } } },
    ]);
  });

  it('reads echoes from the phone app, hidden numbers, groups and where a message comes from', async () => {
    await network.call('POST', '/_sim/echoes', { phone_number_id: PHONE, to: CUSTOMER, type: 'text', text: 'Ours' });
    const product = { catalog_id: '7', product_retailer_id: 'sku-9' };
    await network.inbound(CUSTOMER, { hide_number: true, referral: true, group_id: 'g', referred_product: product });
    const [echo, hidden] = network.receiver.callbacks.map(
      ({ raw }) => normalizeWebhook(JSON.parse(raw.toString())).messages[0],
    );
    expect(echo).toMatchObject({ to: CUSTOMER, toUserId: expect.any(String), kapso: { direction: 'outbound' } });
    expect(echo?.kapso).toMatchObject({ source: 'smb_message_echo' });
    expect(hidden).toMatchObject({
      fromUserId: expect.any(String),
      kapso: { direction: 'inbound' },
      context: { referredProduct: { catalogId: '7' } },
      referral: { ctwaClid: expect.any(String) },
    });
    expect(hidden).not.toHaveProperty('from');
  });

  it('fetches the file that a person sent', async () => {
    await network.inbound(CUSTOMER, { type: 'image', media: { size: 2000 } });
    const image = (network.receiver.messages.at(-1) as unknown as { image: { id: string } }).image;
    const bytes = await client.media.download({ mediaId: image.id, phoneNumberId: PHONE, auth: 'always' });
    expect(Buffer.from(bytes as ArrayBuffer)).toHaveLength(2000);
  });

  it('uploads media and sends it by id', async () => {
    const { id } = await client.media.upload({ phoneNumberId: PHONE, type: 'image/png', file: SAMPLES.PNG });
    await client.messages.sendImage({ ...to, image: { id } });
    expect(await client.media.get({ mediaId: id })).toMatchObject({
      id,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('creates, lists and sends a template', async () => {
    const created = await client.templates.create({
      businessAccountId: WABA,
      name: 'greeting',
      language: 'en_US',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'Hello {{1}}', example: { body_text: [['Bo']] } }],
    });
    expect(created).toMatchObject({ status: 'PENDING', category: 'UTILITY' });
    await until('it is approved', async () => {
      const { data } = await client.templates.list({ businessAccountId: WABA, limit: 1 });
      return data[0]?.status === 'APPROVED';
    });
    const { messages } = await client.messages.sendTemplate({
      ...to,
      template: {
        name: 'greeting',
        language: { code: 'en_US' },
        components: [{ type: 'body', parameters: [{ type: 'text', text: 'Zoë' }] }],
      },
    });
    expect((await network.ledger()).data.at(-1)).toMatchObject({ id: messages[0]?.id, template_name: 'greeting' });
    await client.templates.delete({ businessAccountId: WABA, name: 'greeting' });
  });

  it('recognises the error classes', async () => {
    const refusal = async (sending: Promise<unknown>): Promise<GraphApiError> => {
      const error = await sending.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(GraphApiError);
      return error as GraphApiError;
    };
    const unknown = { name: 'nobody', language: { code: 'en_US' } };
    const template = await refusal(client.messages.sendTemplate({ ...to, template: unknown }));
    expect(template).toMatchObject({ code: 132001, category: 'template', fbtraceId: expect.any(String) });
    const window = await refusal(client.messages.sendText({ ...to, to: '4915100000009', body: 'x' }));
    expect(window).toMatchObject({ code: 131047, category: 'reengagementWindow' });
    const expired = new WhatsAppClient({ accessToken: 'expired', baseUrl: network.url });
    const token = await refusal(expired.messages.sendText({ ...to, body: 'x' }));
    expect(token.isAuthError()).toBe(true);
    await network.behave({ error: { code: 130429, rate: 1 } });
    expect((await refusal(client.messages.sendText({ ...to, body: 'x' }))).isRateLimit()).toBe(true);
    await network.behave({ error: null });
  });

  it('verifies the signature over bytes with escaped non-ASCII characters', async () => {
    await network.reset();
    await network.inbound(CUSTOMER, { text: 'Grüße, 世界 😀' });
    const [callback] = network.receiver.callbacks;
    const signatureHeader = String(callback?.headers['x-hub-signature-256']);
    const rawBody = callback?.raw ?? Buffer.of();
    expect(verifySignature({ appSecret: SECRET, rawBody, signatureHeader })).toBe(true);
    expect(verifySignature({ appSecret: 'another', rawBody, signatureHeader })).toBe(false);
    expect(rawBody.every((byte) => byte < 128)).toBe(true);
    const again = Buffer.from(JSON.stringify(JSON.parse(rawBody.toString())));
    expect(verifySignature({ appSecret: SECRET, rawBody: again, signatureHeader })).toBe(false);
    expect(network.receiver.messages[0]?.text?.body).toBe('Grüße, 世界 😀');
  });
});
