import { create } from './template-drafts.fixture.js';

describe('template texts', () => {
  it('limits the name to 512 characters (422)', () => {
    expect(create({ name: 'a'.repeat(512) })).toBe('accepted');
    expect(create({ name: 'a'.repeat(513) })).toBe('422 detail name must be at most 512 characters (got 513)');
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
      'a language that is not a code',
      { language: 'English' },
      'language must be a code such as en_US or de (got English)',
    ],
    [
      'a name with a trailing line break',
      { name: 'order\n' },
      'name must consist of lowercase letters, digits and underscores, such as order_update_2 (got order\\n)',
    ],
    [
      'a name with non-ASCII letters and digits',
      { name: 'bestellung_für_२' },
      'name must consist of lowercase letters, digits and underscores, such as order_update_2 (got bestellung_für_२)',
    ],
    ['a language with a dash', { language: 'en-US' }, 'language must be a code such as en_US or de (got en-US)'],
  ])('rejects %s (422)', (_, fields, detail) => {
    expect(create(fields)).toBe(`422 detail ${detail}`);
  });

  it.each(['en', 'en_US', 'pt_BR', 'fil', 'zh_HK'])('accepts the language %s', (language) => {
    expect(create({ language })).toBe('accepted');
  });

  it('counts characters as Unicode code points, not UTF-16 units, bytes or graphemes', () => {
    // Each is one grapheme, of one, two and seven code points.
    expect(create({ header: { format: 'TEXT', text: '𝒜'.repeat(60) } })).toBe('accepted');
    expect(create({ header: { format: 'TEXT', text: 'e\u0301'.repeat(30) } })).toBe('accepted');
    expect(create({ header: { format: 'TEXT', text: 'e\u0301'.repeat(31) } })).toBe(
      '422 detail header.text must be at most 60 characters (got 62)',
    );
    expect(create({ header: { format: 'TEXT', text: '👨‍👩‍👧‍👦'.repeat(9) } })).toBe(
      '422 detail header.text must be at most 60 characters (got 63)',
    );
  });

  it('truncates long values without splitting a character', () => {
    expect(create({ name: `a${'😀'.repeat(40)}` })).toBe(
      `422 detail name must consist of lowercase letters, digits and underscores, such as order_update_2 (got a${'😀'.repeat(29)}…)`,
    );
    expect(create({ body: { text: 'a', examples: { ['k'.repeat(100_000)]: 5 } } })).toBe(
      `422 detail body.examples.${'k'.repeat(60)}… must be a string, not a number (5)`,
    );
  });
});

describe('template variables', () => {
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
  ])('rejects %s with the header %s (422)', (body, header, detail) => {
    expect(texts(body, header)).toBe(`422 detail ${detail}`);
  });
});
