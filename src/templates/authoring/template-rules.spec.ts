import { DomainError } from '../../errors/domain-error.js';
import { checkCarousel } from './carousel-rules.js';
import { readCarouselDraft, readTemplateDraft } from './draft-reader.js';
import { checkTemplate } from './template-rules.js';

type Fields = Record<string, unknown>;

const BASE: Fields = { name: 'order_update', category: 'MARKETING', body: { text: 'Hello' } };
const QUICK_REPLY = { type: 'QUICK_REPLY', text: 'Yes' };
const URL_BUTTON = { type: 'URL', text: 'Open', url: 'https://shop.example/' };
const COPY_CODE = { type: 'COPY_CODE', copy_code_example: 'SAVE10' };
const OFFER: Fields = {
  limited_time_offer: { text: 'Ends soon' },
  offer_code: 'SAVE10',
  buttons: [{ type: 'COPY_CODE' }],
};
const CARD: Fields = {
  header_format: 'IMAGE',
  media_url: 'https://cdn.example/1',
  body_text: 'One',
  buttons: [QUICK_REPLY],
};
const CAROUSEL: Fields = { name: 'sale', body: { text: 'Hello' }, cards: [CARD, CARD] };

const outcome = (work: () => void): string => {
  try {
    work();
    return 'accepted';
  } catch (error) {
    if (error instanceof DomainError) return `${error.status} ${error.format} ${error.message}`;
    throw error;
  }
};
const create = (fields: Fields): string => outcome(() => checkTemplate(readTemplateDraft({ ...BASE, ...fields })));
const carousel = (fields: Fields): string =>
  outcome(() => checkCarousel(readCarouselDraft({ ...CAROUSEL, ...fields })));
const cards = (...differences: Fields[]): string =>
  carousel({ cards: differences.map((difference) => ({ ...CARD, ...difference })) });

const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);
/** A letter of two UTF-16 units: limits count code points. */
const letters = (count: number): string => '😀'.repeat(count);

