import { type GraphErrorBody, PHONE, SimulatedNetwork, WABA } from './simulated-network.js';

const HELLO = { type: 'BODY', text: 'Hello' };
const buttons = (...list: object[]): object => ({ type: 'BUTTONS', buttons: list });
const button = (sub_type: string, action?: object): object => ({
  type: 'button',
  sub_type,
  index: '0',
  parameters: action === undefined ? [] : [{ type: 'action', action }],
});
const sections = [{ title: 'Tulips', product_items: [{ product_retailer_id: 'tulip' }] }];
const product = { type: 'product', product: { product_retailer_id: 'tulip', catalog_id: '7' } };
const productHeader = { type: 'HEADER', format: 'PRODUCT' };
const view = buttons({ type: 'SPM', text: 'View' });
const apps = [{ package_name: 'com.example.app', signature_hash: 'K8a/AINcGX7' }];

describe('templates that Parley cannot make', () => {
  let network: SimulatedNetwork;
  let number = 0;
  beforeAll(async () => {
    network = await SimulatedNetwork.start();
  });
  afterAll(() => network.stop());
  beforeEach(() => network.reset());

  const fresh = (): string => {
    number += 1;
    return `foreign_${number}`;
  };
  const codeOf = async (name: string, components?: object[]): Promise<number | undefined> =>
    (await network.sendTemplate(name, components)).body.error?.code;
  const hold = (body: object) => network.call<{ id: string; status: string }>('POST', '/_sim/templates', body);

  it.each<[string, object[], missing: number, complete: object[]]>([
    [
      'ORDER_DETAILS',
      [HELLO, buttons({ type: 'ORDER_DETAILS', text: 'Pay' })],
      131008,
      [button('order_details', { order_details: { reference_id: '1' } })],
    ],
    [
      'MPM',
      [HELLO, buttons({ type: 'MPM', text: 'View' })],
      131008,
      [button('mpm', { thumbnail_product_retailer_id: 'tulip', sections })],
    ],
    ['CATALOG', [HELLO, buttons({ type: 'CATALOG', text: 'View' })], 131008, [button('CATALOG', {})]],
    ['PRODUCT', [productHeader, HELLO, view], 132012, [{ type: 'header', parameters: [product] }]],
    [
      'cards with products',
      [HELLO, { type: 'CAROUSEL', cards: [1, 2].map(() => ({ components: [productHeader, view] })) }],
      132012,
      [
        {
          type: 'carousel',
          cards: [0, 1].map((card_index) => ({ card_index, components: [{ type: 'header', parameters: [product] }] })),
        },
      ],
    ],
  ])('refuse a message without the parts of %s', async (_, components, missing, complete) => {
    const name = fresh();
    await network.approved(name, components);
    expect(await codeOf(name)).toBe(missing);
    expect(await codeOf(name, complete)).toBeUndefined();
  });

  it('refuse a GIF header without its file', async () => {
    const name = fresh();
    const header_handle = [await network.handle('video/mp4')];
    await network.approved(name, [{ type: 'HEADER', format: 'GIF', example: { header_handle } }, HELLO]);
    expect(await codeOf(name)).toBe(132012);
    const gif = { type: 'gif', gif: { link: 'https://cdn.example/a.mp4' } };
    expect(await codeOf(name, [{ type: 'header', parameters: [gif] }])).toBeUndefined();
  });

  it('refuse actions without their content (132018), and other buttons (132012)', async () => {
    const name = fresh();
    await network.approved(name, [HELLO, buttons({ type: 'MPM', text: 'View' })]);
    expect(await codeOf(name, [button('mpm', { sections: [] })])).toBe(132018);
    expect(await codeOf(name, [button('mpm', {})])).toBe(132018);
    expect(await codeOf(name, [button('catalog', {})])).toBe(132012);
  });

  it.each<[string, object[]]>([
    ['VOICE_CALL', [HELLO, buttons({ type: 'VOICE_CALL', text: 'Call' })]],
    ['REQUEST_CONTACT_INFO', [HELLO, buttons({ type: 'REQUEST_CONTACT_INFO' })]],
    ['CALL_PERMISSION_REQUEST', [HELLO, { type: 'CALL_PERMISSION_REQUEST' }]],
  ])('need nothing in a message for %s', async (_, components) => {
    const name = fresh();
    await network.approved(name, components);
    expect(await codeOf(name)).toBeUndefined();
  });

  it.each(['ONE_TAP', 'ZERO_TAP'])('take a code for %s as for COPY_CODE', async (otp_type) => {
    const name = fresh();
    const otp = { type: 'OTP', otp_type, supported_apps: apps, zero_tap_terms_accepted: true };
    await network.approved(name, [{ type: 'BODY' }, buttons(otp)], { category: 'AUTHENTICATION' });
    const text = { type: 'text', text: '123456' };
    const code = [
      { type: 'body', parameters: [text] },
      { ...button('url'), parameters: [text] },
    ];
    expect(await codeOf(name, code)).toBeUndefined();
    const refused = { ...otp, supported_apps: [] };
    const { body } = await network.create(fresh(), [{ type: 'BODY' }, buttons(refused)], {
      category: 'AUTHENTICATION',
    });
    expect(body.error?.code).toBe(100);
  });

  it('are refused when header and button do not go together', async () => {
    for (const components of [
      [productHeader, HELLO],
      [HELLO, view],
    ]) {
      expect((await network.create(fresh(), components)).body.error?.code).toBe(100);
    }
  });

  it.each(['TEXT', 'DOCUMENT', 'LOCATION', 'GIF'])(
    'are refused as limited-time offers with a %s header',
    async (format) => {
      const types: Record<string, string> = { DOCUMENT: 'application/pdf', GIF: 'video/mp4' };
      const header_handle = [await network.handle(types[format] ?? 'image/png')];
      const { body } = await network.create(fresh(), [
        { type: 'HEADER', format, text: 'Sale', example: { header_handle } },
        { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Soon', has_expiration: true } },
        HELLO,
        buttons({ type: 'COPY_CODE', example: 'SAVE10' }),
      ]);
      expect(body.error).toMatchObject({ code: 100, error_subcode: 2388047 });
    },
  );

  it('may be of kinds that nobody knows, which a message must fill in too', async () => {
    const components = [
      { type: 'HEADER', format: 'HOLOGRAM' },
      HELLO,
      buttons({ type: 'TELEPORT', text: 'Go' }),
      { type: 'SCENT' },
    ];
    const { status, body } = await hold({ waba_id: WABA, name: 'unheard_of', components });
    expect({ status, body }).toEqual({ status: 200, body: { id: expect.any(String), status: 'APPROVED' } });
    const header = { type: 'header', parameters: [{ type: 'hologram', hologram: {} }] };
    const go = { ...button('teleport'), parameters: [{ type: 'text', text: 'x' }] };
    const scent = { type: 'scent', parameters: [] };
    expect(await codeOf('unheard_of', [header, go])).toBe(131008);
    expect(await codeOf('unheard_of', [header, scent])).toBe(131008);
    expect(await codeOf('unheard_of', [go, scent])).toBe(132012);
    expect(await codeOf('unheard_of', [header, go, scent])).toBeUndefined();
  });

  it('are changed by keeping another one of their name', async () => {
    const name = fresh();
    const id = await network.approved(name, [HELLO], { category: 'UTILITY' });
    expect(await codeOf(name)).toBeUndefined();
    const changed = [HELLO, buttons({ type: 'MPM', text: 'View' })];
    expect((await hold({ waba_id: WABA, name, components: changed })).body).toEqual({ id, status: 'APPROVED' });
    expect(await codeOf(name)).toBe(131008);
    const { body } = await network.call<object>('GET', `/v23.0/${id}`);
    expect(body).toMatchObject({ category: 'UTILITY', components: changed });
  });

  it.each([
    { waba_id: WABA, name: 'x' },
    { waba_id: WABA, components: [HELLO] },
    { waba_id: PHONE, name: 'x', components: [HELLO] },
    { waba_id: WABA, name: 'x', components: ['BODY'] },
    { waba_id: WABA, name: 'x', components: [HELLO], parameter_format: 'MIXED' },
  ])('are not kept without what they need: %j (400)', async (body) => {
    const { status } = await network.call<GraphErrorBody>('POST', '/_sim/templates', body);
    expect(status).toBe(400);
  });
});
