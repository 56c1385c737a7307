import { CARD, create, createCarousel } from '../authoring/template-drafts.fixture.js';

describe('the body of a template', () => {
  it.each([
    [{ name: undefined }, 'name is required'],
    [{ name: null }, 'name is required'],
    [{ name: ' ' }, 'name is required and must not be blank'],
    [{ name: 5 }, 'name must be a string, not a number (5)'],
    [{ category: undefined }, 'category is required'],
    [{ category: ['MARKETING'] }, 'category must be a string, not an array (["MARKETING"])'],
    [{ waba_phone_id: 'x' }, 'waba_phone_id must be an id (got x)'],
    [{ waba_phone_id: 5 }, 'waba_phone_id must be an id, not a number (5)'],
  ])('answers 400 to %j', (fields, message) => {
    expect(create(fields)).toBe(`400 standard ${message}`);
  });

  it.each([
    [{ language: 5 }, 'language must be a string, not a number (5)'],
    [{ header: 'TEXT' }, 'header must be an object, not a string ("TEXT")'],
    [{ header: { format: 5 } }, 'header.format must be a string, not a number (5)'],
    [{ header: { format: 'TEXT', text: {} } }, 'header.text must be a string, not an object ({})'],
    [
      { header: { format: 'TEXT', text: 'a', text_example: ['a'] } },
      'header.text_example must be an object of strings, not an array (["a"])',
    ],
    [{ media_url: 5 }, 'media_url must be a string, not a number (5)'],
    [{ body: 'Hello' }, 'body must be an object, not a string ("Hello")'],
    [{ body: { text: 5 } }, 'body.text must be a string, not a number (5)'],
    [{ body: { text: 'a', examples: { '1': 5 } } }, 'body.examples.1 must be a string, not a number (5)'],
    [{ footer: 'Bye' }, 'footer must be an object, not a string ("Bye")'],
    [{ buttons: {} }, 'buttons must be an array, not an object ({})'],
    [{ buttons: ['Yes'] }, 'buttons[0] must be an object, not a string ("Yes")'],
    [{ buttons: [{ type: 'QUICK_REPLY', text: 5 }] }, 'buttons[0].text must be a string, not a number (5)'],
    [{ limited_time_offer: true }, 'limited_time_offer must be an object, not a boolean (true)'],
    [
      { limited_time_offer: { text: 'a', has_expiration: 1 } },
      'limited_time_offer.has_expiration must be true or false, not a number (1)',
    ],
    [{ offer_code: 5 }, 'offer_code must be a string, not a number (5)'],
    [{ add_security_recommendation: 'yes' }, 'add_security_recommendation must be true or false, not a string ("yes")'],
    [{ code_expiration_minutes: '5' }, 'code_expiration_minutes must be a number, not a string ("5")'],
    [{ message_send_ttl_seconds: '60' }, 'message_send_ttl_seconds must be a number, not a string ("60")'],
  ])('answers 422 to %j', (fields, detail) => {
    expect(create(fields)).toBe(`422 detail ${detail}`);
  });
});

describe('the body of a carousel', () => {
  it.each([
    [{ name: undefined }, '400 standard name is required'],
    [{ name: ['sale'] }, '400 standard name must be a string, not an array (["sale"])'],
    [{ waba_phone_id: 5 }, '400 standard waba_phone_id must be an id, not a number (5)'],
    [{ language: 5 }, '422 detail language must be a string, not a number (5)'],
    [{ body: [] }, '422 detail body must be an object, not an array ([])'],
    [{ cards: {} }, '422 detail cards must be an array, not an object ({})'],
    [{ cards: ['x', 'y'] }, '422 detail cards[0] must be an object, not a string ("x")'],
    [{ cards: ['x'] }, '422 detail cards[0] must be an object, not a string ("x")'],
    [{ cards: [CARD, null] }, '422 detail cards[1] must be an object, not null'],
    [
      { cards: [CARD, { ...CARD, header_format: 5 }] },
      '422 detail cards[1].header_format must be a string, not a number (5)',
    ],
    [
      { cards: [{ ...CARD, media_url: {} }, CARD] },
      '422 detail cards[0].media_url must be a string, not an object ({})',
    ],
    [{ cards: [{ ...CARD, body_text: 5 }, CARD] }, '422 detail cards[0].body_text must be a string, not a number (5)'],
    [{ cards: [{ ...CARD, buttons: {} }, CARD] }, '422 detail cards[0].buttons must be an array, not an object ({})'],
    [
      { cards: [{ ...CARD, buttons: [5] }, CARD] },
      '422 detail cards[0].buttons[0] must be an object, not a number (5)',
    ],
    [
      { cards: [{ ...CARD, buttons: [{ type: 5 }] }, CARD] },
      '422 detail cards[0].buttons[0].type must be a string, not a number (5)',
    ],
    [{ message_send_ttl_seconds: true }, '422 detail message_send_ttl_seconds must be a number, not a boolean (true)'],
  ])('answers %j', (fields, answer) => {
    expect(createCarousel(fields)).toBe(answer);
  });

  it('ignores fields that carousels do not have, including category: they are MARKETING', () => {
    expect(createCarousel({ category: 5, header: 5, footer: 5, buttons: 5, limited_time_offer: 5 })).toBe('accepted');
  });
});