describe('creating a template', () => {
  it('accepts the smallest body', () => {
    expect(create({})).toBe('accepted');
  });

  describe.each([
    ['name', { name: 'a'.repeat(512) }, { name: 'a'.repeat(513) }, 'name must be at most 512 characters (got 513)'],
    [
      'body',
      { body: { text: letters(1024) } },
      { body: { text: letters(1025) } },
      'body.text must be at most 1024 characters (got 1025)',
    ],
    [
      'body of a limited-time offer',
      { ...OFFER, body: { text: letters(600) } },
      { ...OFFER, body: { text: letters(601) } },
      'body.text must be at most 600 characters (got 601)',
    ],
    [
      'header text',
      { header: { format: 'TEXT', text: letters(60) } },
      { header: { format: 'TEXT', text: letters(61) } },
      'header.text must be at most 60 characters (got 61)',
    ],
    [
      'footer',
      { footer: { text: letters(60) } },
      { footer: { text: letters(61) } },
      'footer.text must be at most 60 characters (got 61)',
    ],
    [
      'number of buttons, and of QUICK_REPLY among them',
      { buttons: times(10, QUICK_REPLY) },
      { buttons: times(11, QUICK_REPLY) },
      'buttons must have at most 10 entries (got 11)',
    ],
    [
      'number of URL buttons',
      { buttons: times(2, URL_BUTTON) },
      { buttons: times(3, URL_BUTTON) },
      'buttons must have at most 2 of type URL (got 3)',
    ],
    [
      'number of PHONE_NUMBER buttons',
      { buttons: [{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '15550001' }] },
      { buttons: times(2, { type: 'PHONE_NUMBER', text: 'Call', phone_number: '15550001' }) },
      'buttons must have at most 1 of type PHONE_NUMBER (got 2)',
    ],
    [
      'number of COPY_CODE buttons',
      { buttons: [COPY_CODE] },
      { buttons: times(2, COPY_CODE) },
      'buttons must have at most 1 of type COPY_CODE (got 2)',
    ],
    [
      'number of FLOW buttons',
      { buttons: [{ type: 'FLOW', text: 'Book', flow_id: '1' }] },
      { buttons: times(2, { type: 'FLOW', text: 'Book', flow_id: '1' }) },
      'buttons must have at most 1 of type FLOW (got 2)',
    ],
    [
      'label of a button',
      { buttons: [{ ...QUICK_REPLY, text: letters(25) }] },
      { buttons: [{ ...QUICK_REPLY, text: letters(26) }] },
      'buttons[0].text must be at most 25 characters (got 26)',
    ],
    [
      'label of a COPY_CODE button, which need not have one',
      { buttons: [{ ...COPY_CODE, text: letters(25) }] },
      { buttons: [{ ...COPY_CODE, text: letters(26) }] },
      'buttons[0].text must be at most 25 characters (got 26)',
    ],
    [
      'url of a button',
      { buttons: [{ ...URL_BUTTON, url: `https://s.example/${'a'.repeat(1982)}` }] },
      { buttons: [{ ...URL_BUTTON, url: `https://s.example/${'a'.repeat(1983)}` }] },
      'buttons[0].url must be at most 2000 characters (got 2001)',
    ],
    [
      'url_example',
      { buttons: [{ ...URL_BUTTON, url: 'https://s.example/{{1}}', url_example: letters(2000) }] },
      { buttons: [{ ...URL_BUTTON, url: 'https://s.example/{{1}}', url_example: letters(2001) }] },
      'buttons[0].url_example must be at most 2000 characters (got 2001)',
    ],
    [
      'digits of a phone_number',
      { buttons: [{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '1'.repeat(20) }] },
      { buttons: [{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '1'.repeat(21) }] },
      'buttons[0].phone_number must be 5 to 20 digits with the country code first (got 111111111111111111111)',
    ],
    [
      'copy_code_example',
      { buttons: [{ type: 'COPY_CODE', copy_code_example: letters(20) }] },
      { buttons: [{ type: 'COPY_CODE', copy_code_example: letters(21) }] },
      'buttons[0].copy_code_example must be at most 20 characters (got 21)',
    ],
    [
      'offer_code',
      { ...OFFER, offer_code: letters(15) },
      { ...OFFER, offer_code: letters(16) },
      'offer_code must be at most 15 characters (got 16)',
    ],
    [
      'text of a limited-time offer',
      { ...OFFER, limited_time_offer: { text: letters(16) } },
      { ...OFFER, limited_time_offer: { text: letters(17) } },
      'limited_time_offer.text must be at most 16 characters (got 17)',
    ],
    [
      'variables of a header',
      { header: { format: 'TEXT', text: '{{1}} and {{1}}' } },
      { header: { format: 'TEXT', text: '{{1}} and {{2}}' } },
      'header.text may contain at most 1 variable (got {{1}}, {{2}})',
    ],
  ])('limits the %s', (_, atLimit, beyond, detail) => {
    it('accepts the limit', () => {
      expect(create(atLimit)).toBe('accepted');
    });
    it('refuses one more with 422', () => {
      expect(create(beyond)).toBe(`422 detail ${detail}`);
    });
  });

  it.each([
    [
      'code_expiration_minutes',
      'AUTHENTICATION',
      [1, 90],
      [0, 91, 1.5],
      'code_expiration_minutes must be a whole number from 1 to 90',
    ],
    [
      'message_send_ttl_seconds',
      'AUTHENTICATION',
      [30, 900, -1],
      [29, 901, 0, -2, 30.5],
      'message_send_ttl_seconds must be a whole number from 30 to 900 for AUTHENTICATION templates, or -1',
    ],
    [
      'message_send_ttl_seconds',
      'UTILITY',
      [30, 43_200, -1],
      [29, 43_201],
      'message_send_ttl_seconds must be a whole number from 30 to 43200 for UTILITY templates, or -1',
    ],
    [
      'message_send_ttl_seconds',
      'MARKETING',
      [43_200, 2_592_000, -1],
      [43_199, 2_592_001],
      'message_send_ttl_seconds must be a whole number from 43200 to 2592000 for MARKETING templates, or -1',
    ],
  ])('keeps %s of %s within its range', (field, category, accepted, refused, rule) => {
    const body = category === 'AUTHENTICATION' ? null : { text: 'Hello' };
    for (const value of accepted) expect(create({ category, body, [field]: value })).toBe('accepted');
    for (const value of refused) {
      expect(create({ category, body, [field]: value })).toBe(`422 detail ${rule} (got ${value})`);
    }
  });

  it.each([
    [
      'an uppercase name',
      { name: 'Order' },
      'name must consist of lowercase letters, digits and underscores, such as order_update_2 (got Order)',
    ],
    [
      'a name with a dash',
      { name: 'order-update' },
      'name must consist of lowercase letters, digits and underscores, such as order_update_2 (got order-update)',
    ],
    [
      'an unknown category',
      { category: 'marketing' },
      'category must be one of MARKETING, UTILITY, AUTHENTICATION (got marketing)',
    ],
    [
      'a language that is no code',
      { language: 'English' },
      'language must be a code such as en_US or de (got English)',
    ],
    [
      'a name with a line break at its end',
      { name: 'order\n' },
      'name must consist of lowercase letters, digits and underscores, such as order_update_2 (got order\n)',
    ],
    [
      'a name of other letters and digits',
      { name: 'bestellung_für_२' },
      'name must consist of lowercase letters, digits and underscores, such as order_update_2 (got bestellung_für_२)',
    ],
    ['a blank language', { language: ' ' }, 'language must be a code such as en_US or de (got  )'],
    ['a language with a dash', { language: 'en-US' }, 'language must be a code such as en_US or de (got en-US)'],
    ['no body', { body: null }, 'body is required'],
    ['no body of UTILITY', { category: 'UTILITY', body: null }, 'body is required'],
    ['a body without text', { body: {} }, 'body.text is required'],
    ['a blank body', { body: { text: '  ' } }, 'body.text is required'],
    [
      'an unknown header format',
      { header: { format: 'GIF' } },
      'header.format must be one of TEXT, IMAGE, VIDEO, DOCUMENT, LOCATION (got GIF)',
    ],
    [
      'a header without format',
      { header: {} },
      'header.format is required: one of TEXT, IMAGE, VIDEO, DOCUMENT, LOCATION',
    ],
    [
      'a TEXT header without text',
      { header: { format: 'TEXT' } },
      'header.text is required when header.format is TEXT',
    ],
    ['a footer without text', { footer: {} }, 'footer.text is required'],
    ['a footer with variables', { footer: { text: 'Hi {{1}}' } }, 'footer.text must not contain variables (got {{1}})'],
    [
      'a footer with the beginning of a variable',
      { footer: { text: 'Hi {{1' } },
      'footer.text must not contain variables (got {{1)',
    ],
    [
      'a footer with a named variable',
      { footer: { text: 'Hi {{ name }}, bye' } },
      'footer.text must not contain variables (got {{ name }})',
    ],
    ['a blank footer', { footer: { text: ' ' } }, 'footer.text is required'],
    [
      'an unknown type of button',
      { buttons: [{ type: 'OTP' }] },
      'buttons[0].type must be one of QUICK_REPLY, URL, PHONE_NUMBER, COPY_CODE, FLOW (got OTP)',
    ],
    ['a button without text', { buttons: [{ type: 'QUICK_REPLY' }] }, 'buttons[0].text is required'],
    ['a URL button without url', { buttons: [{ type: 'URL', text: 'Open' }] }, 'buttons[0].url is required'],
    [
      'a URL that is not http',
      { buttons: [{ ...URL_BUTTON, url: 'ftp://s.example' }] },
      'buttons[0].url must start with http:// or https:// and a host (got ftp://s.example)',
    ],
    [
      'a URL without host',
      { buttons: [{ ...URL_BUTTON, url: 'https:///x' }] },
      'buttons[0].url must start with http:// or https:// and a host (got https:///x)',
    ],
    [
      'a variable inside a URL',
      { buttons: [{ ...URL_BUTTON, url: 'https://s.example/{{1}}/x' }] },
      'buttons[0].url may contain one variable, {{1}}, at its very end (got https://s.example/{{1}}/x)',
    ],
    [
      'a named variable in a URL',
      { buttons: [{ ...URL_BUTTON, url: 'https://s.example/{{id}}' }] },
      'buttons[0].url may contain one variable, {{1}}, at its very end (got https://s.example/{{id}})',
    ],
    [
      'a variable that completes the host',
      { buttons: [{ ...URL_BUTTON, url: 'https://s.example{{1}}' }] },
      'buttons[0].url must have a path before {{1}} (got https://s.example{{1}})',
    ],
    [
      'a PHONE_NUMBER button without number',
      { buttons: [{ type: 'PHONE_NUMBER', text: 'Call' }] },
      'buttons[0].phone_number is required for a PHONE_NUMBER button',
    ],
    [
      'a PHONE_NUMBER button with words',
      { buttons: [{ type: 'PHONE_NUMBER', text: 'Call', phone_number: 'me' }] },
      'buttons[0].phone_number must be 5 to 20 digits with the country code first (got me)',
    ],
    [
      'a phone_number of 4 digits',
      { buttons: [{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '1234' }] },
      'buttons[0].phone_number must be 5 to 20 digits with the country code first (got 1234)',
    ],
    [
      'a phone_number of other digits',
      { buttons: [{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '१२३४५६' }] },
      'buttons[0].phone_number must be 5 to 20 digits with the country code first (got १२३४५६)',
    ],
    [
      'a URL with blanks before its variable',
      { buttons: [{ ...URL_BUTTON, url: 'https://s.example/{{ 1 }}' }] },
      'buttons[0].url may contain one variable, {{1}}, at its very end (got https://s.example/{{ 1 }})',
    ],
    [
      'a URL with two variables',
      { buttons: [{ ...URL_BUTTON, url: 'https://s.example/{{1}}{{1}}' }] },
      'buttons[0].url may contain one variable, {{1}}, at its very end (got https://s.example/{{1}}{{1}})',
    ],
    [
      'a COPY_CODE button without example',
      { buttons: [{ type: 'COPY_CODE' }] },
      'buttons[0].copy_code_example is required for a COPY_CODE button unless offer_code is set',
    ],
    [
      'a FLOW button without flow',
      { buttons: [{ type: 'FLOW', text: 'Book' }] },
      'buttons[0].flow_id is required for a FLOW button',
    ],
    [
      'an unknown flow_action',
      { buttons: [{ type: 'FLOW', text: 'Book', flow_id: '1', flow_action: 'go' }] },
      'buttons[0].flow_action must be one of navigate, data_exchange (got go)',
    ],
    [
      'quick replies between other buttons',
      { buttons: [QUICK_REPLY, URL_BUTTON, QUICK_REPLY] },
      'buttons must keep its QUICK_REPLY buttons together (got QUICK_REPLY, URL, QUICK_REPLY)',
    ],
    [
      'an offer that is not MARKETING',
      { ...OFFER, category: 'UTILITY' },
      'limited_time_offer is for MARKETING templates only (got category UTILITY)',
    ],
    [
      'an offer of AUTHENTICATION',
      { ...OFFER, category: 'AUTHENTICATION', body: null, buttons: null },
      'limited_time_offer is for MARKETING templates only (got category AUTHENTICATION)',
    ],
    ['an offer without text', { ...OFFER, limited_time_offer: {} }, 'limited_time_offer.text is required'],
    [
      'an offer with a footer',
      { ...OFFER, footer: { text: 'Bye' } },
      'footer must be left out when limited_time_offer is set (got Bye)',
    ],
    [
      'an offer without offer_code',
      { ...OFFER, offer_code: null },
      'offer_code is required when limited_time_offer is set',
    ],
    [
      'an offer with a blank offer_code',
      { ...OFFER, offer_code: ' ' },
      'offer_code is required when limited_time_offer is set',
    ],
    [
      'an offer without buttons',
      { ...OFFER, buttons: null },
      'buttons[0] must be of type COPY_CODE when limited_time_offer is set (got no buttons)',
    ],
    [
      'an offer whose first button is another',
      { ...OFFER, buttons: [URL_BUTTON, COPY_CODE] },
      'buttons[0] must be of type COPY_CODE when limited_time_offer is set (got URL)',
    ],
    [
      'a recommendation outside AUTHENTICATION',
      { add_security_recommendation: false },
      'add_security_recommendation is for AUTHENTICATION templates only (got category MARKETING)',
    ],
    [
      'expiration minutes outside AUTHENTICATION',
      { code_expiration_minutes: 5 },
      'code_expiration_minutes is for AUTHENTICATION templates only (got category MARKETING)',
    ],
  ])('refuses %s (422)', (_, fields, detail) => {
    expect(create(fields)).toBe(`422 detail ${detail}`);
  });

  it.each([
    ['body', { body: { text: 'Your code' } }],
    ['header', { header: { format: 'TEXT', text: 'Code' } }],
    ['footer', { footer: { text: 'Bye' } }],
    ['buttons', { buttons: [QUICK_REPLY] }],
  ])('refuses %s on an AUTHENTICATION template (422)', (field, fields) => {
    expect(create({ body: null, ...fields, category: 'AUTHENTICATION' })).toBe(
      `422 detail ${field} is not accepted for AUTHENTICATION templates: the network writes their text`,
    );
  });

  it.each([
    'wa.me',
    'WA。me',
    'ｗａ.me',
    'wa%2eme',
    'w\na.me',
    'shop.example@wa.me',
    'wa.me:8443',
    'www.whatsapp.com',
    'FACEBOOK.com',
    'fb.com',
    'fb.me',
    'instagram.com',
    'meta.com',
    'm.messenger.com.',
  ])('refuses a button to the network’s own domain %s (422)', (host) => {
    expect(create({ buttons: [{ ...URL_BUTTON, url: `https://${host}/x/{{1}}` }] })).toMatch(
      /^422 detail buttons\[0\]\.url must not lead to the messaging network's own domain /,
    );
  });

  it.each(['https://notfacebook.com/', 'https://meta.com.example/', 'http://shop.example/?to=wa.me'])(
    'accepts a button to %s',
    (url) => {
      expect(create({ buttons: [{ ...URL_BUTTON, url }] })).toBe('accepted');
    },
  );

  it('counts characters as Unicode code points: not UTF-16 units, bytes, or what looks like one', () => {
    // Each of these looks like one character: one code point, two, and seven.
    expect(create({ header: { format: 'TEXT', text: '𝒜'.repeat(60) } })).toBe('accepted');
    expect(create({ header: { format: 'TEXT', text: 'e\u0301'.repeat(30) } })).toBe('accepted');
    expect(create({ header: { format: 'TEXT', text: 'e\u0301'.repeat(31) } })).toBe(
      '422 detail header.text must be at most 60 characters (got 62)',
    );
    expect(create({ header: { format: 'TEXT', text: '👨‍👩‍👧‍👦'.repeat(9) } })).toBe(
      '422 detail header.text must be at most 60 characters (got 63)',
    );
  });

  it('cuts off long values in messages, never within a character', () => {
    expect(create({ name: `a${'😀'.repeat(40)}` })).toBe(
      `422 detail name must consist of lowercase letters, digits and underscores, such as order_update_2 (got a${'😀'.repeat(29)}…)`,
    );
    expect(create({ body: { text: 'a', examples: { ['k'.repeat(100_000)]: 5 } } })).toBe(
      `422 detail body.examples.${'k'.repeat(60)}… must be a string (got 5)`,
    );
  });

  it('reports the number of entries, however large', () => {
    expect(create({ buttons: times(20_000, QUICK_REPLY) })).toBe(
      '422 detail buttons must have at most 10 entries (got 20000)',
    );
    expect(carousel({ cards: times(5000, CARD) })).toBe('422 detail cards must have 2 to 10 entries (got 5000)');
  });

  it('accepts each of the header formats, categories and types of button', () => {
    for (const format of ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION']) {
      const header = { format, ...(format === 'TEXT' ? { text: 'Order' } : {}) };
      expect(create({ header, media_url: 'https://cdn.example/a' })).toBe('accepted');
    }
    expect(create({ category: 'UTILITY' })).toBe('accepted');
    expect(create({ category: 'AUTHENTICATION', body: null })).toBe('accepted');
    const buttons = [
      QUICK_REPLY,
      URL_BUTTON,
      { type: 'PHONE_NUMBER', text: 'Call', phone_number: '12345' },
      COPY_CODE,
      { type: 'FLOW', text: 'Book', flow_id: '1', flow_action: 'data_exchange' },
    ];
    expect(create({ buttons })).toBe('accepted');
  });

  it.each(['en', 'en_US', 'pt_BR', 'fil', 'zh_HK'])('accepts the language %s', (language) => {
    expect(create({ language })).toBe('accepted');
  });

  it('accepts a COPY_CODE button without an example when offer_code is set', () => {
    expect(create({ buttons: [{ type: 'COPY_CODE' }], offer_code: 'SAVE10' })).toBe('accepted');
  });

  it.each(['IMAGE', 'VIDEO', 'DOCUMENT'])('requires media_url with a header of format %s (400)', (format) => {
    expect(create({ header: { format } })).toBe(`400 standard media_url is required when header.format is ${format}`);
    expect(create({ header: { format }, media_url: ' ' })).toMatch(/^400 standard media_url is required/);
    expect(create({ header: { format }, media_url: 'https://cdn.example/a' })).toBe('accepted');
  });
});

