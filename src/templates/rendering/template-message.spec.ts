import { DomainError } from '../../errors/domain-error.js';
import type { NetworkComponent } from '../template.js';
import type { SendingInput } from './sending-input.js';
import { previewTemplateMessage, type RenderableTemplate, renderTemplateMessage } from './template-message.js';

const NOW = new Date('2026-05-01T12:00:00Z');
const NOTHING: SendingInput = {
  bodyData: {},
  headerData: {},
  mediaUrl: null,
  filename: null,
  location: null,
  buttonParams: [],
  carouselData: null,
  expirationTimeMs: null,
};

const template = (
  components: NetworkComponent[],
  differences: Partial<RenderableTemplate> = {},
): RenderableTemplate => ({
  name: 'order_update',
  category: 'UTILITY',
  parameterFormat: 'POSITIONAL',
  offerCode: null,
  components,
  ...differences,
});

const render = (rendered: RenderableTemplate, input: Partial<SendingInput> = {}) =>
  renderTemplateMessage(rendered, { ...NOTHING, ...input }, NOW, { newFlowToken: () => 'flow-token-1' });

const refusal = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof DomainError) return `${error.status} ${error.message}`;
    throw error;
  }
  throw new Error('nothing was refused');
};

const BODY = { type: 'BODY', text: 'Hi {{1}}, {{2}} and {{1}}' };
const plain = template([BODY]);

describe('variables of the body', () => {
  it('are sent in numeric order and filled into the text', () => {
    expect(render(plain, { bodyData: { '2': 'two', '1': 'one' } })).toMatchObject({
      components: [
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'one' },
            { type: 'text', text: 'two' },
          ],
        },
      ],
      content: 'Hi one, two and one',
      code: null,
      media: [],
    });
  });

  it('are sent by name in a NAMED template; keys are case-insensitive', () => {
    const named = template([{ type: 'BODY', text: 'Hi {{first_name}}' }], { parameterFormat: 'NAMED' });
    expect(render(named, { bodyData: { First_Name: 'Ada' } })).toMatchObject({
      components: [{ type: 'body', parameters: [{ type: 'text', parameter_name: 'first_name', text: 'Ada' }] }],
      content: 'Hi Ada',
      code: null,
      media: [],
    });
  });

  it('are all listed when missing; blank values count as missing, extra ones are ignored', () => {
    expect(refusal(() => render(plain, { bodyData: { '1': ' ', '3': 'x' } }))).toBe(
      '400 template order_update requires body_data.1, body_data.2',
    );
  });

  it('are not expanded inside values', () => {
    expect(render(plain, { bodyData: { '1': '{{2}}', '2': '$&' } }).content).toBe('Hi {{2}}, $& and {{2}}');
  });

  it.each(['a\nb', 'a\tb', 'a     b'])('are rejected when the network would reject %j', (value) => {
    expect(refusal(() => render(plain, { bodyData: { '1': value, '2': 'x' } }))).toBe(
      '400 body_data.1 must not contain line breaks, tabs or more than 4 spaces in a row',
    );
  });

  it('may fill a body with other components up to 1024 characters and no further', () => {
    const footed = template([
      { type: 'BODY', text: '{{1}}' },
      { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Ok' }] },
    ]);
    expect(render(footed, { bodyData: { '1': 'é'.repeat(1024) } }).content).toHaveLength(1024);
    expect(refusal(() => render(footed, { bodyData: { '1': 'é'.repeat(1025) } }))).toBe(
      '400 the body with its variables must be at most 1024 characters (got 1025)',
    );
  });

  it('add no component when there are none', () => {
    expect(render(template([{ type: 'BODY', text: 'Hello' }])).components).toEqual([]);
  });
});

