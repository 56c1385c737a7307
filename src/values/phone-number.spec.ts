import { isPhoneNumber } from './phone-number.js';

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
});
