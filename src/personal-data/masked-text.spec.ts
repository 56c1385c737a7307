import { maskedText } from './masked-text.js';

const BODIES = [
  '*{{1}}* is your code.',
  '*{{1}}* is your code. Do not share it.',
  '{{ 1 }}',
  'Code {{1}}, again {{1}}',
  '',
];

describe('an old message of an AUTHENTICATION template', () => {
  it.each([
    ['*123456* is your code.', '*•* is your code.'],
    ['*123456* is your code. Do not share it.', '*•* is your code. Do not share it.'],
    ['*a code with blanks* is your code.', '*•* is your code.'],
    ['** is your code.', '*•* is your code.'],
    // Codes before the text was known, and texts that the template no longer has.
    ['123456', '•'],
    ['123456 ist Ihr Code.', '•'],
    ['*123456* is your code', '•'],
    ['Code 123456, again 123456', '•'],
    // Masked before, and erased.
    ['*•* is your code.', '*•* is your code.'],
    ['•', '•'],
    ['', ''],
  ])('%s becomes %s', (text, masked) => {
    expect(maskedText(text, BODIES)).toBe(masked);
  });

  it('does not show a part of the code that looks like the text', () => {
    expect(maskedText('*is your code.', ['*{{1}}*is your code.'])).toBe('•');
  });
});
