import { equalSecrets } from './equal-secrets.js';

describe('the comparison of secrets', () => {
  it.each([
    ['the same text', 'tøken', true],
    ['another text of the same length', 'tokén', false],
    ['a prefix', 'tø', false],
    ['a longer text', 'tøkens', false],
    ['nothing', '', false],
  ])('of %s', (_, given, equal) => {
    expect(equalSecrets(given, 'tøken')).toBe(equal);
  });
});
