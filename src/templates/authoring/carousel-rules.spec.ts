import {
  CARD,
  COPY_CODE,
  createCards,
  createCarousel,
  letters,
  QUICK_REPLY,
  times,
  URL_BUTTON,
} from './template-drafts.fixture.js';

describe('a carousel', () => {
  it('accepts 2 to 10 cards', () => {
    expect(createCarousel({ cards: times(2, CARD) })).toBe('accepted');
    expect(createCarousel({ cards: times(10, CARD) })).toBe('accepted');
    expect(createCarousel({ cards: times(1, CARD) })).toBe('422 detail cards must have 2 to 10 entries (got 1)');
    expect(createCarousel({ cards: times(11, CARD) })).toBe('422 detail cards must have 2 to 10 entries (got 11)');
    expect(createCarousel({ cards: times(5000, CARD) })).toBe('422 detail cards must have 2 to 10 entries (got 5000)');
    expect(createCarousel({ cards: null })).toBe('422 detail cards must have 2 to 10 entries (got 0)');
  });

  it('accepts 1 to 2 buttons on a card', () => {
    expect(createCarousel({ cards: times(2, { ...CARD, buttons: times(2, QUICK_REPLY) }) })).toBe('accepted');
    expect(createCards({ buttons: [] }, {})).toBe('422 detail cards[0].buttons must have 1 to 2 entries (got 0)');
    expect(createCards({}, { buttons: times(3, QUICK_REPLY) })).toBe(
      '422 detail cards[1].buttons must have 1 to 2 entries (got 3)',
    );
  });

  it('limits the text of a card to 160 characters', () => {
    expect(createCards({ body_text: letters(160) }, {})).toBe('accepted');
    expect(createCards({ body_text: letters(161) }, {})).toBe(
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
      'an unfinished variable in a card’s text',
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
      'an invalid button',
      [{}, { buttons: [{ type: 'QUICK_REPLY', text: letters(26) }] }],
      'cards[1].buttons[0].text must be at most 25 characters (got 26)',
    ],
  ])('rejects %s (422)', (_, differences, detail) => {
    expect(createCards(...differences)).toBe(`422 detail ${detail}`);
  });

  it('checks name, body and ttl like any MARKETING template', () => {
    expect(createCarousel({ name: 'A' })).toMatch(/^422 detail name must consist of/);
    expect(createCarousel({ body: null })).toBe('422 detail body is required');
    expect(createCarousel({ body: { text: letters(1025) } })).toBe(
      '422 detail body.text must be at most 1024 characters (got 1025)',
    );
    expect(createCarousel({ body: { text: '{{2}}' } })).toMatch(/^422 detail body.text: variables must be numbered/);
    expect(createCarousel({ message_send_ttl_seconds: 30 })).toMatch(/^422 detail message_send_ttl_seconds/);
  });

  it('accepts cards without text, and URLs with a variable', () => {
    const buttons = [{ ...URL_BUTTON, url: 'https://shop.example/{{1}}' }];
    expect(createCarousel({ cards: times(2, { ...CARD, body_text: null, buttons }) })).toBe('accepted');
  });

  it('requires media_url on each card (400)', () => {
    expect(createCards({}, { media_url: null })).toBe(
      '400 standard cards[1].media_url is required, unless media_id is given',
    );
  });
});
