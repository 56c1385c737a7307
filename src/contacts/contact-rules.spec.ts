import { isEmail } from 'class-validator';
import fc from 'fast-check';
import { isEmailAddress } from './contact-rules.js';

describe('an email address', () => {
  it.each([
    'ada@example.com',
    'a.b+c_d-e@sub-domain.example.co',
    'ünï@example.com',
    '"a b"@example.com',
    `${'a'.repeat(64)}@example.com`,
  ])('may be %s', (address) => {
    expect(isEmailAddress(address)).toBe(true);
  });

  it.each([
    'nobody',
    'a@b',
    '@example.com',
    'a@example',
    'a..b@example.com',
    'a b@example.com',
    'a@-x.com',
    'a@x.com\n',
    `${'a'.repeat(65)}@example.com`,
  ])('is not %j', (address) => {
    expect(isEmailAddress(address)).toBe(false);
  });

  it('passes the quick check only if it passes the full check', () => {
    const part = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom('a', 'Z', '9', '.', '-', '_', '+') });
    fc.assert(
      fc.property(part, part, (local, domain) => {
        const address = `${local}@${domain}.com`;
        return isEmailAddress(address) === isEmail(address, { allow_utf8_local_part: true });
      }),
      { numRuns: 2000 },
    );
  });
});
