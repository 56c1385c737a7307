import { isPhoneNumber, normalisePhoneNumber, readPhoneNumber } from './phone-number.js';

describe('phone numbers', () => {
  it.each(['4915112345678', '12025550123', '1234567', '123456789012345'])('accept %s in the stored form', (value) => {
    expect(isPhoneNumber(value)).toBe(true);
  });

  it.each<unknown>([
    '+4915112345678',
    '49 151',
    '123456',
    '1234567890123456',
    '0491511234567',
    'office',
    '',
    12025550123,
    null,
  ])('reject %j where the stored form is required', (value) => {
    expect(isPhoneNumber(value)).toBe(false);
  });

  it.each([
    ['+49 151 1234-5678', '4915112345678'],
    ['0049.151.12345678', '4915112345678'],
    ['+1 (202) 555‑0123', '12025550123'],
    [' [1] 202 555 0123 ', '12025550123'],
  ])('normalise %j', (written, stored) => {
    expect(readPhoneNumber(written)).toBe(stored);
    expect(normalisePhoneNumber(written)).toBe(stored);
  });

  it('reject impossible numbers, except when they are only read', () => {
    expect(normalisePhoneNumber('+999 123 4567')).toBeNull();
    expect(readPhoneNumber('+999 123 4567')).toBe('9991234567');
  });

  it.each(['', '+', 'ada@example.test', '++4915112345678', '1-800-FLOWERS'])('find no number in %j', (written) => {
    expect(readPhoneNumber(written)).toBeNull();
    expect(normalisePhoneNumber(written)).toBeNull();
  });
});