describe('headers', () => {
  it('take the TEXT variable from header_data', () => {
    const titled = template([
      { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' },
      { type: 'BODY', text: 'Hello' },
    ]);
    expect(render(titled, { headerData: { '1': 'A-17' } }).components).toEqual([
      { type: 'header', parameters: [{ type: 'text', text: 'A-17' }] },
    ]);
    expect(refusal(() => render(titled, { bodyData: { '1': 'A-17' } }))).toBe(
      '400 template order_update requires header_data.1',
    );
    expect(refusal(() => render(titled, { headerData: { '1': 'x'.repeat(55) } }))).toBe(
      '400 the header with its variable must be at most 60 characters (got 61)',
    );
  });

  it.each([
    ['IMAGE', 'image', { link: 'https://cdn.example/a' }],
    ['VIDEO', 'video', { link: 'https://cdn.example/a' }],
    ['DOCUMENT', 'document', { link: 'https://cdn.example/a', filename: 'a.pdf' }],
  ])('take the %s file from media_url', (format, type, medium) => {
    const pictured = template([
      { type: 'HEADER', format },
      { type: 'BODY', text: 'Hello' },
    ]);
    expect(render(pictured, { mediaUrl: 'https://cdn.example/a', filename: 'a.pdf' })).toMatchObject({
      components: [{ type: 'header', parameters: [{ type, [type]: medium }] }],
      content: 'Hello',
      code: null,
      media: [{ field: 'media_url', url: 'https://cdn.example/a', kind: type, isNameless: false }],
    });
    expect(refusal(() => render(pictured))).toBe('400 template order_update requires media_url');
  });

  it.each([
    ['https://cdn.example/files/bill%204711.pdf?sig=a', 'bill 4711.pdf', false],
    ['https://cdn.example/files/', undefined, true],
  ])('name the document at %s after its URL: %s', (mediaUrl, filename, isNameless) => {
    const document = template([
      { type: 'HEADER', format: 'DOCUMENT' },
      { type: 'BODY', text: 'Hello' },
    ]);
    const { components, media } = render(document, { mediaUrl });
    const medium = filename === undefined ? { link: mediaUrl } : { link: mediaUrl, filename };
    expect(components).toEqual([{ type: 'header', parameters: [{ type: 'document', document: medium }] }]);
    expect(media).toEqual([{ field: 'media_url', url: mediaUrl, kind: 'document', isNameless }]);
  });

  it('take the LOCATION from location', () => {
    const placed = template([
      { type: 'HEADER', format: 'LOCATION' },
      { type: 'BODY', text: 'Hello' },
    ]);
    const location = { latitude: 52.5, longitude: 13.4, name: 'Shop', address: null };
    expect(render(placed, { location }).components).toEqual([
      {
        type: 'header',
        parameters: [{ type: 'location', location: { latitude: 52.5, longitude: 13.4, name: 'Shop' } }],
      },
    ]);
    expect(refusal(() => render(placed))).toBe('400 template order_update requires location');
  });
});

describe('buttons', () => {
  const buttoned = (...buttons: object[]) =>
    template([
      { type: 'BODY', text: 'Hello' },
      { type: 'BUTTONS', buttons },
    ]);
  const param = (index: number, rest: object = {}) => ({
    index,
    urlParam: null,
    payload: null,
    couponCode: null,
    ...rest,
  });

  it('send quick replies with their payload, by default their text', () => {
    const replies = buttoned({ type: 'QUICK_REPLY', text: 'Yes' }, { type: 'QUICK_REPLY', text: 'No' });
    expect(render(replies, { buttonParams: [param(1, { payload: 'refuse' })] }).components).toEqual([
      { type: 'button', sub_type: 'quick_reply', index: '0', parameters: [{ type: 'payload', payload: 'Yes' }] },
      { type: 'button', sub_type: 'quick_reply', index: '1', parameters: [{ type: 'payload', payload: 'refuse' }] },
    ]);
  });

  it('require url_param for a URL button with a variable only', () => {
    const linked = buttoned(
      { type: 'URL', text: 'Home', url: 'https://shop.example/' },
      { type: 'URL', text: 'Track', url: 'https://shop.example/t/{{1}}', example: ['1'] },
    );
    expect(render(linked, { buttonParams: [param(1, { urlParam: 'A-17' })] }).components).toEqual([
      { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: 'A-17' }] },
    ]);
    expect(refusal(() => render(linked))).toBe('400 template order_update requires button_params[1].url_param');
  });

  it('fill COPY_CODE from coupon_code, then offer_code, then the example', () => {
    const component = (code: string) => [
      { type: 'button', sub_type: 'copy_code', index: '0', parameters: [{ type: 'coupon_code', coupon_code: code }] },
    ];
    const coupon = buttoned({ type: 'COPY_CODE', example: 'EXAMPLE' });
    expect(render(coupon).components).toEqual(component('EXAMPLE'));
    expect(render({ ...coupon, offerCode: 'OFFER' }).components).toEqual(component('OFFER'));
    const given = { buttonParams: [param(0, { couponCode: 'GIVEN' })] };
    expect(render({ ...coupon, offerCode: 'OFFER' }, given).components).toEqual(component('GIVEN'));
    expect(refusal(() => render(buttoned({ type: 'COPY_CODE' })))).toBe(
      '400 template order_update requires button_params[0].coupon_code',
    );
  });

  it('give a FLOW button a generated flow_token', () => {
    expect(render(buttoned({ type: 'FLOW', text: 'Book', flow_id: '1' })).components).toEqual([
      {
        type: 'button',
        sub_type: 'flow',
        index: '0',
        parameters: [{ type: 'action', action: { flow_token: 'flow-token-1' } }],
      },
    ]);
  });

  it('require nothing for a PHONE_NUMBER button', () => {
    expect(render(buttoned({ type: 'PHONE_NUMBER', text: 'Call', phone_number: '15550001' })).components).toEqual([]);
  });

  it('reject parameters for a missing button, and two for the same button', () => {
    const one = buttoned({ type: 'QUICK_REPLY', text: 'Yes' });
    expect(refusal(() => render(one, { buttonParams: [param(1)] }))).toBe(
      '400 button_params[0].index must be the index of a button: the template has 1 (got 1)',
    );
    expect(refusal(() => render(one, { buttonParams: [param(0), param(0)] }))).toBe(
      '400 button_params[1].index names the button 0 a second time',
    );
  });

  const every = buttoned(
    { type: 'QUICK_REPLY', text: 'Yes' },
    { type: 'URL', text: 'Visit', url: 'https://shop.example/' },
    { type: 'URL', text: 'Track', url: 'https://shop.example/t/{{1}}' },
    { type: 'COPY_CODE', text: '', example: 'SAVE10' },
    { type: 'PHONE_NUMBER', text: 'Call', phone_number: '15550001' },
    { type: 'FLOW', text: 'Book', flow_id: '1' },
  );
  const tracked = param(2, { urlParam: 'A-17' });

  it.each([
    [0, { urlParam: 'x' }, 'url_param must be left out: button 0 ("Yes") is of type QUICK_REPLY, which takes payload'],
    [
      0,
      { payload: 'x', couponCode: 'x' },
      'coupon_code must be left out: button 0 ("Yes") is of type QUICK_REPLY, which takes payload',
    ],
    [1, { urlParam: 'x' }, 'url_param must be left out: button 1 ("Visit") is a URL without a variable'],
    [1, { payload: 'x' }, 'payload must be left out: button 1 ("Visit") is a URL without a variable'],
    [3, { urlParam: 'x' }, 'url_param must be left out: button 3 is of type COPY_CODE, which takes coupon_code'],
    [4, { payload: 'x' }, 'payload must be left out: button 4 ("Call") is of type PHONE_NUMBER, which takes no value'],
    [5, { payload: 'x' }, 'payload must be left out: button 5 ("Book") is of type FLOW, which takes no value'],
  ])('refuse a value that button %i would drop: %j', (index, value, says) => {
    const buttonParams = [tracked, param(index, value)];
    expect(refusal(() => render(every, { buttonParams }))).toBe(`400 button_params[1].${says}`);
    const stored = { isStored: true, newFlowToken: () => 'flow-token-1' };
    const before = renderTemplateMessage(every, { ...NOTHING, buttonParams }, NOW, stored);
    expect(before.components).toHaveLength(4);
  });

  it('refuse a payload of a URL button that has a value, and take blank ones for none', () => {
    expect(refusal(() => render(every, { buttonParams: [{ ...tracked, payload: 'x' }] }))).toBe(
      '400 button_params[0].payload must be left out: button 2 ("Track") is of type URL, which takes url_param',
    );
    const blank = { urlParam: ' ', payload: '', couponCode: ' ' };
    expect(render(every, { buttonParams: [tracked, param(1, blank), param(5, blank)] }).components).toHaveLength(4);
  });
});