describe('variables', () => {
  const texts = (body: string, header?: string): string =>
    create({ body: { text: body }, ...(header === undefined ? {} : { header: { format: 'TEXT', text: header } }) });

  it.each([
    ['{{1}} {{2}} {{1}}', undefined],
    ['{{2}} before {{1}}', undefined],
    ['{{1}}', '{{1}}'],
    ['{{name}} {{_x1}}', '{{name}}'],
    ['{{ 1 }}', undefined],
    [Array.from({ length: 20 }, (_, index) => `{{${20 - index}}}`).join(' '), undefined],
    ['{{1} and {1}} and }}', undefined],
    ['{{{1}}}', undefined],
  ])('accepts %s with the header %s', (body, header) => {
    expect(texts(body, header)).toBe('accepted');
  });

  it.each([
    [
      '{{1}} and {{name}}',
      undefined,
      'numbered and named variables must not be mixed in one template: body.text has {{1}} and body.text has {{name}}',
    ],
    [
      '{{1}}',
      '{{name}}',
      'numbered and named variables must not be mixed in one template: body.text has {{1}} and header.text has {{name}}',
    ],
    [
      '{{1}} {{3}}',
      undefined,
      'body.text: variables must be numbered from {{1}} to {{2}} without gaps (got {{1}}, {{3}})',
    ],
    ['{{2}}', undefined, 'body.text: variables must be numbered from {{1}} to {{1}} without gaps (got {{2}})'],
    ['{{0}}', undefined, 'body.text: variables must be numbered from {{1}} to {{1}} without gaps (got {{0}})'],
    ['{{01}}', undefined, 'body.text: variables must be numbered from {{1}} to {{1}} without gaps (got {{01}})'],
    ['{{1}}', '{{2}}', 'header.text: variables must be numbered from {{1}} to {{1}} without gaps (got {{2}})'],
    [
      '{{Name}} {{name}}',
      undefined,
      'variable names are case-insensitive: {{Name}} and {{name}} must be written the same way or renamed',
    ],
    [
      '{{name}}',
      '{{NAME}}',
      'variable names are case-insensitive: {{NAME}} and {{name}} must be written the same way or renamed',
    ],
    [
      '{{1a}}',
      undefined,
      'body.text: {{1a}} is neither a number, such as {{1}}, nor a name of letters, digits and underscores, such as {{name}}',
    ],
    [
      '{{}}',
      undefined,
      'body.text: {{}} is neither a number, such as {{1}}, nor a name of letters, digits and underscores, such as {{name}}',
    ],
    [
      '{{१}}',
      undefined,
      'body.text: {{१}} is neither a number, such as {{1}}, nor a name of letters, digits and underscores, such as {{name}}',
    ],
    [
      '{{größe}}',
      undefined,
      'body.text: {{größe}} is neither a number, such as {{1}}, nor a name of letters, digits and underscores, such as {{name}}',
    ],
    [
      '{{99999999999999999999}}',
      undefined,
      'body.text: variables must be numbered from {{1}} to {{1}} without gaps (got {{99999999999999999999}})',
    ],
    [
      '{{first name}}',
      undefined,
      'body.text: {{first name}} is neither a number, such as {{1}}, nor a name of letters, digits and underscores, such as {{name}}',
    ],
  ])('refuses %s with the header %s (422)', (body, header, detail) => {
    expect(texts(body, header)).toBe(`422 detail ${detail}`);
  });
});

