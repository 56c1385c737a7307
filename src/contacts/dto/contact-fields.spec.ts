import { blankToNull } from './contact-fields.js';

describe('an optional text', () => {
  it.each([undefined, null, '', ' \t'])('is absent when it is %j', (value) => {
    expect(blankToNull(value)).toBeNull();
  });

  it('is kept unchanged otherwise', () => {
    expect(blankToNull(' Ada ')).toBe(' Ada ');
  });
});
