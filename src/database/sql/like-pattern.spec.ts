import { containsPattern } from './like-pattern.js';

describe('containsPattern', () => {
  it('finds the text anywhere', () => {
    expect(containsPattern('ada')).toBe('%ada%');
  });

  it('takes wildcards and the escape character literally', () => {
    expect(containsPattern('50%_\\')).toBe('%50\\%\\_\\\\%');
  });
});
