import { create, letters } from './template-drafts.fixture.js';

describe('a template', () => {
  it('accepts the smallest body', () => {
    expect(create({})).toBe('accepted');
  });

  it('may be of each category', () => {
    expect(create({ category: 'MARKETING' })).toBe('accepted');
    expect(create({ category: 'UTILITY' })).toBe('accepted');
    expect(create({ category: 'AUTHENTICATION', body: null })).toBe('accepted');
  });

  it.each([
    [
      'body',
      { body: { text: letters(1024) } },
      { body: { text: letters(1025) } },
      'body.text must be at most 1024 characters (got 1025)',
    ],
    [
      'footer',
      { footer: { text: letters(60) } },
      { footer: { text: letters(61) } },
      'footer.text must be at most 60 characters (got 61)',
    ],
  ])('limits the %s (422)', (_, atLimit, beyond, detail) => {
    expect(create(atLimit)).toBe('accepted');
    expect(create(beyond)).toBe(`422 detail ${detail}`);
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
  ])('limits the range of %s for %s', (field, category, accepted, refused, rule) => {
    const body = category === 'AUTHENTICATION' ? null : { text: 'Hello' };
    for (const value of accepted) expect(create({ category, body, [field]: value })).toBe('accepted');
    for (const value of refused) {
      expect(create({ category, body, [field]: value })).toBe(`422 detail ${rule} (got ${value})`);
    }
  });

  it.each([
    [
      'an unknown category',
      { category: 'marketing' },
      'category must be one of MARKETING, UTILITY, AUTHENTICATION (got marketing). Did you mean "MARKETING"?',
    ],
    ['no body', { body: null }, 'body is required'],
    ['no body for UTILITY', { category: 'UTILITY', body: null }, 'body is required'],
    ['an empty body', { body: {} }, 'body is required'],
    ['a blank body', { body: { text: '  ' } }, 'body is required'],
    ['a body without text', { body: { examples: { '1': 'Ada' } } }, 'body.text is required'],
    ['a footer with a misspelled field', { footer: { txt: 'Bye' } }, 'footer.text is required'],
    ['a footer with variables', { footer: { text: 'Hi {{1}}' } }, 'footer.text must not contain variables (got {{1}})'],
    [
      'a footer with an unfinished variable',
      { footer: { text: 'Hi {{1' } },
      'footer.text must not contain variables (got {{1)',
    ],
    [
      'a footer with a named variable',
      { footer: { text: 'Hi {{ name }}, bye' } },
      'footer.text must not contain variables (got {{ name }})',
    ],
  ])('rejects %s (422)', (_, fields, detail) => {
    expect(create(fields)).toBe(`422 detail ${detail}`);
  });

  it.each([{ footer: {} }, { footer: { text: ' ' } }, { header: { format: '', text: '' } }])(
    'takes an object in which everything is blank for absent: %j',
    (fields) => {
      expect(create(fields)).toBe('accepted');
    },
  );
});
