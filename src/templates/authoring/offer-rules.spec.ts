import { COPY_CODE, create, letters, OFFER, URL_BUTTON } from './template-drafts.fixture.js';

describe('a limited-time offer', () => {
  it.each([
    [
      'body of its template',
      { ...OFFER, body: { text: letters(600) } },
      { ...OFFER, body: { text: letters(601) } },
      'body.text must be at most 600 characters (got 601)',
    ],
    [
      'offer_code',
      { ...OFFER, offer_code: letters(15) },
      { ...OFFER, offer_code: letters(16) },
      'offer_code must be at most 15 characters (got 16)',
    ],
    [
      'text',
      { ...OFFER, limited_time_offer: { text: letters(16) } },
      { ...OFFER, limited_time_offer: { text: letters(17) } },
      'limited_time_offer.text must be at most 16 characters (got 17)',
    ],
  ])('limits the %s (422)', (_, atLimit, beyond, detail) => {
    expect(create(atLimit)).toBe('accepted');
    expect(create(beyond)).toBe(`422 detail ${detail}`);
  });

  it.each(['IMAGE', 'VIDEO'])('takes an %s header', (format) => {
    expect(create({ ...OFFER, header: { format }, media_url: 'https://cdn.example/1' })).toBe('accepted');
  });

  it.each([
    ...['TEXT', 'DOCUMENT', 'LOCATION'].map((format): [string, Record<string, unknown>, string] => [
      `a ${format} header`,
      { ...OFFER, header: { format, text: 'Sale' }, media_url: 'https://cdn.example/1' },
      `header.format must be IMAGE or VIDEO, or header left out, when limited_time_offer is set (got ${format})`,
    ]),
    [
      'a category other than MARKETING',
      { ...OFFER, category: 'UTILITY' },
      'limited_time_offer is for MARKETING templates only (got category UTILITY)',
    ],
    [
      'the category AUTHENTICATION',
      { ...OFFER, category: 'AUTHENTICATION', body: null, buttons: null },
      'limited_time_offer is for MARKETING templates only (got category AUTHENTICATION)',
    ],
    ['no text', { ...OFFER, limited_time_offer: { has_expiration: true } }, 'limited_time_offer.text is required'],
    [
      'a footer',
      { ...OFFER, footer: { text: 'Bye' } },
      'footer must be left out when limited_time_offer is set (got Bye)',
    ],
    ['no offer_code', { ...OFFER, offer_code: null }, 'offer_code is required when limited_time_offer is set'],
    ['a blank offer_code', { ...OFFER, offer_code: ' ' }, 'offer_code is required when limited_time_offer is set'],
    [
      'no buttons',
      { ...OFFER, buttons: null },
      'buttons[0] must be of type COPY_CODE when limited_time_offer is set (got no buttons)',
    ],
    [
      'a first button other than COPY_CODE',
      { ...OFFER, buttons: [URL_BUTTON, COPY_CODE] },
      'buttons[0] must be of type COPY_CODE when limited_time_offer is set (got URL)',
    ],
  ])('rejects %s (422)', (_, fields, detail) => {
    expect(create(fields)).toBe(`422 detail ${detail}`);
  });
});
