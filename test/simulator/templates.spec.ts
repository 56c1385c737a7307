import { until } from '../support/until.js';
import { CUSTOMER, type GraphErrorBody, SimulatedNetwork, WABA } from './simulated-network.js';

interface TemplateList {
  data: { id: string; name: string; status: string; components: object[]; rejected_reason?: string }[];
  paging: { cursors: { after?: string }; next?: string };
}

const LIST = `/v23.0/${WABA}/message_templates`;
const HELLO = { type: 'BODY', text: 'Hello' };
const body = (text: string, ...values: string[]): object => ({ type: 'BODY', text, example: { body_text: [values] } });
const buttons = (...list: object[]): object => ({ type: 'BUTTONS', buttons: list });
const quick = (text: string): object => ({ type: 'QUICK_REPLY', text });
const url = (address: string, more: object = {}): object => ({ type: 'URL', text: 'Open', url: address, ...more });
const coupon = { type: 'COPY_CODE', example: 'SAVE20' };
const offer = { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Ends soon', has_expiration: true } };
const otp = buttons({ type: 'OTP', otp_type: 'COPY_CODE' });

describe('templates of the simulated network', () => {
  let network: SimulatedNetwork;
  let image: string;
  let number = 0;
  const fresh = (): string => {
    number += 1;
    return `t_${number}`;
  };

  beforeAll(async () => {
    network = await SimulatedNetwork.start();
    image = await network.handle('image/png');
  });
  afterAll(() => network.stop());
  beforeEach(() => network.reset());

  const header = (format: string, handle = image): object => ({
    type: 'HEADER',
    format,
    example: { header_handle: [handle] },
  });
  const card = (...list: object[]): object => ({
    components: [header('IMAGE'), buttons(...(list.length > 0 ? list : [quick('More')]))],
  });
  const carousel = (...cards: object[]): object[] => [HELLO, { type: 'CAROUSEL', cards }];
  const codeOf = async (name: string, components?: object[]): Promise<number | undefined> =>
    (await network.sendTemplate(name, components)).body.error?.code;

  it('are created as PENDING, approved and reported', async () => {
    const name = fresh();
    const { status, body: created } = await network.create(name, [HELLO]);
    expect({ status, created }).toEqual({
      status: 200,
      created: { id: expect.stringMatching(/^\d+$/), status: 'PENDING', category: 'MARKETING' },
    });
    await until('it is approved', async () => (await network.statusOf(created.id)) === 'APPROVED');
    await until('that is reported', () => network.receiver.changes.length >= 1);
    expect(network.receiver.changes[0]).toEqual({
      account: WABA,
      field: 'message_template_status_update',
      value: {
        event: 'APPROVED',
        message_template_id: Number(created.id),
        message_template_name: name,
        message_template_language: 'en_US',
        message_template_category: 'MARKETING',
        reason: 'NONE',
      },
    });
  });

  it('are rejected when their name ends in _reject', async () => {
    const { body: created } = await network.create(`${fresh()}_reject`, [HELLO]);
    await until('it is rejected', async () => (await network.statusOf(created.id)) === 'REJECTED');
    await until('that is reported', () => network.receiver.changes.length >= 1);
    const { body: shown } = await network.call('GET', `/v23.0/${created.id}?fields=rejected_reason`);
    expect(shown).toEqual({ id: created.id, rejected_reason: 'INVALID_FORMAT' });
  });

  it('wait for the control call when review is manual', async () => {
    await network.behave({ review: 'manual' });
    const name = fresh();
    const { id } = (await network.create(name, [HELLO])).body;
    const decide = (decision: string, more: object = {}): Promise<{ status: number; body: object }> =>
      network.call('POST', `/_sim/templates/${id}/review`, { decision, ...more });
    expect(await codeOf(name)).toBe(132001);
    expect((await decide('approve')).body).toEqual({ id, status: 'APPROVED', callback_status: 200 });
    expect(await codeOf(name)).toBeUndefined();
    await decide('pause', { notify: false });
    expect(await codeOf(name)).toBe(132015);
    await decide('disable', { reason: 'ABUSE' });
    expect(await codeOf(name)).toBe(132016);
    await decide('reject');
    expect(await codeOf(name)).toBe(132001);
    expect((await decide('praise')).status).toBe(400);
    const reports = network.receiver.changes.filter(({ field }) => field === 'message_template_status_update');
    expect(reports.map(({ value }) => [value.event, value.reason])).toEqual([
      ['APPROVED', 'NONE'],
      ['DISABLED', 'ABUSE'],
      ['REJECTED', 'INVALID_FORMAT'],
    ]);
  });

  it('are listed in pages of 25 by default, followed by next to the end, and filtered', async () => {
    const prefix = `page_${fresh()}`;
    for (let i = 0; i < 27; i += 1) await network.create(`${prefix}_${i}`, [HELLO]);
    const first = (await network.call<TemplateList>('GET', `${LIST}?name=${prefix}`)).body;
    expect(first.data).toHaveLength(25);
    const next = new URL(first.paging.next ?? '');
    const second = (await network.call<TemplateList>('GET', next.pathname + next.search)).body;
    expect(second.data).toHaveLength(2);
    expect(second.paging.next).toBeUndefined();
    expect(new Set([...first.data, ...second.data].map(({ name }) => name)).size).toBe(27);
    const names = async (query: string): Promise<string[]> =>
      (await network.call<TemplateList>('GET', `${LIST}?limit=100&${query}`)).body.data.map(({ name }) => name);
    expect(await names(`name=${prefix}_26`)).toEqual([`${prefix}_26`]);
    expect(await names(`name=${prefix}&status=DISABLED`)).toEqual([]);
    const { data } = (await network.call<TemplateList>('GET', `${LIST}?limit=1&fields=name,status`)).body;
    expect(Object.keys(data[0] ?? {}).sort()).toEqual(['id', 'name', 'status']);
    expect((await network.call('GET', `${LIST}?limit=0`)).status).toBe(400);
    expect((await network.call('GET', `${LIST}?fields=secrets`)).status).toBe(400);
  });

  it('are deleted by name in all languages, or one by hsm_id', async () => {
    const name = fresh();
    const { id } = (await network.create(name, [HELLO])).body;
    await network.create(name, [HELLO], { language: 'de' });
    const listed = async (): Promise<number> =>
      (await network.call<TemplateList>('GET', `${LIST}?name=${name}`)).body.data.length;
    expect((await network.call('DELETE', `${LIST}?name=${name}&hsm_id=${id}`)).body).toEqual({ success: true });
    expect(await listed()).toBe(1);
    await network.call('DELETE', `${LIST}?name=${name}`);
    expect(await listed()).toBe(0);
    expect((await network.call('DELETE', `${LIST}?name=${name}`)).status).toBe(400);
    expect(await codeOf(name)).toBe(132001);
  });

  it('are refused when name and language exist (subcode 2388024)', async () => {
    const name = fresh();
    await network.create(name, [HELLO]);
    expect((await network.create(name, [HELLO])).body.error).toMatchObject({ code: 100, error_subcode: 2388024 });
    expect((await network.create(name, [HELLO], { language: 'pt_BR' })).status).toBe(200);
  });

  it('are limited to max_templates_per_hour creations when set', async () => {
    await network.behave({ max_templates_per_hour: 2 });
    const codes = [];
    for (let i = 0; i < 3; i += 1) codes.push((await network.create(fresh(), [HELLO])).body.error?.code);
    expect(codes).toEqual([undefined, undefined, 80007]);
  });

  it('contain the network’s own texts for AUTHENTICATION', async () => {
    const components = [
      { type: 'BODY', add_security_recommendation: true },
      { type: 'FOOTER', code_expiration_minutes: 10 },
      otp,
    ];
    const { id } = (await network.create(fresh(), components, { category: 'AUTHENTICATION' })).body;
    const { body: shown } = await network.call<TemplateList['data'][0]>('GET', `/v23.0/${id}`);
    expect(shown.components).toMatchObject([
      { text: '*{{1}}* is your verification code. For your security, do not share this code.' },
      { text: 'This code expires in 10 minutes.', code_expiration_minutes: 10 },
      { buttons: [{ type: 'URL', text: 'Copy code' }] },
    ]);
  });

  const accepted: [string, () => object[], object?][] = [
    [
      'every kind of button',
      () => [
        HELLO,
        buttons(
          quick('A'),
          quick('B'),
          url('https://example.com/{{1}}', { example: ['https://example.com/x'] }),
          { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+15550100' },
          coupon,
        ),
      ],
    ],
    [
      'a text header and a footer',
      () => [
        { type: 'HEADER', format: 'TEXT', text: 'Hi {{1}}', example: { header_text: ['Bo'] } },
        HELLO,
        { type: 'FOOTER', text: 'Bye' },
      ],
    ],
    ['a media header', () => [header('IMAGE'), HELLO]],
    ['a location header', () => [{ type: 'HEADER', format: 'LOCATION' }, HELLO], { category: 'UTILITY' }],
    ['1024 characters', () => [{ type: 'BODY', text: '😀'.repeat(1024) }]],
    [
      'named variables',
      () => [
        {
          type: 'BODY',
          text: 'Hi {{first_name}}',
          example: { body_text_named_params: [{ param_name: 'first_name', example: 'Bo' }] },
        },
      ],
      { parameter_format: 'NAMED' },
    ],
    ['a limited-time offer', () => [HELLO, offer, buttons(coupon, url('https://example.com'))]],
    ['a carousel', () => carousel(card(quick('A'), url('https://a.com')), card(quick('B'), url('https://b.com')))],
    ['a time to live', () => [HELLO], { category: 'UTILITY', message_send_ttl_seconds: 43_200 }],
    ['the default time to live', () => [HELLO], { message_send_ttl_seconds: -1 }],
  ];
  it.each(accepted)('are created for %s', async (_what, components, more = {}) => {
    expect((await network.create(fresh(), components(), more)).body.error).toBeUndefined();
  });

  const NAMED = { parameter_format: 'NAMED' };
  const refused: [string, () => object[], object?][] = [
    ['a name with capitals', () => [HELLO], { name: 'Hello' }],
    ['a name of 513 characters', () => [HELLO], { name: 'x'.repeat(513) }],
    ['an unknown category', () => [HELLO], { category: 'NEWS' }],
    ['a language that is none', () => [HELLO], { language: 'English' }],
    ['no components', () => []],
    ['a template without body', () => [{ type: 'FOOTER', text: 'Bye' }]],
    ['two bodies', () => [HELLO, HELLO]],
    ['an unknown component', () => [HELLO, { type: 'SOUND' }]],
    ['1025 characters', () => [{ type: 'BODY', text: 'x'.repeat(1025) }]],
    ['variables without examples', () => [{ type: 'BODY', text: 'Hi {{1}}' }]],
    ['too few examples', () => [body('Hi {{1}} {{2}}', 'a')]],
    ['a gap in the variables', () => [body('Hi {{1}} {{3}}', 'a', 'b')]],
    ['named variables under POSITIONAL', () => [body('Hi {{name}}', 'a')]],
    ['numbered variables under NAMED', () => [body('Hi {{1}}', 'a')], NAMED],
    [
      'names with capitals',
      () => [
        { type: 'BODY', text: '{{Name}}', example: { body_text_named_params: [{ param_name: 'Name', example: 'a' }] } },
      ],
      NAMED,
    ],
    [
      'a named variable without example',
      () => [
        {
          type: 'BODY',
          text: '{{name}}',
          example: { body_text_named_params: [{ param_name: 'other', example: 'a' }] },
        },
      ],
      NAMED,
    ],
    ['a header of 61 characters', () => [{ type: 'HEADER', format: 'TEXT', text: 'x'.repeat(61) }, HELLO]],
    [
      'two variables in a header',
      () => [{ type: 'HEADER', format: 'TEXT', text: '{{1}} {{2}}', example: { header_text: ['a', 'b'] } }, HELLO],
    ],
    ['a header variable without example', () => [{ type: 'HEADER', format: 'TEXT', text: '{{1}}' }, HELLO]],
    ['a media header without handle', () => [{ type: 'HEADER', format: 'IMAGE' }, HELLO]],
    ['a URL in place of a handle', () => [header('IMAGE', 'https://example.com/a.png'), HELLO]],
    ['a handle of another kind', () => [header('VIDEO'), HELLO]],
    ['a footer of 61 characters', () => [HELLO, { type: 'FOOTER', text: 'x'.repeat(61) }]],
    ['a variable in the footer', () => [HELLO, { type: 'FOOTER', text: '{{1}}' }]],
    ['eleven buttons', () => [HELLO, buttons(...Array.from({ length: 11 }, (_, i) => quick(`B${i}`)))]],
    ['three URL buttons', () => [HELLO, buttons(...['a', 'b', 'c'].map((host) => url(`https://${host}.com`)))]],
    ['two coupon buttons', () => [HELLO, buttons(coupon, coupon)]],
    ['quick replies between others', () => [HELLO, buttons(quick('A'), url('https://a.com'), quick('B'))]],
    ['a label of 26 characters', () => [HELLO, buttons(quick('x'.repeat(26)))]],
    ['a variable in the middle of a url', () => [HELLO, buttons(url('https://a.com/{{1}}/b', { example: ['x'] }))]],
    ['a url with a blank', () => [HELLO, buttons(url('https://a.com/a b'))]],
    ['a url with two fragments', () => [HELLO, buttons(url('https://a.com/#a#b'))]],
    ['an umlaut in the example of a url', () => [HELLO, buttons(url('https://a.com/{{1}}', { example: ['ü'] }))]],
    ['a url variable without example', () => [HELLO, buttons(url('https://a.com/{{1}}'))]],
    ["the network's own domain", () => [HELLO, buttons(url('https://wa.me/4915112345678'))]],
    ['a coupon without example', () => [HELLO, buttons({ type: 'COPY_CODE' })]],
    ['a one-time password elsewhere', () => [HELLO, otp]],
    ['an offer with a footer', () => [HELLO, offer, { type: 'FOOTER', text: 'Bye' }, buttons(coupon)]],
    ['an offer without coupon first', () => [HELLO, offer, buttons(url('https://a.com'), coupon)]],
    ['an offer with 601 characters', () => [{ type: 'BODY', text: 'x'.repeat(601) }, offer, buttons(coupon)]],
    ['an offer for UTILITY', () => [HELLO, offer, buttons(coupon)], { category: 'UTILITY' }],
    ['a carousel of one card', () => carousel(card())],
    ['a carousel of eleven cards', () => carousel(...Array.from({ length: 11 }, () => card()))],
    ['cards with other buttons', () => carousel(card(quick('A')), card(url('https://a.com')))],
    [
      'a card with three buttons',
      () => carousel(card(quick('A'), quick('B'), quick('C')), card(quick('A'), quick('B'), quick('C'))),
    ],
    ['a carousel with a footer', () => [...carousel(card(), card()), { type: 'FOOTER', text: 'Bye' }]],
    ['an authentication body with text', () => [HELLO, otp], { category: 'AUTHENTICATION' }],
    ['an authentication template without its button', () => [{ type: 'BODY' }], { category: 'AUTHENTICATION' }],
    [
      'a code that expires after 91 minutes',
      () => [{ type: 'BODY' }, { type: 'FOOTER', code_expiration_minutes: 91 }, otp],
      { category: 'AUTHENTICATION' },
    ],
    ['a time to live that is too short', () => [HELLO], { message_send_ttl_seconds: 43_199 }],
    ['a time to live that is too long', () => [HELLO], { category: 'UTILITY', message_send_ttl_seconds: 43_201 }],
  ];
  it.each(refused)('are refused for %s', async (_what, components, more = {}) => {
    const { status, body: answer } = await network.create(fresh(), components(), more);
    expect({ status, code: answer.error?.code }).toEqual({ status: 400, code: 100 });
  });

  it('refuse uploads of another length or without a session', async () => {
    const session = await network.call<{ id: string }>(
      'POST',
      '/v23.0/900100/uploads?file_length=9&file_type=image/png',
    );
    const short = await network.call<GraphErrorBody>('POST', `/v23.0/${session.body.id}`, 'bytes', {
      file_offset: '0',
    });
    expect(short.body.error.code).toBe(100);
    expect((await network.call('POST', '/v23.0/upload:none', 'bytes', { file_offset: '0' })).status).toBe(400);
    expect((await network.call('POST', '/v23.0/1/uploads?file_length=9&file_type=image/png')).status).toBe(400);
  });

  describe('when sent', () => {
    const text = (value: string, more: object = {}): object => ({ type: 'text', text: value, ...more });
    const part = (type: string, ...parameters: object[]): object => ({ type, parameters });
    const button = (sub_type: string, index: number, ...parameters: object[]): object => ({
      type: 'button',
      sub_type,
      index: String(index),
      parameters,
    });
    const link = (type = 'image'): object => ({ type, [type]: { link: 'https://example.com/a' } });
    const coupons = { type: 'coupon_code', coupon_code: 'SAVE20' };
    const expires = (at: number): object =>
      part('limited_time_offer', { type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: at } });
    const cardOf = (card_index: number, ...components: object[]): object => ({ card_index, components });
    const hour = Date.now() + 3_600_000;

    beforeAll(async () => {
      const address = url('https://a.com/{{1}}', { example: ['https://a.com/x'] });
      await network.behave({});
      await network.approved('plain', [HELLO]);
      await network.approved('two', [body('{{1}} and {{2}}', 'a', 'b')]);
      const pairs = ['name', 'city'].map((param_name) => ({ param_name, example: 'x' }));
      await network.approved(
        'named',
        [{ type: 'BODY', text: '{{name}} in {{city}}', example: { body_text_named_params: pairs } }],
        NAMED,
      );
      await network.approved('title', [
        { type: 'HEADER', format: 'TEXT', text: 'Hi {{1}}', example: { header_text: ['a'] } },
        HELLO,
      ]);
      await network.approved('picture', [header('IMAGE'), HELLO]);
      await network.approved('place', [{ type: 'HEADER', format: 'LOCATION' }, HELLO]);
      await network.approved('pressed', [HELLO, buttons(quick('Yes'), address, coupon)]);
      await network.approved('offered', [HELLO, offer, buttons(coupon)]);
      await network.approved('round', carousel(card(address, quick('More')), card(address, quick('More'))));
      await network.approved('code', [{ type: 'BODY' }, otp], { category: 'AUTHENTICATION' });
    });

    const secret = [part('body', text('123456')), button('url', 0, text('123456'))];
    const slide = (index: number): object => cardOf(index, part('header', link()), button('url', 0, text('x')));
    const pressed = [button('url', 1, text('x')), button('copy_code', 2, coupons)];
    it.each<[string, string, object[] | undefined]>([
      ['nothing to fill in', 'plain', undefined],
      ['its parameters', 'two', [part('body', text('a'), text('b'))]],
      [
        'its names, in any order',
        'named',
        [part('body', text('a', { parameter_name: 'city' }), text('b', { parameter_name: 'name' }))],
      ],
      ['its header', 'title', [part('header', text('a'))]],
      ['its picture', 'picture', [part('header', link())]],
      ['its location', 'place', [part('header', { type: 'location', location: { latitude: 1, longitude: 2 } })]],
      ['its buttons', 'pressed', [button('quick_reply', 0, { type: 'payload', payload: 'Y' }), ...pressed]],
      ['its expiry', 'offered', [expires(hour), button('copy_code', 0, coupons)]],
      ['its cards', 'round', [{ type: 'carousel', cards: [slide(0), slide(1)] }]],
      ['its code in body and button', 'code', secret],
    ])('are accepted with %s', async (_what, name, components) => {
      expect((await network.sendTemplate(name, components)).body.error).toBeUndefined();
    });

    it.each<[string, number, string, object[]]>([
      ['an unknown name', 132001, 'nobody', []],
      ['too few parameters', 132000, 'two', [part('body', text('a'))]],
      ['too many parameters', 132000, 'two', [part('body', text('a'), text('b'), text('c'))]],
      ['surplus parameters', 132000, 'plain', [part('body', text('a'))]],
      ['a surplus header', 132000, 'plain', [part('header', text('a'))]],
      ['no header', 132000, 'title', []],
      ['an empty parameter', 131008, 'two', [part('body', text(''), text('b'))]],
      ['a parameter of the wrong kind', 132012, 'two', [part('body', link(), text('b'))]],
      ['a line break in a parameter', 132018, 'two', [part('body', text('a\nb'), text('b'))]],
      ['a text that becomes too long', 132005, 'title', [part('header', text('x'.repeat(60)))]],
      ['missing names', 100, 'named', [part('body', text('a'), text('b'))]],
      [
        'a wrong name',
        132012,
        'named',
        [part('body', text('a', { parameter_name: 'name' }), text('b', { parameter_name: 'x' }))],
      ],
      ['no picture', 132012, 'picture', []],
      ['a video instead of a picture', 132012, 'picture', [part('header', link('video'))]],
      ['an unknown medium', 100, 'picture', [part('header', { type: 'image', image: { id: '1' } })]],
      ['no location', 132012, 'place', []],
      ['no url suffix', 131008, 'pressed', pressed.slice(1)],
      [
        'a url suffix that is not percent-encoded',
        131009,
        'pressed',
        [button('url', 1, text('a b')), ...pressed.slice(1)],
      ],
      ['no coupon', 131008, 'pressed', pressed.slice(0, 1)],
      ['a surplus button', 132012, 'pressed', [...pressed, button('url', 3, text('x'))]],
      ['a button of the wrong kind', 132012, 'pressed', [...pressed, button('url', 0, text('x'))]],
      ['no expiry', 131008, 'offered', [button('copy_code', 0, coupons)]],
      ['an expiry in seconds', 131009, 'offered', [expires(Math.floor(hour / 1000)), button('copy_code', 0, coupons)]],
      ['a surplus offer', 132012, 'plain', [expires(hour)]],
      ['one card too few', 132012, 'round', [{ type: 'carousel', cards: [slide(0)] }]],
      ['a repeated card', 132012, 'round', [{ type: 'carousel', cards: [slide(0), slide(0)] }]],
      [
        'a card without picture',
        132012,
        'round',
        [{ type: 'carousel', cards: [slide(0), cardOf(1, button('url', 0, text('x')))] }],
      ],
      [
        'a card without url suffix',
        131008,
        'round',
        [{ type: 'carousel', cards: [slide(0), cardOf(1, part('header', link()))] }],
      ],
      ['no cards', 132012, 'round', []],
      ['the code in the body only', 131008, 'code', secret.slice(0, 1)],
      ['the code in the button only', 132000, 'code', secret.slice(1)],
      ['a code of 16 characters', 131009, 'code', [part('body', text('1'.repeat(16))), button('url', 0, text('1'))]],
      ['an unknown component', 100, 'plain', [part('sound')]],
    ])('are refused with %s (%i)', async (_what, code, name, components) => {
      expect(await codeOf(name, components)).toBe(code);
    });

    it('are refused in a missing language (132001)', async () => {
      const template = { name: 'plain', language: { code: 'fr' } };
      const { status, body: answer } = await network.post({ to: CUSTOMER, type: 'template', template });
      expect({ status, code: answer.error.code }).toEqual({ status: 404, code: 132001 });
    });
  });
});