describe('creating a carousel', () => {
  it('accepts 2 to 10 cards', () => {
    expect(carousel({ cards: times(2, CARD) })).toBe('accepted');
    expect(carousel({ cards: times(10, CARD) })).toBe('accepted');
    expect(carousel({ cards: times(1, CARD) })).toBe('422 detail cards must have 2 to 10 entries (got 1)');
    expect(carousel({ cards: times(11, CARD) })).toBe('422 detail cards must have 2 to 10 entries (got 11)');
    expect(carousel({ cards: null })).toBe('422 detail cards must have 2 to 10 entries (got 0)');
  });

  it('accepts 1 to 2 buttons on a card', () => {
    expect(carousel({ cards: times(2, { ...CARD, buttons: times(2, QUICK_REPLY) }) })).toBe('accepted');
    expect(cards({ buttons: [] }, {})).toBe('422 detail cards[0].buttons must have 1 to 2 entries (got 0)');
    expect(cards({}, { buttons: times(3, QUICK_REPLY) })).toBe(
      '422 detail cards[1].buttons must have 1 to 2 entries (got 3)',
    );
  });

  it('limits the text of a card to 160 characters', () => {
    expect(cards({ body_text: letters(160) }, {})).toBe('accepted');
    expect(cards({ body_text: letters(161) }, {})).toBe(
      '422 detail cards[0].body_text must be at most 160 characters (got 161)',
    );
  });

  it.each([
    [
      'different header formats',
      [{}, { header_format: 'VIDEO' }],
      'all cards must have the same header_format (cards[0] has IMAGE, cards[1] has VIDEO)',
    ],
    [
      'different buttons',
      [{}, {}, { buttons: [URL_BUTTON] }],
      'all cards must have the same button types in the same order (cards[0] has QUICK_REPLY, cards[2] has URL)',
    ],
    [
      'the same buttons in another order',
      [{ buttons: [QUICK_REPLY, URL_BUTTON] }, { buttons: [URL_BUTTON, QUICK_REPLY] }],
      'all cards must have the same button types in the same order (cards[0] has QUICK_REPLY, URL, cards[1] has URL, QUICK_REPLY)',
    ],
    [
      'a text on some cards only',
      [{}, { body_text: null }],
      'either all cards or no cards must have body_text (cards[0] has one, cards[1] has none)',
    ],
    [
      'a text on later cards only',
      [{ body_text: '' }, {}],
      'either all cards or no cards must have body_text (cards[1] has one, cards[0] has none)',
    ],
    [
      'an unknown header format',
      [{ header_format: 'TEXT' }, {}],
      'cards[0].header_format must be one of IMAGE, VIDEO (got TEXT)',
    ],
    ['no header format', [{}, { header_format: null }], 'cards[1].header_format is required: one of IMAGE, VIDEO'],
    [
      'the beginning of a variable in a card’s text',
      [{ body_text: 'Hi {{' }, {}],
      'cards[0].body_text must not contain variables (got {{)',
    ],
    [
      'a variable in a card’s text',
      [{ body_text: 'Hi {{1}}' }, {}],
      'cards[0].body_text must not contain variables (got {{1}})',
    ],
    [
      'a COPY_CODE button',
      [{ buttons: [COPY_CODE] }, {}],
      'cards[0].buttons[0].type must be one of QUICK_REPLY, URL, PHONE_NUMBER on a card (got COPY_CODE)',
    ],
    [
      'a broken button',
      [{}, { buttons: [{ type: 'QUICK_REPLY', text: letters(26) }] }],
      'cards[1].buttons[0].text must be at most 25 characters (got 26)',
    ],
  ])('refuses %s (422)', (_, differences, detail) => {
    expect(cards(...differences)).toBe(`422 detail ${detail}`);
  });

  it('checks name, body and ttl as for any MARKETING template', () => {
    expect(carousel({ name: 'A' })).toMatch(/^422 detail name must consist of/);
    expect(carousel({ body: null })).toBe('422 detail body is required');
    expect(carousel({ body: { text: letters(1025) } })).toBe(
      '422 detail body.text must be at most 1024 characters (got 1025)',
    );
    expect(carousel({ body: { text: '{{2}}' } })).toMatch(/^422 detail body.text: variables must be numbered/);
    expect(carousel({ message_send_ttl_seconds: 30 })).toMatch(/^422 detail message_send_ttl_seconds/);
  });

  it('accepts cards without a text, and URLs with a variable', () => {
    const buttons = [{ ...URL_BUTTON, url: 'https://shop.example/{{1}}' }];
    expect(carousel({ cards: times(2, { ...CARD, body_text: null, buttons }) })).toBe('accepted');
  });

  it('requires media_url on each card (400)', () => {
    expect(cards({}, { media_url: null })).toBe('400 standard cards[1].media_url is required');
  });
});