describe('limited-time offers', () => {
  const offer = template(
    [
      { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Ends soon', has_expiration: true } },
      { type: 'BODY', text: 'Sale' },
      { type: 'BUTTONS', buttons: [{ type: 'COPY_CODE', example: 'SAVE10' }] },
    ],
    { category: 'MARKETING', offerCode: 'SAVE10' },
  );

  it('send expiration_time_ms in milliseconds', () => {
    const expirationTimeMs = NOW.getTime() + 1;
    expect(render(offer, { expirationTimeMs }).components).toEqual([
      {
        type: 'limited_time_offer',
        parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: expirationTimeMs } }],
      },
      {
        type: 'button',
        sub_type: 'copy_code',
        index: '0',
        parameters: [{ type: 'coupon_code', coupon_code: 'SAVE10' }],
      },
    ]);
  });

  it('require expiration_time_ms in the future', () => {
    expect(refusal(() => render(offer))).toBe('400 template order_update requires expiration_time_ms');
    expect(refusal(() => render(offer, { expirationTimeMs: NOW.getTime() }))).toBe(
      `400 expiration_time_ms must be later than the send time, in milliseconds since 1970 (got ${NOW.getTime()}, the message is sent at ${NOW.getTime()})`,
    );
  });
});

describe('AUTHENTICATION', () => {
  const components = [
    { type: 'BODY', text: '*{{1}}* is your verification code.' },
    { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Copy code', url: 'https://n.example/otp{{1}}' }] },
  ];
  const code = template(components, { category: 'AUTHENTICATION' });

  it('puts the code into the body and into the button at index 0', () => {
    expect(render(code, { bodyData: { '1': '123456' } })).toMatchObject({
      components: [
        { type: 'body', parameters: [{ type: 'text', text: '123456' }] },
        { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: '123456' }] },
      ],
      content: '*•* is your verification code.',
      code: '123456',
      media: [],
    });
  });

  it('shows one mask for a code of any length, also in a preview', () => {
    expect(render(code, { bodyData: { '1': '7' } }).content).toBe('*•* is your verification code.');
    expect(
      previewTemplateMessage({ ...code, mediaUrl: null }, { ...NOTHING, bodyData: { '1': '123456' } }, NOW),
    ).toEqual({
      header: null,
      body: '*•* is your verification code.',
      footer: null,
      buttons: [{ type: 'URL', text: 'Copy code', url: null, phoneNumber: null, couponCode: null }],
      missing: [],
      unsupported: [],
    });
  });

  it('renders the same before the network’s text is known', () => {
    const unread = template([{ type: 'BODY' }, { type: 'BUTTONS', buttons: [{ type: 'OTP' }] }], {
      category: 'AUTHENTICATION',
    });
    expect(render(unread, { bodyData: { '1': '123456' } }).components).toHaveLength(2);
    expect(render(unread, { bodyData: { '1': '123456' } }).content).toBe('•');
  });

  it('requires a code of at most 15 characters', () => {
    expect(render(code, { bodyData: { '1': '1'.repeat(15) } }).components).toHaveLength(2);
    expect(refusal(() => render(code, { bodyData: { '1': '1'.repeat(16) } }))).toBe(
      '400 body_data.1 must be at most 15 characters (got 16)',
    );
    expect(refusal(() => render(code))).toBe('400 template order_update requires body_data.1');
  });
});

