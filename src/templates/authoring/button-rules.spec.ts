import { COPY_CODE, create, letters, QUICK_REPLY, times, URL_BUTTON } from './template-drafts.fixture.js';

describe('buttons of a template', () => {
  it.each([
    [
      'number of buttons, all of them QUICK_REPLY',
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
      'optional label of a COPY_CODE button',
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
      { buttons: [{ ...URL_BUTTON, url: 'https://s.example/{{1}}', url_example: 'a'.repeat(2000) }] },
      { buttons: [{ ...URL_BUTTON, url: 'https://s.example/{{1}}', url_example: 'a'.repeat(2001) }] },
      'buttons[0].url_example must be at most 2000 characters (got 2001)',
    ],
    [
      'number of digits in phone_number',
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
  ])('limits the %s (422)', (_, atLimit, beyond, detail) => {
    expect(create(atLimit)).toBe('accepted');
    expect(create(beyond)).toBe(`422 detail ${detail}`);
  });

  it.each([
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
      'a variable as part of the host',
      { buttons: [{ ...URL_BUTTON, url: 'https://s.example{{1}}' }] },
      'buttons[0].url must have a path before {{1}} (got https://s.example{{1}})',
    ],
    [
      'a PHONE_NUMBER button without number',
      { buttons: [{ type: 'PHONE_NUMBER', text: 'Call' }] },
      'buttons[0].phone_number is required for a PHONE_NUMBER button',
    ],
    [
      'a PHONE_NUMBER button with letters',
      { buttons: [{ type: 'PHONE_NUMBER', text: 'Call', phone_number: 'me' }] },
      'buttons[0].phone_number must be 5 to 20 digits with the country code first (got me)',
    ],
    [
      'a phone_number of 4 digits',
      { buttons: [{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '1234' }] },
      'buttons[0].phone_number must be 5 to 20 digits with the country code first (got 1234)',
    ],
    [
      'a phone_number with non-ASCII digits',
      { buttons: [{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '१२३४५६' }] },
      'buttons[0].phone_number must be 5 to 20 digits with the country code first (got १२३४५६)',
    ],
    [
      'a URL with blanks inside its variable',
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
  ])('rejects %s (422)', (_, fields, detail) => {
    expect(create(fields)).toBe(`422 detail ${detail}`);
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
  ])('rejects a URL on the network’s own domain %s (422)', (host) => {
    expect(create({ buttons: [{ ...URL_BUTTON, url: `https://${host}/x/{{1}}` }] })).toMatch(
      /^422 detail buttons\[0\]\.url must not lead to the messaging network's own domain /,
    );
  });

  it.each(['https://notfacebook.com/', 'https://meta.com.example/', 'http://shop.example/?to=wa.me'])(
    'accepts the URL %s',
    (url) => {
      expect(create({ buttons: [{ ...URL_BUTTON, url }] })).toBe('accepted');
    },
  );

  it('accepts a COPY_CODE button without an example when offer_code is set', () => {
    expect(create({ buttons: [{ type: 'COPY_CODE' }], offer_code: 'SAVE10' })).toBe('accepted');
  });

  it('reports the number of buttons, however many there are', () => {
    expect(create({ buttons: times(20_000, QUICK_REPLY) })).toBe(
      '422 detail buttons must have at most 10 entries (got 20000)',
    );
  });

  it('accepts each type', () => {
    const buttons = [
      QUICK_REPLY,
      URL_BUTTON,
      { type: 'PHONE_NUMBER', text: 'Call', phone_number: '12345' },
      COPY_CODE,
      { type: 'FLOW', text: 'Book', flow_id: '1', flow_action: 'data_exchange' },
    ];
    expect(create({ buttons })).toBe('accepted');
  });
});
