import { GraphApiError, WhatsAppClient } from '@kapso/whatsapp-cloud-api';
import { verifySignature } from '@kapso/whatsapp-cloud-api/server';
import { CUSTOMER, PHONE, SECRET, SimulatedNetwork, until, WABA } from './simulated-network.js';

describe('an independent client on the simulated network', () => {
  let network: SimulatedNetwork;
  let client: WhatsAppClient;

  beforeAll(async () => {
    network = await SimulatedNetwork.start();
    client = new WhatsAppClient({ accessToken: 'token', baseUrl: network.url, graphVersion: 'v23.0' });
    await network.inbound(CUSTOMER);
  });
  afterAll(() => network.stop());

  const to = { phoneNumberId: PHONE, to: CUSTOMER };

  it('sends text, media, buttons and a website button', async () => {
    const action = { displayText: 'Open', url: 'https://example.com' };
    const sent = [
      await client.messages.sendText({ ...to, body: 'Grüße' }),
      await client.messages.sendImage({ ...to, image: { link: 'https://example.com/a.jpg', caption: 'Look' } }),
      await client.messages.sendDocument({ ...to, document: { link: 'https://example.com/a.pdf', filename: 'a.pdf' } }),
      await client.messages.sendInteractiveButtons({ ...to, bodyText: '?', buttons: [{ id: 'a', title: 'A' }] }),
      await client.messages.sendInteractiveCtaUrl({ ...to, bodyText: '!', parameters: action }),
    ];
    const { data } = await network.ledger();
    expect(sent.map(({ messages }) => messages[0]?.id)).toEqual(data.map(({ id }) => id));
    expect(data.map(({ type }) => type)).toEqual(['text', 'image', 'document', 'interactive', 'interactive']);
  });

  it('uploads media and sends it by id', async () => {
    const { id } = await client.media.upload({ phoneNumberId: PHONE, type: 'image/png', file: Buffer.from('pixels') });
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
    await until(async () => {
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
