import { create, QUICK_REPLY } from './template-drafts.fixture.js';

describe('an AUTHENTICATION template', () => {
  it('needs no body', () => {
    expect(create({ category: 'AUTHENTICATION', body: null })).toBe('accepted');
  });

  it.each([
    ['body', { body: { text: 'Your code' } }],
    ['header', { header: { format: 'TEXT', text: 'Code' } }],
    ['footer', { footer: { text: 'Bye' } }],
    ['buttons', { buttons: [QUICK_REPLY] }],
  ])('rejects %s (422)', (field, fields) => {
    expect(create({ body: null, ...fields, category: 'AUTHENTICATION' })).toBe(
      `422 detail ${field} is not accepted for AUTHENTICATION templates: the network writes their text`,
    );
  });
});

describe('a template of another category', () => {
  it.each([
    [
      'add_security_recommendation',
      { add_security_recommendation: false },
      'add_security_recommendation is for AUTHENTICATION templates only (got category MARKETING)',
    ],
    [
      'code_expiration_minutes',
      { code_expiration_minutes: 5 },
      'code_expiration_minutes is for AUTHENTICATION templates only (got category MARKETING)',
    ],
  ])('rejects %s (422)', (_, fields, detail) => {
    expect(create(fields)).toBe(`422 detail ${detail}`);
  });
});
