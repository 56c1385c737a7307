import { create, letters } from './template-drafts.fixture.js';

describe('a template header', () => {
  it('accepts each format', () => {
    for (const format of ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION']) {
      const header = { format, ...(format === 'TEXT' ? { text: 'Order' } : {}) };
      expect(create({ header, media_url: 'https://cdn.example/a' })).toBe('accepted');
    }
  });

  it.each([
    [
      'text',
      { header: { format: 'TEXT', text: letters(60) } },
      { header: { format: 'TEXT', text: letters(61) } },
      'header.text must be at most 60 characters (got 61)',
    ],
    [
      'number of variables',
      { header: { format: 'TEXT', text: '{{1}} and {{1}}' } },
      { header: { format: 'TEXT', text: '{{1}} and {{2}}' } },
      'header.text may contain at most 1 variable (got {{1}}, {{2}})',
    ],
  ])('limits the %s (422)', (_, atLimit, beyond, detail) => {
    expect(create(atLimit)).toBe('accepted');
    expect(create(beyond)).toBe(`422 detail ${detail}`);
  });

  it.each([
    [
      'an unknown header format',
      { header: { format: 'GIF' } },
      'header.format must be one of TEXT, IMAGE, VIDEO, DOCUMENT, LOCATION (got GIF)',
    ],
    [
      'a header without format',
      { header: { text: 'Hello' } },
      'header.format is required: one of TEXT, IMAGE, VIDEO, DOCUMENT, LOCATION',
    ],
    [
      'a TEXT header without text',
      { header: { format: 'TEXT' } },
      'header.text is required when header.format is TEXT',
    ],
  ])('rejects %s (422)', (_, fields, detail) => {
    expect(create(fields)).toBe(`422 detail ${detail}`);
  });

  it.each(['IMAGE', 'VIDEO', 'DOCUMENT'])('requires media_url with the format %s (400)', (format) => {
    expect(create({ header: { format } })).toBe(
      `400 standard media_url is required when header.format is ${format}, unless media_id is given`,
    );
    expect(create({ header: { format }, media_url: ' ' })).toMatch(/^400 standard media_url is required/);
    expect(create({ header: { format }, media_url: 'https://cdn.example/a' })).toBe('accepted');
  });
});
