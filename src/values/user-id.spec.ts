import { isUserId } from './user-id.js';

describe('isUserId', () => {
  it.each(['US.13491208655302741918', 'DE.a', `GB.${'9'.repeat(147)}`])('accepts %s', (value) => {
    expect(isUserId(value)).toBe(true);
  });

  it.each(['', 'US.', 'us.1', 'USA.1', 'US.1-2', 'US.1 ', ' US.1', '4915112345678', `GB.${'9'.repeat(148)}`, 5, null])(
    'rejects %j',
    (value) => {
      expect(isUserId(value)).toBe(false);
    },
  );
});
