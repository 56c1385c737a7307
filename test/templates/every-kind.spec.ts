import { LoopbackServer } from '../support/loopback-server.js';
import { SAMPLES, typeHeader } from '../support/media-samples.js';
import type { RecordedRequest } from '../support/simulator-control.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';

interface Kind {
  readonly create: Record<string, unknown>;
  readonly carousel?: boolean;
  /** The request to create it upstream, besides name, language and the category UTILITY. */
  readonly request: Record<string, unknown>;
  /** Fields of the send. */
  readonly send: Record<string, unknown>;
  /** The components that the network receives. */
  readonly components: unknown[];
}

const DAY = 86_400_000;
const files: Record<string, Buffer> = { '/a.png': SAMPLES.PNG, '/a.mp4': SAMPLES.MP4, '/a.pdf': SAMPLES.PDF };
const body = { text: 'Hello' };
const text = (value: string) => ({ type: 'text', text: value });
const button = (sub_type: string, index: string, parameter: unknown) => ({
  type: 'button',
  sub_type,
  index,
  parameters: [parameter],
});

/** The JSON body of a Graph call. */
const bodyOf = (request: RecordedRequest | undefined): unknown =>
  typeof request?.body === 'string' ? JSON.parse(request.body) : request?.body;

describe('one template of each kind', () => {
  let world: World;
  let server: LoopbackServer;
  let account: TestAccount;

  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ review_delay_ms: 0 });
    server = await LoopbackServer.start(({ url = '' }, response) =>
      response.writeHead(200, typeHeader(url)).end(files[url]),
    );
    account = await world.account();
  });
  afterAll(async () => {
    await world.stop();
    await server.stop();
  });

  const kinds: Record<string, () => Kind> = {
    text: () => ({
      create: {
        header: { format: 'TEXT', text: 'Order {{1}}' },
        body: { text: 'Hi {{1}}, {{2}}', examples: { '1': 'Ada' } },
        footer: { text: 'Bye' },
        message_send_ttl_seconds: 60,
        buttons: [
          { type: 'QUICK_REPLY', text: 'Yes' },
          { type: 'QUICK_REPLY', text: 'No' },
          { type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}', url_example: 'A-17' },
          { type: 'PHONE_NUMBER', text: 'Call', phone_number: '15550001' },
        ],
      },
      request: {
        parameter_format: 'POSITIONAL',
        message_send_ttl_seconds: 60,
        components: [
          { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['1'] } },
          { type: 'BODY', text: 'Hi {{1}}, {{2}}', example: { body_text: [['Ada', '2']] } },
          { type: 'FOOTER', text: 'Bye' },
          {
            type: 'BUTTONS',
            buttons: [
              { type: 'QUICK_REPLY', text: 'Yes' },
              { type: 'QUICK_REPLY', text: 'No' },
              { type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}', example: ['A-17'] },
              { type: 'PHONE_NUMBER', text: 'Call', phone_number: '15550001' },
            ],
          },
        ],
      },
      send: {
        header_data: { '1': 'A-17' },
        body_data: { '1': 'Ada', '2': 'bye', '3': 'surplus' },
        button_params: [{ index: 2, url_param: 'A-17' }],
      },
      components: [
        { type: 'header', parameters: [text('A-17')] },
        { type: 'body', parameters: [text('Ada'), text('bye')] },
        button('quick_reply', '0', { type: 'payload', payload: 'Yes' }),
        button('quick_reply', '1', { type: 'payload', payload: 'No' }),
        button('url', '2', text('A-17')),
      ],
    }),
    named: () => ({
      create: { header: { format: 'TEXT', text: 'For {{Name}}' }, body: { text: 'Hi {{Name}}, {{order_id}}' } },
      request: {
        parameter_format: 'NAMED',
        components: [
          {
            type: 'HEADER',
            format: 'TEXT',
            text: 'For {{name}}',
            example: { header_text_named_params: [{ param_name: 'name', example: 'name' }] },
          },
          {
            type: 'BODY',
            text: 'Hi {{name}}, {{order_id}}',
            example: {
              body_text_named_params: [
                { param_name: 'name', example: 'name' },
                { param_name: 'order_id', example: 'order_id' },
              ],
            },
          },
        ],
      },
      send: { header_data: { name: 'Ada' }, body_data: { NAME: 'Ada', order_id: 'A-17' } },
      components: [
        { type: 'header', parameters: [{ type: 'text', parameter_name: 'name', text: 'Ada' }] },
        {
          type: 'body',
          parameters: [
            { type: 'text', parameter_name: 'name', text: 'Ada' },
            { type: 'text', parameter_name: 'order_id', text: 'A-17' },
          ],
        },
      ],
    }),
    image: () => ({
      create: { header: { format: 'IMAGE' }, media_url: server.url('/a.png'), body },
      request: {
        parameter_format: 'POSITIONAL',
        components: [
          { type: 'HEADER', format: 'IMAGE', example: { header_handle: [expect.stringMatching(/^4::/)] } },
          { type: 'BODY', text: 'Hello' },
        ],
      },
      send: { media_url: server.url('/a.png') },
      components: [{ type: 'header', parameters: [{ type: 'image', image: { link: server.url('/a.png') } }] }],
    }),
    video: () => ({
      create: { header: { format: 'VIDEO' }, media_url: server.url('/a.mp4'), body },
      request: {
        parameter_format: 'POSITIONAL',
        components: [
          { type: 'HEADER', format: 'VIDEO', example: { header_handle: [expect.stringMatching(/^4::/)] } },
          { type: 'BODY', text: 'Hello' },
        ],
      },
      send: { media_url: server.url('/a.mp4') },
      components: [{ type: 'header', parameters: [{ type: 'video', video: { link: server.url('/a.mp4') } }] }],
    }),
    document: () => ({
      create: { header: { format: 'DOCUMENT' }, media_url: server.url('/a.pdf'), body },
      request: {
        parameter_format: 'POSITIONAL',
        components: [
          { type: 'HEADER', format: 'DOCUMENT', example: { header_handle: [expect.stringMatching(/^4::/)] } },
          { type: 'BODY', text: 'Hello' },
        ],
      },
      send: { media_url: server.url('/a.pdf'), filename: 'bill.pdf' },
      components: [
        {
          type: 'header',
          parameters: [{ type: 'document', document: { link: server.url('/a.pdf'), filename: 'bill.pdf' } }],
        },
      ],
    }),
    location: () => ({
      create: { header: { format: 'LOCATION' }, body },
      request: {
        parameter_format: 'POSITIONAL',
        components: [
          { type: 'HEADER', format: 'LOCATION' },
          { type: 'BODY', text: 'Hello' },
        ],
      },
      send: { location: { latitude: 52.5, longitude: 13.4, name: 'Shop' } },
      components: [
        {
          type: 'header',
          parameters: [{ type: 'location', location: { latitude: 52.5, longitude: 13.4, name: 'Shop' } }],
        },
      ],
    }),
    offer: () => {
      const expiration_time_ms = Date.now() + DAY;
      return {
        create: {
          category: 'MARKETING',
          body,
          limited_time_offer: { text: 'Ends soon' },
          offer_code: 'SAVE10',
          buttons: [{ type: 'COPY_CODE' }, { type: 'URL', text: 'Buy', url: 'https://shop.example/' }],
        },
        request: {
          category: 'MARKETING',
          parameter_format: 'POSITIONAL',
          components: [
            { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Ends soon', has_expiration: true } },
            { type: 'BODY', text: 'Hello' },
            {
              type: 'BUTTONS',
              buttons: [
                { type: 'COPY_CODE', example: 'SAVE10' },
                { type: 'URL', text: 'Buy', url: 'https://shop.example/' },
              ],
            },
          ],
        },
        send: { expiration_time_ms },
        components: [
          {
            type: 'limited_time_offer',
            parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms } }],
          },
          button('copy_code', '0', { type: 'coupon_code', coupon_code: 'SAVE10' }),
        ],
      };
    },
    authentication: () => ({
      create: { category: 'AUTHENTICATION', add_security_recommendation: true, code_expiration_minutes: 5 },
      request: {
        category: 'AUTHENTICATION',
        parameter_format: 'POSITIONAL',
        components: [
          { type: 'BODY', add_security_recommendation: true },
          { type: 'FOOTER', code_expiration_minutes: 5 },
          { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
        ],
      },
      send: { body_data: { '1': '123456' } },
      components: [{ type: 'body', parameters: [text('123456')] }, button('url', '0', text('123456'))],
    }),
    flow: () => ({
      create: { body, buttons: [{ type: 'FLOW', text: 'Book', flow_id: '77' }] },
      request: {
        parameter_format: 'POSITIONAL',
        components: [
          { type: 'BODY', text: 'Hello' },
          { type: 'BUTTONS', buttons: [{ type: 'FLOW', text: 'Book', flow_id: '77', flow_action: 'navigate' }] },
        ],
      },
      send: {},
      components: [button('flow', '0', { type: 'action', action: { flow_token: expect.any(String) } })],
    }),
    carousel: () => {
      const card = {
        header_format: 'IMAGE',
        media_url: server.url('/a.png'),
        buttons: [
          { type: 'QUICK_REPLY', text: 'More' },
          { type: 'URL', text: 'Buy', url: 'https://shop.example/{{1}}' },
        ],
      };
      const made = {
        components: [
          { type: 'HEADER', format: 'IMAGE', example: { header_handle: [expect.stringMatching(/^4::/)] } },
          {
            type: 'BUTTONS',
            buttons: [
              { type: 'QUICK_REPLY', text: 'More' },
              { type: 'URL', text: 'Buy', url: 'https://shop.example/{{1}}', example: ['1'] },
            ],
          },
        ],
      };
      const sent = (index: number) => ({
        card_index: index,
        components: [
          { type: 'header', parameters: [{ type: 'image', image: { link: server.url('/a.png') } }] },
          button('quick_reply', '0', { type: 'payload', payload: 'More' }),
          button('url', '1', text(`item-${index}`)),
        ],
      });
      return {
        carousel: true,
        create: { body: { text: 'For {{1}}' }, cards: [card, card] },
        request: {
          category: 'MARKETING',
          parameter_format: 'POSITIONAL',
          components: [
            { type: 'BODY', text: 'For {{1}}', example: { body_text: [['1']] } },
            { type: 'CAROUSEL', cards: [made, made] },
          ],
        },
        send: {
          body_data: { '1': 'Ada' },
          carousel_data: [0, 1].map((index) => ({
            media_url: server.url('/a.png'),
            url_button_params: [`item-${index}`],
          })),
        },
        components: [
          { type: 'body', parameters: [text('Ada')] },
          { type: 'carousel', cards: [sent(0), sent(1)] },
        ],
      };
    },
  };

  it.each(Object.keys(kinds))('%s is created, approved and sent', async (name) => {
    const kind = kinds[name]?.();
    if (kind === undefined) throw new Error(`no kind ${name}`);
    const path = kind.carousel ? 'create-carousel' : 'create';
    const created = await account.api.post(`/api/v1/templates/${path}`, { name, category: 'UTILITY', ...kind.create });
    expect(created).toMatchObject({ status: 201 });
    const [making] = (await world.simulator.requests(account.phone.wabaId)).filter(({ method }) => method === 'POST');
    expect(bodyOf(making)).toEqual({ name, language: 'en_US', category: 'UTILITY', ...kind.request });
    await until('it is approved', async () => {
      const { body: found } = await account.api.get<{ template: { status: string } }>(
        `/api/v1/templates/${created.body.template_id}`,
      );
      return found.template.status === 'APPROVED';
    });

    const contact_phone = uniquePhone();
    const sent = await account.api.post('/api/v1/messages/send', { template_name: name, contact_phone, ...kind.send });
    expect(sent).toMatchObject({ status: 200 });
    const [request] = await world.simulator.requests(account.phone.phoneNumberId);
    expect(bodyOf(request)).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: `+${contact_phone}`,
      type: 'template',
      biz_opaque_callback_data: sent.body.message_id,
      template: { name, language: { code: 'en_US' }, components: kind.components },
    });
  });

  /** Creates a template that the network approves; returns its id there. No notice of the approval comes later. */
  const approved = async (name: string): Promise<string> => {
    await world.simulator.behave({ review: 'manual' });
    const created = await account.api.post('/api/v1/templates/create', { name, category: 'UTILITY', body });
    const id = String(created.body.meta_template_id);
    await world.simulator.review(id, 'approve');
    return id;
  };

  it('cannot be sent once the network has paused it (400)', async () => {
    const { api } = account;
    const id = await approved('paused');
    const send = () => api.post('/api/v1/messages/send', { template_name: 'paused', contact_phone: uniquePhone() });
    await until('it can be sent', async () => (await send()).status === 200);
    await world.simulator.review(id, 'pause');
    const refused = await until('it is refused', async () => {
      const answer = await send();
      return answer.status === 400 && answer;
    });
    expect(refused.body).toEqual({
      error: 'bad_request',
      message: 'template paused (en_US) is not approved: its status is PENDING (the network says PAUSED)',
    });
  });

  it('is marked paused by a send that the network refuses', async () => {
    const { api } = account;
    const id = await approved('surprise');
    const send = () => api.post('/api/v1/messages/send', { template_name: 'surprise', contact_phone: uniquePhone() });
    await until('it can be sent', async () => (await send()).status === 200);
    await world.simulator.review(id, 'disable', undefined, false);
    expect((await send()).body.error).toBe('network_rejected');
    expect((await send()).body).toMatchObject({ error: 'bad_request', message: expect.stringContaining('DISABLED') });
  });
});