describe('carousels', () => {
  const card = {
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'More' },
          { type: 'URL', text: 'Buy', url: 'https://s.example/{{1}}' },
        ],
      },
    ],
  };
  const carousel = template(
    [
      { type: 'BODY', text: 'For {{1}}' },
      { type: 'CAROUSEL', cards: [card, card] },
    ],
    { category: 'MARKETING' },
  );
  const entry = { mediaUrl: 'https://cdn.example/1', urlButtonParams: ['a'], buttonPayloads: [] };

  it('require one entry per card', () => {
    const second = { mediaUrl: 'https://cdn.example/2', urlButtonParams: ['b'], buttonPayloads: ['more-2'] };
    const rendered = render(carousel, { bodyData: { '1': 'Ada' }, carouselData: [entry, second] });
    const cardOf = (index: number, link: string, payload: string, suffix: string) => ({
      card_index: index,
      components: [
        { type: 'header', parameters: [{ type: 'image', image: { link } }] },
        { type: 'button', sub_type: 'quick_reply', index: '0', parameters: [{ type: 'payload', payload }] },
        { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: suffix }] },
      ],
    });
    expect(rendered.components).toEqual([
      { type: 'body', parameters: [{ type: 'text', text: 'Ada' }] },
      {
        type: 'carousel',
        cards: [cardOf(0, 'https://cdn.example/1', 'More', 'a'), cardOf(1, 'https://cdn.example/2', 'more-2', 'b')],
      },
    ]);
    expect(rendered.media.map(({ field }) => field)).toEqual([
      'carousel_data[0].media_url',
      'carousel_data[1].media_url',
    ]);
  });

  it('list what is missing, and refuse what is surplus', () => {
    const bodyData = { '1': 'Ada' };
    expect(refusal(() => render(carousel, { bodyData }))).toBe('400 template order_update requires carousel_data');
    expect(refusal(() => render(carousel, { bodyData, carouselData: [entry] }))).toBe(
      '400 carousel_data must have 2 entries, one per card of the template (got 1)',
    );
    const bare = { mediaUrl: null, urlButtonParams: [], buttonPayloads: [] };
    expect(refusal(() => render(carousel, { bodyData, carouselData: [entry, bare] }))).toBe(
      '400 template order_update requires carousel_data[1].media_url, carousel_data[1].url_button_params[0]',
    );
    const surplus = { ...entry, urlButtonParams: ['a', 'b'] };
    expect(refusal(() => render(carousel, { bodyData, carouselData: [surplus, entry] }))).toBe(
      "400 carousel_data[0].url_button_params must have at most one entry for each of the card's 1 URL buttons with a variable (got 2)",
    );
    const payloads = { ...entry, buttonPayloads: ['a', 'b'] };
    expect(refusal(() => render(carousel, { bodyData, carouselData: [entry, payloads] }))).toBe(
      "400 carousel_data[1].button_payloads must have at most one entry for each of the card's 1 quick replies (got 2)",
    );
  });
});

