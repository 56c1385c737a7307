import type { NetworkComponent } from './template.js';
import { unsupportedParts } from './template-support.js';

const BODY = { type: 'BODY', text: 'Hi {{1}}' };
const buttons = (...list: unknown[]) => ({ type: 'BUTTONS', buttons: list });
const quickReply = { type: 'QUICK_REPLY', text: 'Yes' };
const url = (address: unknown) => ({ type: 'URL', text: 'Open', url: address });
const card = (...components: unknown[]) => ({ components });
const picture = { type: 'HEADER', format: 'IMAGE' };
const carousel = (...cards: unknown[]) => ({ type: 'CAROUSEL', cards });

const of = (components: NetworkComponent[], category: 'UTILITY' | 'AUTHENTICATION' = 'UTILITY') =>
  unsupportedParts({ category, components });

describe('what cannot be filled in', () => {
  it.each<[string, NetworkComponent[]]>([
    [
      'body, header and footer',
      [{ type: 'HEADER', format: 'TEXT', text: '{{1}}' }, BODY, { type: 'FOOTER', text: 'x' }],
    ],
    ['named variables', [{ type: 'BODY', text: 'Hi {{first_name}}' }]],
    [
      'lower-case names',
      [
        { type: 'header', format: 'location' },
        { type: 'body', text: 'Hi' },
      ],
    ],
    ...['IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION'].map((format): [string, NetworkComponent[]] => [
      `a ${format} header`,
      [{ type: 'HEADER', format }, BODY],
    ]),
    [
      'buttons',
      [
        BODY,
        buttons(
          quickReply,
          url('https://shop.example/{{1}}'),
          url('https://shop.example/'),
          { type: 'PHONE_NUMBER', text: 'Call', phone_number: '1555' },
          { type: 'COPY_CODE', example: 'A' },
          { type: 'FLOW', text: 'Book', flow_id: '7' },
        ),
      ],
    ],
    ['an offer', [{ type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Soon' } }, BODY]],
    [
      'cards',
      [BODY, carousel(card(picture, { type: 'BODY', text: 'One' }, buttons(quickReply, url('https://a/{{1}}'))))],
    ],
  ])('is nothing in a template with %s', (_, components) => {
    expect(of(components)).toEqual([]);
  });

  it.each<[string, NetworkComponent[]]>([
    ['HEADER:GIF', [{ type: 'HEADER', format: 'GIF' }, BODY]],
    ['HEADER:PRODUCT', [{ type: 'HEADER', format: 'PRODUCT' }, BODY]],
    ['HEADER:UNKNOWN', [{ type: 'HEADER' }, BODY]],
    ['HEADER:UNKNOWN', [{ type: 'HEADER', format: 'TEXT' }, BODY]],
    ['BODY:UNKNOWN', [{ type: 'BODY' }]],
    ['BODY:{{1a}}', [{ type: 'BODY', text: 'Hi {{1a}}' }]],
    ['FOOTER:{{1}}', [BODY, { type: 'FOOTER', text: 'Bye {{1}}' }]],
    ...['CATALOG', 'MPM', 'SPM', 'ORDER_DETAILS', 'VOICE_CALL', 'REQUEST_CONTACT_INFO', 'OTP', 'SOMETHING_NEW'].map(
      (type): [string, NetworkComponent[]] => [`BUTTON:${type}`, [BODY, buttons(quickReply, { type, text: 'x' })]],
    ),
    ['BUTTON:UNKNOWN', [BODY, buttons(null)]],
    ['COMPONENT:BUTTONS', [BODY, { type: 'BUTTONS' }]],
    ['URL:{{2}}', [BODY, buttons(url('https://shop.example/{{1}}/{{2}}'))]],
    ['URL:UNKNOWN', [BODY, buttons(url(undefined))]],
    ['COMPONENT:CALL_PERMISSION_REQUEST', [BODY, { type: 'call_permission_request' }]],
    ['COMPONENT:SOMETHING_NEW', [BODY, { type: 'SOMETHING_NEW' }]],
    ['COMPONENT:UNKNOWN', [BODY, {}]],
    ['COMPONENT:BODY', [BODY, BODY]],
    ['COMPONENT:LIMITED_TIME_OFFER', [BODY, { type: 'LIMITED_TIME_OFFER' }]],
    ['COMPONENT:CAROUSEL', [BODY, { type: 'CAROUSEL' }]],
    ['CARD_HEADER:PRODUCT', [BODY, carousel(card({ type: 'HEADER', format: 'PRODUCT' }, buttons(quickReply)))]],
    ['CARD_HEADER:NONE', [BODY, carousel(card(buttons(quickReply)))]],
    ['CARD_HEADER:NONE', [BODY, carousel(null)]],
    ['CARD_BUTTON:SPM', [BODY, carousel(card(picture, buttons({ type: 'SPM', text: 'View' })))]],
    ['CARD_BUTTON:COPY_CODE', [BODY, carousel(card(picture, buttons({ type: 'COPY_CODE', example: 'A' })))]],
    ['CARD_URL:{{2}}', [BODY, carousel(card(picture, buttons(url('https://shop.example/{{1}}/{{2}}'))))]],
    ['CARD_BODY:{{1}}', [BODY, carousel(card(picture, BODY, buttons(quickReply)))]],
    ['CARD_COMPONENT:FOOTER', [BODY, carousel(card(picture, { type: 'FOOTER', text: 'x' }))]],
  ])('is %s', (part, components) => {
    expect(of(components)).toEqual([part]);
  });

  it('is named once, in the order of the template', () => {
    const product = card({ type: 'HEADER', format: 'PRODUCT' }, buttons({ type: 'SPM', text: 'View' }));
    expect(of([{ type: 'HEADER', format: 'GIF' }, BODY, carousel(product, product)])).toEqual([
      'HEADER:GIF',
      'CARD_HEADER:PRODUCT',
      'CARD_BUTTON:SPM',
    ]);
  });

  describe('of a one-time code', () => {
    const text = { type: 'BODY', text: '*{{1}}* is your code' };
    const footer = { type: 'FOOTER', text: 'Expires in 5 minutes', code_expiration_minutes: 5 };
    const copies = buttons(url('https://network.example/otp?code=otp{{1}}'));

    it.each<[string, NetworkComponent[]]>([
      ['as it is read back', [text, footer, copies]],
      [
        'before that',
        [{ type: 'BODY', add_security_recommendation: true }, { type: 'FOOTER' }, buttons({ type: 'OTP' })],
      ],
      ...['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'].map((otp_type): [string, NetworkComponent[]] => [
        otp_type,
        [text, buttons({ type: 'OTP', otp_type })],
      ]),
    ])('is nothing: %s', (_, components) => {
      expect(of(components, 'AUTHENTICATION')).toEqual([]);
    });

    it.each<[string, NetworkComponent[]]>([
      ['BUTTON:NONE', [text]],
      ['BUTTON:URL', [text, buttons(url('https://shop.example/'))]],
      ['BUTTON:QUICK_REPLY', [text, buttons(...copies.buttons, quickReply)]],
      ['OTP:SOMETHING_NEW', [text, buttons({ type: 'OTP', otp_type: 'SOMETHING_NEW' })]],
      ['BODY:{{2}}', [{ type: 'BODY', text: '{{1}} for {{2}}' }, copies]],
      ['HEADER:TEXT', [{ type: 'HEADER', format: 'TEXT', text: 'Code' }, text, copies]],
    ])('is %s', (part, components) => {
      expect(of(components, 'AUTHENTICATION')).toEqual([part]);
    });
  });

  it('is nothing in components that cannot be read at all: those are reported when they are sent', () => {
    expect(of({} as never)).toEqual([]);
  });
});