describe('JSON types of a carousel', () => {
  it.each([
    [{ name: undefined }, '400 standard name is required'],
    [{ name: ['sale'] }, '400 standard name must be a string (got ["sale"])'],
    [{ waba_phone_id: 5 }, '400 standard waba_phone_id must be an id (got 5)'],
    [{ language: 5 }, '422 detail language must be a string (got 5)'],
    [{ body: [] }, '422 detail body must be an object (got [])'],
    [{ cards: {} }, '422 detail cards must be an array (got {})'],
    [{ cards: ['x', 'y'] }, '422 detail cards[0] must be an object (got x)'],
    [{ cards: [CARD, null] }, '422 detail cards[1] must be an object (got null)'],
    [{ cards: [CARD, { ...CARD, header_format: 5 }] }, '422 detail cards[1].header_format must be a string (got 5)'],
    [{ cards: [{ ...CARD, media_url: {} }, CARD] }, '422 detail cards[0].media_url must be a string (got {})'],
    [{ cards: [{ ...CARD, body_text: 5 }, CARD] }, '422 detail cards[0].body_text must be a string (got 5)'],
    [{ cards: [{ ...CARD, buttons: {} }, CARD] }, '422 detail cards[0].buttons must be an array (got {})'],
    [{ cards: [{ ...CARD, buttons: [5] }, CARD] }, '422 detail cards[0].buttons[0] must be an object (got 5)'],
    [
      { cards: [{ ...CARD, buttons: [{ type: 5 }] }, CARD] },
      '422 detail cards[0].buttons[0].type must be a string (got 5)',
    ],
    [{ message_send_ttl_seconds: true }, '422 detail message_send_ttl_seconds must be a number (got true)'],
  ])('answers %j', (fields, answer) => {
    expect(carousel(fields)).toBe(answer);
  });

  it('ignores fields that carousels do not have, including category, which is always MARKETING', () => {
    expect(carousel({ category: 5, header: 5, footer: 5, buttons: 5, limited_time_offer: 5 })).toBe('accepted');
  });
});