describe('preview', () => {
  it('shows the message and the missing fields', () => {
    const whole = template([
      { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' },
      BODY,
      { type: 'FOOTER', text: 'Bye' },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}' }] },
    ]);
    const buttonParams = [{ index: 0, urlParam: 'A-17', payload: null, couponCode: null }];
    const input = { ...NOTHING, bodyData: { '1': 'Ada' }, buttonParams };
    expect(previewTemplateMessage({ ...whole, mediaUrl: null }, input, NOW)).toEqual({
      header: 'Order {{1}}',
      body: 'Hi Ada, {{2}} and Ada',
      footer: 'Bye',
      buttons: [{ type: 'URL', text: 'Track', url: 'https://shop.example/A-17', phoneNumber: null, couponCode: null }],
      missing: ['header_data.1', 'body_data.2'],
      unsupported: [],
    });
  });

  it('names the parts that it does not show', () => {
    const shop = template([BODY, { type: 'BUTTONS', buttons: [{ type: 'MPM', text: 'View items' }] }]);
    const input = { ...NOTHING, bodyData: { '1': 'Ada', '2': 'Bob' } };
    expect(previewTemplateMessage({ ...shop, mediaUrl: null }, input, NOW)).toMatchObject({
      missing: [],
      unsupported: ['BUTTON:MPM'],
    });
  });

  it('shows the example file if the send has none, and still lists media_url as missing', () => {
    const pictured = {
      ...template([
        { type: 'HEADER', format: 'IMAGE' },
        { type: 'BODY', text: 'Hello' },
      ]),
      mediaUrl: 'https://cdn.example/example.png',
    };
    expect(previewTemplateMessage(pictured, NOTHING, NOW)).toMatchObject({
      header: 'https://cdn.example/example.png',
      missing: ['media_url'],
    });
    const mediaUrl = 'https://cdn.example/own.png';
    expect(previewTemplateMessage(pictured, { ...NOTHING, mediaUrl }, NOW)).toMatchObject({
      header: mediaUrl,
      missing: [],
    });
  });
});
