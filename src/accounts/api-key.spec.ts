import { createHash } from 'node:crypto';
import { issueKey, parseKey, secretMatches } from './api-key.js';

describe('API keys', () => {
  it('look like pk_live_<12 characters>_<43 characters> and are unique', () => {
    const keys = Array.from({ length: 200 }, () => issueKey());
    for (const { key, prefix } of keys) expect(key).toMatch(new RegExp(`^pk_live_${prefix}_[A-Za-z0-9_-]{43}$`));
    expect(new Set(keys.map(({ key }) => key)).size).toBe(200);
    expect(new Set(keys.map(({ prefix }) => prefix)).size).toBe(200);
  });

  it('store only a SHA-256 of the secret part', () => {
    const { key, secretHash } = issueKey();
    expect(secretHash).toEqual(createHash('sha256').update(key.slice(-43)).digest());
  });

  it('split into prefix and secret, and compare the secret with its hash', () => {
    const { key, prefix, secretHash } = issueKey();
    const parts = parseKey(key);
    expect(parts).toEqual({ prefix, secret: key.slice(-43) });
    expect(secretMatches(key.slice(-43), secretHash)).toBe(true);
    expect(secretMatches(issueKey().key.slice(-43), secretHash)).toBe(false);
  });

  it.each([
    '',
    'pk_live_',
    'pk_test_AAAAAAAAAAAA_',
    `pk_live_${'A'.repeat(12)}_${'a'.repeat(42)}`,
    `pk_live_AAAAAAAAAAA!_${'a'.repeat(43)}`,
  ])('have a fixed format: %j is refused', (value) => {
    expect(parseKey(value)).toBeNull();
  });
});