describe('JSON types', () => {
  it.each([
    [{ name: undefined }, 'name is required'],
    [{ name: null }, 'name is required'],
    [{ name: ' ' }, 'name is required and must not be blank'],
    [{ name: 5 }, 'name must be a string (got 5)'],
    [{ category: undefined }, 'category is required'],
    [{ category: ['MARKETING'] }, 'category must be a string (got ["MARKETING"])'],
    [{ waba_phone_id: 'x' }, 'waba_phone_id must be an id (got x)'],
    [{ waba_phone_id: 5 }, 'waba_phone_id must be an id (got 5)'],
  ])('answers 400 to %j', (fields, message) => {
    expect(create(fields)).toBe(`400 standard ${message}`);
  });

  it.each([
    [{ language: 5 }, 'language must be a string (got 5)'],
    [{ header: 'TEXT' }, 'header must be an object (got TEXT)'],
    [{ header: { format: 5 } }, 'header.format must be a string (got 5)'],
    [{ header: { format: 'TEXT', text: {} } }, 'header.text must be a string (got {})'],
    [
      { header: { format: 'TEXT', text: 'a', text_example: [] } },
      'header.text_example must be an object of strings (got [])',
    ],
    [{ media_url: 5 }, 'media_url must be a string (got 5)'],
    [{ body: 'Hello' }, 'body must be an object (got Hello)'],
    [{ body: { text: 5 } }, 'body.text must be a string (got 5)'],
    [{ body: { text: 'a', examples: { '1': 5 } } }, 'body.examples.1 must be a string (got 5)'],
    [{ footer: 'Bye' }, 'footer must be an object (got Bye)'],
    [{ buttons: {} }, 'buttons must be an array (got {})'],
    [{ buttons: ['Yes'] }, 'buttons[0] must be an object (got Yes)'],
    [{ buttons: [{ type: 'QUICK_REPLY', text: 5 }] }, 'buttons[0].text must be a string (got 5)'],
    [{ limited_time_offer: true }, 'limited_time_offer must be an object (got true)'],
    [
      { limited_time_offer: { text: 'a', has_expiration: 1 } },
      'limited_time_offer.has_expiration must be true or false (got 1)',
    ],
    [{ offer_code: 5 }, 'offer_code must be a string (got 5)'],
    [{ add_security_recommendation: 'yes' }, 'add_security_recommendation must be true or false (got yes)'],
    [{ code_expiration_minutes: '5' }, 'code_expiration_minutes must be a number (got 5)'],
    [{ message_send_ttl_seconds: '60' }, 'message_send_ttl_seconds must be a number (got 60)'],
  ])('answers 422 to %j', (fields, detail) => {
    expect(create(fields)).toBe(`422 detail ${detail}`);
  });

  it.each([[[]], ['text'], [null]])('answers 400 to a body that is %j', (body) => {
    expect(outcome(() => void readTemplateDraft(body))).toBe('400 standard the request body must be a JSON object');
  });

  it('treats a missing body as an empty one', () => {
    expect(outcome(() => void readTemplateDraft(undefined))).toBe('400 standard name is required');
  });
});
